import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { expect, test } from 'vitest';
import { createTelegram } from '../../src/notify/telegram.ts';
import { startTelegram } from './telegram-stand-in.ts';

// AG-395.

const token = '123456:a-bot-of-the-operators';
const assets = readAssetRegistry(31_337, (text): text is `0x${string}` => isAddress(text));
const usdt = assets.find(({ symbol }) => symbol === 'USDT')?.address;
const account = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
const going = new AbortController().signal;

async function start() {
  const api = await startTelegram(token);
  const telegram = createTelegram({ token, assets, apiUrl: api.apiUrl });
  return { ...api, telegram };
}

/** The address that the bot tells a chat. */
const told = (text = '') => /telegram:\S+/.exec(text)?.[0] ?? '';

test('the bot tells each chat the address of its notices, once, and takes no other for a chat', async () => {
  const { telegram, write, messages } = await start();
  write(11, '/start');
  write(22, 'hello');
  write(-33, '/start@bot');
  expect(await telegram.round(going)).toEqual({ counts: { answered: 2 } });
  expect(await telegram.round(going)).toEqual({ counts: { answered: 0 } });
  expect(messages.map(({ chat_id }) => chat_id)).toEqual(['11', '-33']);
  const [own, group] = messages.map(({ text }) => told(text)) as [string, string];
  expect([telegram.chatOf(own), telegram.chatOf(group)]).toEqual(['11', '-33']);
  // Another chat with this one's code, no code, another bot's.
  for (const other of [
    own.replace(':11:', ':12:'),
    'telegram:11',
    `telegram:11:${'0'.repeat(32)}`,
    'https://t.me/11',
  ]) {
    expect(telegram.chatOf(other), other).toBeUndefined();
  }
  const others = createTelegram({ token: '9:another', assets });
  expect(others.chatOf(own)).toBeUndefined();
});

test('a notice arrives as a sentence with the account, and a chat that is gone takes no more', async () => {
  const { telegram, messages, blocked } = await start();
  const send = (type: string, data: object) => telegram.send('11', { type, data: { account, ...data } });
  const repaid = { guard: '7', repay_token: usdt, repaid: '412000000000000000000', health_before: '1.098' };
  expect(await send('rescue_made', { ...repaid, health_after: '1.3019' })).toEqual({ status: 200 });
  await send('rescue_made', { ...repaid, health_after: null });
  await send('rescue_irregular', { ...repaid, irregularities: ['health fell', 'it took 5, above the cap of 4'] });
  await send('deferral_streak', { plan: '3', deferrals: 4, reasons: ['cost_high', 'pool_off_reference'] });
  await send('funds_ending', { plan: '3', runs_left: 2 });
  const guard = { guard: '7', token: usdt, min_repay: '10', balance: '40000000000000000000', allowance: '1' };
  await send('funds_ending', { ...guard, limited_by: 'balance', needed: '50000000000000000000' });
  await send('guard_cannot_pay', { ...guard, limited_by: 'balance', reason: 'balance_too_low' });
  await send('webhook_registered', { expires_at: 1_808_640_000 });
  expect(messages.map(({ text }) => text.replace(' (0x90f7…b906)', ''))).toEqual([
    'Repaid 412 USDT: health 1.09 → 1.30.',
    'Repaid 412 USDT: health 1.09 → no debt left.',
    'A rescue broke the terms of guard 7: health fell; it took 5, above the cap of 4.',
    expect.stringMatching(/^Plan 3 is waiting: 4 deferrals in a row, the last because .+\.$/),
    'Plan 3 is funded for only 2 more trades.',
    'Guard 7: its paying account holds 40 USDT of the 50 USDT the next rescue needs.',
    expect.stringMatching(/^Guard 7 cannot pay: .+\.$/),
    'Notices arrive here until 2027-04-25 08:00:00 UTC.',
  ]);
  expect(messages.every(({ text }) => text.endsWith(' (0x90f7…b906)'))).toBe(true);
  blocked.add('11');
  expect(await send('funds_ending', { plan: '3', runs_left: 1 })).toEqual({ status: 410 });
});

test('where Telegram does not answer, or to this token, nothing is thrown and the token is in no answer', async () => {
  const { apiUrl } = await start();
  const silent = createTelegram({ token, assets, apiUrl: 'http://127.0.0.1:1' });
  expect(await silent.round(going)).toEqual({ counts: { telegram_unavailable: 1 } });
  expect(await silent.send('11', { type: 'funds_ending', data: { plan: '3', runs_left: 1, account } })).toEqual({
    failed: 'unreachable',
  });
  const wrong = createTelegram({ token: '9:another', assets, apiUrl });
  expect(await wrong.round(going)).toEqual({ counts: { telegram_unavailable: 1 } });
});
