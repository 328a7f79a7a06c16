import { expect, it, onTestFinished } from 'vitest';
import { isComposing } from '../app/ask/composing.ts';
import { speak } from '../app/words/language.ts';
import { dayTick } from '../app/words/times.ts';
import * as zhCN from '../app/words/zh-CN/zh-CN.ts';
import { agentAnswer, quoteAnswer, yearAnswer } from '../wire.ts';

// What a hostile agent or page server may answer, and how people type who do not write English.

const at = (digit: string) => `0x${digit.repeat(40)}`;
const ticket = {
  ...{ token_in: at('1'), token_out: at('2'), verdict: 3, max_price_wad: '1', max_amount_in: '1' },
  ...{ issued_at: '1800000000', expires_at: '1800000120' },
};
const answer = (changes: object) => ({
  ...{ result: '', tools: [], tickets: [{ ...ticket, ...changes }], answered_by: 'embedded' },
});

it('numbers that no ticket has are no answer', () => {
  expect(agentAnswer.safeParse(answer({})).success).toBe(true);
  for (const name of ['max_price_wad', 'max_amount_in', 'issued_at', 'expires_at'])
    for (const value of ['-9000000000000000', '-1', '', '1e3', '9'.repeat(100_000)])
      expect(agentAnswer.safeParse(answer({ [name]: value })).success, `${name} ${value.slice(0, 20)}`).toBe(false);
});

it('WB-12: times that a browser cannot write are no answer, and of one asset none of that asset', () => {
  const quote = (time: number) => ({
    ...{ time: '2026-11-28T00:00:00Z', sent_at: '2026-11-28T00:00:00Z' },
    assets: [
      ...[{ symbol: 'BTCB', price_usd: '1', change_24h_percent: null, history: [[time, '1']], judged: null }].map(
        (asset) => ({ ...asset, unavailable: [] }),
      ),
    ],
  });
  const year = (time: number) => ({ symbol: 'BTCB', closes: [[time, '1']] });
  expect(quoteAnswer.parse(quote(1_800_000_000))).toMatchObject(quote(1_800_000_000));
  expect(yearAnswer.safeParse(year(1_800_000_000)).success).toBe(true);
  for (const time of [-1, 9_000_000_000_000_000, 8_640_000_001]) {
    const [asset] = quoteAnswer.parse(quote(time)).assets;
    expect(asset, String(time)).toMatchObject({ price_usd: null, history: [], unavailable: ['answer_malformed'] });
    expect(yearAnswer.safeParse(year(time)).success, String(time)).toBe(false);
  }
});

it('keys of an input method are not the page’s', () => {
  const key = (isComposed: boolean, keyCode: number) => ({ nativeEvent: { isComposing: isComposed, keyCode } });
  expect(isComposing(key(true, 229))).toBe(true);
  expect(isComposing(key(true, 13))).toBe(true);
  // Safari's key event.
  expect(isComposing(key(false, 229))).toBe(true);
  expect(isComposing(key(false, 13))).toBe(false);
});

it('WB-144: the days of a chart are in the page’s language', () => {
  const noon = Date.UTC(2026, 10, 22, 12);
  expect(dayTick(noon)).toBe('22 Nov');
  speak('zh-CN', zhCN);
  onTestFinished(() => speak('en', undefined));
  expect(dayTick(noon)).toBe('11月22日');
});
