import type { Language } from './language.ts';

export const turkish: Language = {
  code: 'tr',
  isSpaced: true,
  marks: /[ışğİ]/,
  names: {},
  phrases: {
    price: 'fiyat, fiyati, fiyatlari, ne kadar, kac dolar, kac usd, kac para, kactan, degeri, kac dolardan',
    fair:
      'adil, adil mi, pahali, pahali mi, ucuz, ucuz mu, uygun, uygun mu, mantikli, mantikli mi, makul, makul mu, iyi zaman, iyi bir zaman, iyi bir zaman mi, ' +
      'dogru zaman, dogru zaman mi, iyi fiyat, iyi bir fiyat, iyi bir fiyat mi, iyi mi, deger mi, almali miyim, satmali miyim, alsam mi, satsam mi, alayim mi, satayim mi',
    buy: 'almak, satin almak, almali miyim, alsam, alsam mi, alayim mi, satin alsam, satin alayim mi',
    sell: 'satmak, satmali miyim, satsam, satsam mi, satayim mi',
    plan: 'plan, planim, planin, planimin, plani, planlarim',
    plans: 'hangi planlar var, tum planlar, butun planlar, planlar neler',
    next: 'ne zaman, calisacak, calisir, calisiyor, sonraki, bir sonraki, tekrar, bir daha',
    why: 'neden, niye, nicin, calismadi, atlandi, ne oldu, gecmisi, kayitlari, ne yapti',
    status: 'ne durumda, durumu, durum, nasil, nasil gidiyor, durumu ne, durumu nedir',
    loan: 'kredi, kredim, kredimin, kredisi, borc, borcum, borcu, saglik, sagligi, saglik faktoru, tasfiye, likidasyon, likide, guvende, guvende mi, riskte, riskte mi, tehlikede mi',
    rescue: 'kurtarir mi, kurtarir, kurtaracak mi, karsilar mi',
    hello:
      'merhaba, merhabalar, selam, selamlar, gunaydin, iyi gunler, iyi aksamlar, tesekkurler, tesekkur ederim, sagol, yardim, ne yapabilirsin, neler yapabilirsin, nasil calisir',
    filler:
      'su an, su anda, simdi, bugun, bir, icin, mi, mu, miyim, bu, benim, bana goster, bana soyle, lutfen, acaba, var, var mi, soyle, goster, numarali, numara, ile, ve, nedir, ne, istiyorum, ' +
      'bakar misin, soyler misin, olan, adet, tane, guncel',
  },
  plan: [
    /\bplan\w{0,4}\s*(?:numara|no\.?|#)?\s*#?\s*(\d{1,18})(?:'[a-z]{1,4})?\b/,
    /\b(\d{1,18})\s*(?:numarali|nolu|no'?lu|\.)\s*plan\w{0,5}\b/,
  ],
  guard: [/\bguard\s*#?\s*(\d{1,18})(?:'[a-z]{1,4})?\b/],
  money: 'usdt|usd|dolarlik|dolara|dolar|\\$',
  counter: 'adet|tane',
  one: 'bir',
  says: {
    greeting: "Merhaba. Ben Bowline'ın BNB Chain üzerindeki ajanıyım. Örneğin şunları sorabilirsiniz:",
    unread: 'Bunu anlamadım ve tahmin etmem. Örneğin şunları sorabilirsiniz:',
    whichPlan: 'Hangi plan? Numarasını yazın, örneğin:',
    whichAddress: 'Hangi adres? Sizinkini bilmiyorum. Adresi tam yazın («kredi 0x…»), ya da sorun:',
  },
  ask: {
    price: (asset) => ({ label: `${asset} fiyatı`, prompt: `${asset} fiyatı ne kadar?` }),
    fair: (asset) => ({ label: `${asset} fiyatı adil mi?`, prompt: `${asset} fiyatı adil mi?` }),
    plans: { label: 'Tüm planlar', prompt: 'Hangi planlar var?' },
    outlook: { label: 'Plan 1 ne zaman çalışacak?', prompt: 'Plan 1 ne zaman çalışacak?' },
    guard: { label: 'Guard 1 kurtarır mı?', prompt: 'Guard 1 şimdi kurtarır mı?' },
  },
  leads: {
    price: (asset, usd) => `${asset} şu an ${usd} USD.`,
    verdict: {
      GO: 'GO: fiyat bu işlem için adil.',
      CAUTION: 'CAUTION: beklemek daha iyi; bir değer uyarı sınırını aşıyor.',
      NO_GO: 'NO_GO: fiyat bu işlem için adil değil.',
      NO_DATA: 'NO_DATA: karar vermek için veri eksik.',
    },
    health: (health) =>
      health === null ? 'Bu adresin borcu yok.' : `Kredinin sağlık faktörü: ${health} (1'in altında tasfiye edilir).`,
  },
};
