import type { Language } from './language.ts';

export const spanish: Language = {
  code: 'es',
  isSpaced: true,
  marks: /[¿¡ñ]/i,
  names: { 'el bitcoin': 'BTCB', bitcoins: 'BTCB', eteres: 'ETH', eter: 'ETH' },
  phrases: {
    price:
      'precio, precios, cuanto cuesta, cuanto vale, cuanto esta, a cuanto, a cuanto esta, a como esta, cotizacion, cotiza, a cuanto cotiza, cuesta, vale, valor',
    fair:
      'justo, justa, caro, cara, barato, barata, buen precio, mal precio, precio justo, buena idea, mala idea, buen momento, mal momento, conviene, me conviene, ' +
      'vale la pena, razonable, deberia, debo, es seguro, seguro, sobrevalorado, infravalorado, demasiado caro, muy caro',
    buy: 'comprar, compro',
    sell: 'vender, vendo',
    plan: 'plan, mi plan, el plan',
    plans: 'que planes hay, planes hay, todos los planes, lista de planes',
    next: 'cuando, se ejecuta, se ejecutara, ejecutara, proxima, proximo, proxima vez, siguiente, proxima ejecucion, corre, vuelve a comprar',
    why: 'por que, porque no, no se ejecuto, no se ha ejecutado, no funciono, que paso, que ha pasado, historial, ejecuciones, ha hecho',
    status: 'como va, como esta, que pasa con, estado, estado de, situacion',
    loan: 'prestamo, prestamos, deuda, deudas, liquidacion, liquidado, liquidada, van a liquidar, me van a liquidar, factor de salud, salud, en riesgo, en peligro, a salvo, segura',
    rescue: 'rescataria, rescatara, rescata, actuaria, puede cubrirlo, cubre',
    hello:
      'hola, buenas, buenos dias, buenas tardes, buenas noches, gracias, muchas gracias, ayuda, que puedes hacer, que sabes hacer, como funciona, como funcionas',
    filler:
      'el, la, los, las, de, del, un, una, es, esta, estan, ahora, ahora mismo, hoy, por favor, para, en, a, y, mi, mis, tu, yo, quiero, quisiera, puedo, dime, me puedes decir, ' +
      'cuentame, muestrame, cual, son, al, momento, en este momento, actual, actualmente, con, que, me gustaria, unos, otra vez, van, va, como, se',
  },
  plan: [/\bplan(?:\s*(?:numero|num\.?|n\.?|no\.?|#))?\s*#?\s*(\d{1,18})\b/],
  guard: [/\b(?:el )?(?:guard|guardia|guardian)(?:\s*(?:numero|num\.?|n\.?|#))?\s*#?\s*(\d{1,18})\b/],
  money: 'usdt|usd|dolares|dolar|\\$',
  counter: 'de',
  one: 'un|una',
  says: {
    greeting: 'Hola. Soy el agente de Bowline en BNB Chain. Puedes preguntar, por ejemplo:',
    unread: 'No lo he entendido, y no adivino. Puedes preguntar, por ejemplo:',
    whichPlan: '¿Qué plan? Escribe su número, por ejemplo:',
    whichAddress: '¿Qué dirección? No conozco la tuya. Escríbela entera («préstamo 0x…»), o pregunta:',
  },
  ask: {
    price: (asset) => ({ label: `Precio de ${asset}`, prompt: `¿Cuánto cuesta ${asset}?` }),
    fair: (asset) => ({ label: `¿Es justo el precio de ${asset}?`, prompt: `¿Es justo el precio de ${asset}?` }),
    plans: { label: 'Todos los planes', prompt: '¿Qué planes hay?' },
    outlook: { label: 'Próxima ejecución del plan 1', prompt: '¿Cuándo se ejecuta el plan 1?' },
    guard: { label: '¿Actuaría el guard 1?', prompt: '¿El guard 1 actuaría ahora?' },
  },
  leads: {
    price: (asset, usd) => `${asset} está a ${usd} USD.`,
    verdict: {
      GO: 'GO: el precio es justo para esta operación.',
      CAUTION: 'CAUTION: mejor esperar; un valor pasa del límite de precaución.',
      NO_GO: 'NO_GO: no es un precio justo para esta operación.',
      NO_DATA: 'NO_DATA: faltan datos para juzgarlo.',
    },
    health: (health) =>
      health === null
        ? 'Esta dirección no debe nada.'
        : `Factor de salud del préstamo: ${health} (por debajo de 1 se liquida).`,
  },
};
