import { keptForOthers } from '@bowline/core/domain/owner-plans';
import { repaymentAtTriggerUp, repaymentUp } from '@bowline/core/domain/rescue-size';
import { nextSlot } from '@bowline/core/domain/slots';
import {
  encodeErrorResult,
  getContractError,
  type Hex,
  parseAbi,
  parseEther,
  RawContractError,
  RpcRequestError,
  UserRejectedRequestError,
} from 'viem';
import { expect, test } from 'vitest';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { ApiError } from '../app/api/request.ts';
import type { Settings } from '../app/api/settings.ts';
import { fundedWords } from '../app/chain/coverage/funded-words.ts';
import type { LoanMarket } from '../app/chain/read-loan.ts';
import { answeredBy } from '../app/guard/outcome.tsx';
// Imported for its side effect: it registers the words for the guards' errors, as on pages with guards.
import '../app/guard/sale.ts';
import { triggerHint } from '../app/guard/usual-gap.ts';
import { type PlanDraft, pricesOf } from '../app/plans/draft-plan.ts';
import { minNow, summaryOf } from '../app/plans/summary.ts';
import { exactAmount, parseAmount, parseWhole, shortAmount, shortCost, usd, usdUp } from '../app/words/amounts.ts';
import { failureOf, revertedFailure, walletRefusal } from '../app/words/contract-errors.ts';
import { words } from '../app/words/en/frame.ts';
import { barPlace, health } from '../app/words/health.ts';
import { refusalOf } from '../app/words/refusals.ts';
import { every } from '../app/words/times.ts';

// What the page says and computes, without a browser.

const asset = (symbol: string, decimals: number) =>
  ({
    symbol,
    name: symbol,
    address: `0x${symbol.length.toString().repeat(40)}`,
    decimals,
    class: 'crypto',
    quote: 'USDT',
    feed: `0x${'f'.repeat(40)}`,
    feedDecimals: 8,
    poolFeeMillionths: 500,
  }) as const;
const wad = parseEther;

test('WB-5: an amount is taken to the unit or refused with what to do', () => {
  expect(parseAmount('1250.5', 18)).toEqual({ ok: true, value: wad('1250.5') });
  expect(parseAmount(' .000001 ', 6)).toEqual({ ok: true, value: 1n });
  expect(parseAmount('12345678901234567890.123456789012345678', 18)).toEqual({
    ok: true,
    value: 12345678901234567890123456789012345678n,
  });
  for (const [text, why] of [
    ['', 'Enter an amount.'],
    ['1,250', 'Is it 1250 or 1.250?'],
    ['1,25,000', 'Enter a number'],
    ['1.2.3', 'Enter a number'],
    ['-1', 'without a sign'],
    ['1e3', 'Enter a number'],
    ['0x10', 'Enter a number'],
    ['.', 'Enter a number'],
    ['0.0', 'above zero'],
    ['0.0000001', 'at most 6 decimal places'],
  ] as const) {
    expect(parseAmount(text, 6), text).toEqual({ ok: false, why: expect.stringContaining(why) });
  }
  expect(parseWhole('10', 1n, 10n)).toEqual({ ok: true, value: 10n });
  for (const text of ['0', '11', '1.5', 'ten', '']) expect(parseWhole(text, 1n, 10n).ok, text).toBe(false);
});

test.each([
  ['1,5', '1.5'],
  ['0,125', '0.125'],
  ['1,2345', '1.2345'],
  ['1,250.5', '1250.5'],
  ['1.250,5', '1250.5'],
  ['1,250,000', '1250000'],
  ['1 250,5', '1250.5'],
  ['1\u202f250,5', '1250.5'],
])('%s is %s, as most of the world types it', (typed, plain) => {
  expect(parseAmount(typed, 18)).toEqual({ ok: true, value: wad(plain) });
});

test.each([
  ['1000.029', '1,000.03'],
  ['1000.02', '1,000.02'],
  ['999.999001', '1,000'],
  ['12.34561', '12.3457'],
  ['0.000131000000000001', '0.000131001'],
  ['0.9999991', '1'],
])('somebody who pays %s is never told less: %s', (amount, shown) => {
  expect(shortCost(wad(amount), 18)).toBe(shown);
  expect(shortCost(0n, 18)).toBe('0');
  expect(shortCost(7n, 0)).toBe('7');
});

test('WB-5: amounts are shown exactly, or cut and never rounded up', () => {
  expect(exactAmount(1234567890000000000000n, 18)).toBe('1,234.56789');
  expect(exactAmount(-999999999999999999n, 18)).toBe('-0.999999999999999999');
  expect(shortAmount(wad('0.00099999999'), 18)).toBe('0.000999999');
  expect(shortAmount(wad('1999.999'), 18)).toBe('1,999.99');
  expect(shortAmount(wad('1.23456789'), 18)).toBe('1.23456');
  expect(usd(wad('2024979.219'))).toBe('$2,024,979.21');
  expect(usd(wad('0.99999'))).toBe('$0.9999');
  // Some tokens cost millionths of a dollar, and no nonzero price may read as zero.
  expect(usd(wad('0.00012345'))).toBe('$0.0001');
  expect(usd(wad('0.0000123456'))).toBe('$0.0000123');
  expect(usd(-1n)).toBe('-$0.000000000000000001');
  expect(['2910.001', '2910.01', '0.00012345', '0.99999', '0.0000123456'].map((each) => usdUp(wad(each)))).toEqual([
    '$2,910.01',
    '$2,910.01',
    '$0.0002',
    '$1.00',
    '$0.0000124',
  ]);
  expect(usdUp(0n)).toBe('$0.00');
});

const draft: PlanDraft = {
  pay: asset('USDT', 18),
  buy: asset('BTC', 8),
  amountPerRun: wad('100'),
  periodSeconds: 86_400n,
  maxRuns: 10n,
  maxSlippageBps: 100n,
  limitPrice: wad('120000'),
  stopPrice: undefined,
  hasSpareTime: true,
  isSale: false,
  validSeconds: undefined,
};

test('WB-5: what a plan can do is said in full, with the most it takes and the least it gives', () => {
  const said = summaryOf(
    draft,
    { endsAt: 1_700_000_000n, windowSeconds: 43_200n, done: undefined, approved: wad('1000'), source: 'oracle' },
    { payUsdWad: wad('1'), buyUsdWad: wad('100000') },
  ).join('\n');
  expect(said).toContain('Up to 10 buys, one every day, each spending exactly 100 USDT on BTC.');
  expect(said).toContain('Up to 1,000 USDT in total: you approve exactly that.');
  expect(said).toContain('at least 99 % of what 100 USDT is worth');
  expect(said).toContain('(now 0.00099 BTC)');
  expect(said).toContain('Never above 120,000 USDT per BTC.');
  expect(said).toContain('within 12 hours of its time');
  expect(minNow(draft, { payUsdWad: wad('1'), buyUsdWad: wad('100000') })).toBe(99_000n);
  expect(minNow(draft, undefined)).toBeUndefined();
  // Pay base units for 1e18 base units of a token with 8 decimals.
  expect(pricesOf(draft)).toEqual({ limitPriceWad: wad('120000') * 10n ** 10n, triggerPriceWad: 0n });
});

test('an approval that holds what other plans need is told with its whole amount, which the wallet shows', () => {
  const at = { endsAt: 1_700_000_000n, windowSeconds: 43_200n, source: 'oracle' } as const;
  const said = (approved: string, done?: number) =>
    summaryOf(draft, { ...at, done, approved: wad(approved) }, undefined)[1];
  expect(said('1000')).toBe('Up to 1,000 USDT in total: you approve exactly that.');
  expect(said('1300')).toBe(
    'Up to 1,000 USDT in total. Your approval is then 1,300 USDT: exactly that, and 300 USDT for your other plans.',
  );
  expect(said('600', 4)).toBe('Up to 600 USDT in total: you approve exactly that.');
  expect(said('900', 4)).toContain('Your approval is then 900 USDT: exactly that, and 300 USDT for your other plans.');
});

test('WB-5: an approval for a new plan keeps what others may still take, and nothing of what is over', () => {
  const plan = { tokenIn: '0xAA', status: 'active', amountPerRun: 10n, maxRuns: 5, runs: 2, expiresAt: 100n } as never;
  const dead = {
    tokenIn: '0xaa',
    status: 'cancelled',
    amountPerRun: 10n,
    maxRuns: 5,
    runs: 0,
    expiresAt: 100n,
  } as never;
  expect(keptForOthers([plan, dead], '0xaa', 1_000n, 50n)).toBe(30n);
  expect(keptForOthers([plan], '0xaa', 20n, 50n)).toBe(20n);
  expect(keptForOthers([plan], '0xaa', 1_000n, 100n)).toBe(0n);
  expect(keptForOthers([plan], '0xbb', 1_000n, 50n)).toBe(0n);
});

test('WB-5: the next slot is the one the registry would open', () => {
  const grid = {
    startAt: 100n,
    periodSeconds: 60n,
    windowSeconds: 30n,
    cursor: 0n,
    expiresAt: 1_000n,
    runs: 0,
    maxRuns: 3,
  };
  expect(nextSlot(grid, 50n)).toBe(100n);
  expect(nextSlot(grid, 129n)).toBe(100n);
  expect(nextSlot(grid, 130n)).toBe(160n);
  expect(nextSlot({ ...grid, cursor: 160n }, 110n)).toBe(160n);
  expect(nextSlot({ ...grid, runs: 3 }, 110n)).toBeUndefined();
  expect(nextSlot(grid, 999n)).toBeUndefined();
  // The last slot is open beyond the plan's end.
  expect(nextSlot({ ...grid, expiresAt: 950n }, 949n)).toBe(940n);
  expect(nextSlot({ ...grid, expiresAt: 950n }, 950n)).toBeUndefined();
  expect(every(3_600n)).toBe('every hour');
  expect(every(600n)).toBe('every 10 minutes');
});

test('health is cut, marked at its place, and a rescue is sized as the contract sizes it', () => {
  expect(health(wad('1.0999999'))).toBe('1.09');
  expect(barPlace(wad('1'), wad('0.9'), wad('1.9'))).toBe(100);
  expect(barPlace(wad('0.5'), wad('0.9'), wad('1.9'))).toBe(0);
  expect(barPlace(wad('9'), wad('0.9'), wad('1.9'))).toBe(1_000);
  // 110 of collateral for 100 of debt, target 1.25: 88 may remain.
  const loan = { debtUsdWad: wad('100'), weightedUsdWad: wad('110'), priceWad: wad('1'), targetHealthWad: wad('1.25') };
  expect(repaymentUp(loan)).toBe(wad('12'));
  expect(repaymentUp({ ...loan, priceWad: wad('0.7') })).toBe(17_142_857_142_857_142_858n);
  expect(repaymentAtTriggerUp({ ...loan, triggerHealthWad: wad('1.1') })).toBe(wad('12'));
  expect(repaymentUp({ ...loan, weightedUsdWad: wad('200') })).toBe(0n);
});

test('WB-7: refusals are told in words, whoever said them; a user’s own is told apart', () => {
  const data = encodeErrorResult({ abi: planRegistryAbi, errorName: 'RunsChanged', args: [1n, 2n] });
  expect(failureOf(new RawContractError({ data }))).toEqual({
    kind: 'refused',
    words: 'The plan has run since this page read it: check its trades, then resume it. Nothing was sent.',
  });
  const target = encodeErrorResult({ abi: loanGuardAbi, errorName: 'TargetRefused', args: [1n, 2n, 3n] });
  expect(failureOf(new RawContractError({ data: { data: target } as never })).words).toContain('2 % above the trigger');
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['text of a third party'] });
  expect(failureOf(new RawContractError({ data: text }))).toEqual({
    kind: 'refused',
    words: 'The contract refuses this right now. Nothing was sent.',
  });
  // A transaction in a block has been sent, so the words must not deny it.
  const undone = revertedFailure(failureOf(new RawContractError({ data })));
  expect(undone.kind).toBe('reverted');
  expect(undone.words).toMatch(/only its fee was paid\. The plan has run since this page read it: .*\.$/);
  expect(undone.words).not.toContain('Nothing was sent');
  expect(words.signing.ended.refused).toBe('The contract would refuse this');
  expect(walletRefusal(new UserRejectedRequestError(new Error('no')))?.kind).toBe('rejected');
  expect(walletRefusal({ code: 4001 })?.kind).toBe('rejected');
  // viem treats a node's internal error as a revert.
  const error = { code: -32_603, message: 'database is locked' };
  const internal = new RpcRequestError({ body: {}, error, url: 'http://127.0.0.1:1' });
  const inCall = { abi: planRegistryAbi, args: [], functionName: 'resumePlan' };
  expect(failureOf(getContractError(internal, inCall)).kind).toBe('failed');
  const unknown = failureOf(new Error('<b>text of a third party</b>'));
  expect(unknown.kind).toBe('failed');
  expect(unknown.words).not.toContain('third party');
});

test('WB-7: a revoked plan and guard are told in words', () => {
  const told = (data: Hex) => failureOf(new RawContractError({ data })).words;
  const plan = told(encodeErrorResult({ abi: planRegistryAbi, errorName: 'PlanRevoked', args: [1n] }));
  expect(plan).toContain('owner has revoked this plan');
  const guard = told(encodeErrorResult({ abi: loanGuardAbi, errorName: 'GuardRevoked', args: [1n] }));
  expect(guard).toContain('has revoked this guard');
});

test('WB-7: an error of a contract without words of its own is named', () => {
  const data = encodeErrorResult({ abi: planRegistryAbi, errorName: 'RunOpen', args: [1n] });
  expect(failureOf(new RawContractError({ data })).words).toBe('The contract refuses: run open. Nothing was sent.');
});

test('what the simulator shows names who said it, and when', () => {
  // A time of today; an older one would show its date.
  const readAt = { wall: new Date().setHours(12, 34, 56), steady: 0 };
  const said = answeredBy({ data: { readAt }, isError: false }, 'Venus', 1);
  expect(said).toMatch(/^Answered at \d\d:34:56 \S+ by Venus and the guard contract, simulated at these prices\.$/);
  // After a later request failed, only the page's formula is left.
  expect(answeredBy({ data: { readAt }, isError: true }, 'Venus', 1)).toMatch(/^Computed by the page.* unknown\.$/);
  expect(answeredBy({ data: undefined, isError: false }, 'Venus', 0)).toContain('asking Venus');
});

test('RW-1: a request without an answer is told in the words of its code, and when to try again', () => {
  const busy = new ApiError('rate_limited', 'text of a third party', 429, 7);
  expect(refusalOf(busy)).toBe('Too many requests within a minute. Try again in 7 seconds.');
  expect(refusalOf(new ApiError('starting', '', 503, 1))).toBe('The agent is starting. Try again in 1 second.');
  const slow = 'The request timed out. Try again, or ask something simpler.';
  expect(refusalOf(new ApiError('timeout', '', 504))).toBe(slow);
  const silent = 'The page server is not responding. Try again in a moment.';
  expect(refusalOf(new Error('text of a third party'))).toBe(silent);
  expect(refusalOf(new ApiError('server_unavailable', ''))).toBe(silent);
  expect(refusalOf(new ApiError('payment_required', '', 402))).toBe(
    'This agent charges for its answers, and this page cannot pay.',
  );
  expect(refusalOf(new ApiError('unheard_of', '', 500))).toBe('No answer: unheard of.');
});

test('the guard form says which trigger the loan’s usual gap needs', () => {
  const [btcb, usdt, bnb, dot] = [asset('BTCB', 18), asset('USDT_', 18), asset('WBNB12', 18), asset('DOT', 18)];
  const assets = [btcb, { ...usdt, symbol: 'USDT' }, { ...bnb, symbol: 'WBNB' }, dot];
  const market = ({ address: token }: typeof btcb, supplied: bigint, debt: bigint): LoanMarket => ({
    ...{ market: token, token, symbol: 'any', decimals: 18, walletBalance: 0n, allowance: 0n },
    ...{ supplied, debt },
  });
  const hint = (...markets: readonly LoanMarket[]) => triggerHint({ markets }, { assets } as unknown as Settings);
  expect(hint(market(btcb, 1n, 0n), market(usdt, 0n, 1n))).toContain(
    'Under 1.07 a rescue may come too late: in one hour of 1,000',
  );
  // The collateral with the widest fall counts; then a debt that rises.
  expect(hint(market(btcb, 1n, 0n), market(bnb, 1n, 0n), market(usdt, 0n, 1n))).toContain('Under 1.10 ');
  expect(hint(market(usdt, 1n, 0n), market(bnb, 0n, 1n))).toContain('Under 1.08 ');
  for (const unknown of [hint(market(dot, 1n, 0n), market(usdt, 0n, 1n)), hint(market(btcb, 1n, 0n))]) {
    expect(unknown).toBe('Under 1.05 a rescue may come too late.');
  }
});

test('where a rise endangers a loan, its guard is said to be funded up to a price', () => {
  const ether = { decimals: 18 } as LoanMarket;
  const funded = { priceWad: 0n, upToWad: 2_222_222222222222222222n };
  expect(fundedWords(funded, ether)).toBe('any lower price, up to $2,222.22');
});
