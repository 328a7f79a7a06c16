import { PLANS_PAGE } from '@bowline/chain/plan';
import { coverageOf } from '@bowline/core/domain/guard-cover';
import { lacksOf } from '@bowline/core/domain/guard-lacks';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { shortAddress } from '@bowline/core/domain/readable';
import { dueBy } from '@bowline/core/domain/rescue-size';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  getContractError,
  type Hex,
  HttpRequestError,
  InvalidAddressError,
  multicall3Abi,
  pad,
  parseEther,
  RpcRequestError,
  size,
  zeroAddress,
} from 'viem';
import { expect, test } from 'vitest';
import { WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { loanGuardAbi, planRegistryAbi, revocationsAbi } from '../../abis/index.ts';
import { earlier, elapsed, type Moment, thisMoment } from '../app/api/age.ts';
import {
  dated,
  endOfVerdict,
  isAnswerOld,
  isReadingOld,
  isVerdictOld,
  OLD_AFTER_MS,
  timed,
} from '../app/api/freshness.ts';
import { ApiError } from '../app/api/request.ts';
import type { Lending, Settings } from '../app/api/settings.ts';
import { goodFor } from '../app/ask/ticket-words.ts';
import { approveStep } from '../app/chain/approve.ts';
import type { Coverage } from '../app/chain/coverage/coverage.ts';
import { coverageWords } from '../app/chain/coverage/coverage-words.ts';
import { forgetReset } from '../app/chain/forget-reset.tsx';
import { createLine } from '../app/chain/line.ts';
import { type Guard, type OwnedGuards, readGuards } from '../app/chain/read-guards.ts';
import { type Loan, type LoanMarket, readLoan } from '../app/chain/read-loan.ts';
import { readPlans } from '../app/chain/read-plans.ts';
import { readTokens } from '../app/chain/read-tokens.ts';
import { useSteps } from '../app/chain/use-steps.ts';
import { GuardById } from '../app/guard/guard-by-id.tsx';
import { GuardCard } from '../app/guard/guard-card.tsx';
import { blankGuard, endOf, formOf, type GuardDraft, readGuardForm, watches } from '../app/guard/guard-form.ts';
import { LoanCard } from '../app/guard/loan-card.tsx';
import { SetGuard } from '../app/guard/set-guard.tsx';
import { guardSummary } from '../app/guard/summary.ts';
import { LatelyForAnybody } from '../app/home/lately-for-anybody.tsx';
import { ListGaps } from '../app/parts/list-gaps.tsx';
import { Signing } from '../app/parts/signing.tsx';
import { mustWait } from '../app/plans/funds.ts';
import { readHistory } from '../app/plans/readings.ts';
import { shownStatus } from '../app/plans/shown-status.ts';
import { SettingsProvider } from '../app/settings.tsx';
import { approvalsQuery } from '../app/stop/read-approvals.ts';
import { isRevokedBy } from '../app/stop/revoked.ts';
import { failureBy } from '../app/transactions/failures.ts';
import { createTransactions, type TransactionStore } from '../app/transactions/store.ts';
import { TransactionsContext, TransactionsProvider } from '../app/transactions/use-transactions.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { type Failure, walletRefusal } from '../app/words/contract-errors.ts';
import { healthTone } from '../app/words/health.ts';
import { whyUnread } from '../app/words/refusals.ts';
import { timeOfDay, when } from '../app/words/times.ts';
import type { VerdictWord } from '../wire.ts';

// What the page accepts as true at its boundaries, without a browser.

declare global {
  /** The DOM types that the page's fields read: this program does not include the DOM's types. */
  interface HTMLInputElement {
    value: string;
  }
  interface HTMLHeadingElement {
    focus(): void;
  }
}

const token = '0x55d398326f99059fF775485246999027B3197955';
const market = '0xfD5840Cd36d94D7229439859C0112a4185BC0255';
const someone = '0x00000000000000000000000000000000000a11ce';

const noAnswer = () => new HttpRequestError({ url: 'http://127.0.0.1:1' });
/** The part of LoanGuard's terms that is read here. */
const guardTerms = {
  ...{ borrower: token, funder: token, keeper: zeroAddress, priceSource: zeroAddress },
  ...{ cooldownSeconds: 0, expiresAt: 0 },
};

/** EIP-170, which applies to the code that a deployless call returns. */
const LARGEST_CODE = 24_576;

/** Size in bytes of a page of such answers: each answer has a fixed size, whatever its content. */
const pageOf = (returnData: Hex, count = PLANS_PAGE): number =>
  size(
    encodeFunctionResult({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      result: Array.from({ length: count }, () => ({ success: true, returnData })),
    }),
  );

const words = (count: number): Hex => `0x${'ff'.repeat(32 * count)}`;

/** Number of ABI words in a function's answer, which must have no parts of variable length. */
function wordsOf(abi: readonly unknown[], name: string): number {
  const count = (parameter: { type: string; components?: readonly { type: string }[] }): number => {
    expect(parameter.type).not.toMatch(/\]|string|bytes$/);
    return parameter.components ? parameter.components.reduce((sum, each) => sum + count(each), 0) : 1;
  };
  const found = abi.find((each) => (each as { name?: string }).name === name) as { outputs: { type: string }[] };
  return found.outputs.reduce((sum, each) => sum + count(each), 0);
}

test('WB-13: the largest page of plans, guards or amounts fits into one deployless answer', () => {
  for (const count of [wordsOf(planRegistryAbi, 'plan'), wordsOf(loanGuardAbi, 'guard'), 1]) {
    expect(pageOf(words(count)), `${count} words`).toBeLessThanOrEqual(LARGEST_CODE);
  }
  // Two pages merged into one would exceed it: the limit is real.
  expect(pageOf(words(wordsOf(planRegistryAbi, 'plan')), 2 * PLANS_PAGE)).toBeGreaterThan(LARGEST_CODE);
});

test('WB-13: each balance is its own token’s, and where one cannot be read none is told', async () => {
  const assets = [
    { symbol: 'USDT', address: token },
    { symbol: 'BTCB', address: market },
  ] as never;
  const held: Record<string, bigint> = { [token]: 7n, [market]: 3n };
  const client = {
    async multicall({ contracts }: { contracts: readonly { address: string }[] }) {
      return contracts.map(({ address }) => held[address]);
    },
  } as never;
  expect(await readTokens(client, assets, someone)).toEqual({ USDT: 7n, BTCB: 3n });
  const silent = { multicall: () => Promise.reject(noAnswer()) } as never;
  await expect(readTokens(silent, assets, someone)).rejects.toThrow('HTTP request failed');
});

test('WB-13: a failure is told as what it is', () => {
  const url = 'http://127.0.0.1:1';
  const refused = new RpcRequestError({ body: {}, error: { code: -32_000, message: 'CreateContractSizeLimit' }, url });
  expect(whyUnread(refused)).toBe('The chain’s node returned an error.');
  expect(whyUnread(new HttpRequestError({ url }))).toBe('The chain’s node did not respond.');
  expect(whyUnread(new HttpRequestError({ url, status: 503 }))).toBe('The chain’s node returned an error.');
  expect(whyUnread(new ApiError('server_unavailable', ''))).toBe('The page’s server did not respond.');
  expect(whyUnread(new ApiError('internal', ''))).toBe('The page’s server returned an error (internal).');
  expect(whyUnread(new Error('x'))).toBe('The cause is unknown.');
  // The page's own fault, even inside viem's error, says nothing about the node.
  expect(whyUnread(new InvalidAddressError({ address: '0x12' }))).toBe('The cause is unknown.');
  const inReading = { abi: [], args: [], functionName: 'plan' };
  expect(whyUnread(getContractError(new TypeError('x') as never, inReading))).toBe('The cause is unknown.');
  // viem treats a node's internal error as a revert.
  const internal = new RpcRequestError({ body: {}, error: { code: -32_603, message: 'database is locked' }, url });
  expect(whyUnread(getContractError(internal, inReading))).toBe('The chain’s node returned an error.');
});

test('WB-13: an unread part of a list and an unsearched one are told each with its own cause', () => {
  const refused = new HttpRequestError({ url: 'http://127.0.0.1:1', status: 503 });
  const silent = new HttpRequestError({ url: 'http://127.0.0.1:1' });
  const [answered, unanswered] = [whyUnread(refused), whyUnread(silent)];
  const gaps = { unread: [1n], upTo: 4n, count: 5n };
  const told = (cause: unknown, searchCause: unknown) => {
    const props = { owned: { ...gaps, cause, searchCause }, noun: 'guard', retry() {} } as const;
    return renderToStaticMarkup(createElement(ListGaps, props)).replace(/<[^>]+>/g, ' ');
  };
  const both = told(refused, silent);
  expect(both).toMatch(
    new RegExp(`1 of your guards could not be read\\s+${answered}.*could not be searched\\s+${unanswered}`),
  );
  // The search is only paused: it has not failed.
  const paused = told(refused, undefined);
  expect(paused).toContain(answered);
  expect(paused).toContain('1 of 5 guards not searched yet');
  expect(paused).not.toContain('could not be searched');
});

test.each(['guards', 'plans'] as const)(
  'WB-13: the reading of own %s, and the search for them, fail each for itself',
  async (which) => {
    const [unanswered, stopped] = [noAnswer(), noAnswer()];
    const client = (isSearched: boolean) =>
      ({
        readContract: async ({ functionName, args }: { functionName: string; args: readonly bigint[] }) => {
          if (functionName.endsWith('Count')) return 100n;
          if (isSearched) return [[], args[3]];
          throw stopped;
        },
        multicall: async ({ contracts }: { contracts: { functionName: string; args: [bigint] }[] }) => {
          if (contracts[0]?.args[0] === 1n) throw unanswered;
          const terms = {
            ...{ ...guardTerms, owner: token },
            ...{ startAt: 0, periodSeconds: 0, windowSeconds: 0 },
          };
          return contracts.map(() => ({ terms, state: { ...cancelledState, cursor: 0 } }));
        },
      }) as never;
    const read = (isSearched: boolean, unread: readonly bigint[]) => {
      const known = { ...ownedGuards, plans: [], allowances: {}, balances: {}, unread, upTo: 50n, count: 50n };
      if (which === 'plans') return readPlans(client(isSearched), market, someone, known);
      return readGuards(client(isSearched), { loanGuard: market, lending: [] }, someone, known);
    };
    const many = Array.from({ length: 50 }, (_, index) => BigInt(index + 1));
    expect(await read(true, many)).toMatchObject({ cause: unanswered, searchCause: undefined });
    expect(await read(false, many)).toMatchObject({ cause: unanswered, searchCause: stopped });
    expect(await read(false, [2n])).toMatchObject({ cause: undefined, searchCause: stopped });
  },
);

const WAD = parseEther('1');
const now = 1_800_000_000n;
const protocol: Lending = {
  name: 'Venus',
  scope: 'Venus’s core pool',
  url: 'https://app.venus.io/',
  adapter: someone,
  core: market,
};
/** Health 1.2, debt of 1,000 tokens at 1 USD: at a trigger of 1.1 and a target of 1.25, a rescue needs 120. */
const loan: Loan = {
  protocol,
  borrower: someone,
  parts: undefined,
  markets: [
    { market, token, symbol: 'USDT', decimals: 18, debt: 1_000n * WAD, supplied: 0n, walletBalance: 0n, allowance: 0n },
  ],
  debtUsdWad: 1_000n * WAD,
  weightedUsdWad: 1_200n * WAD,
  healthWad: (12n * WAD) / 10n,
  chainlinkHealthWad: (12n * WAD) / 10n,
  forcedMarkets: [],
  prices: { [market.toLowerCase()]: WAD },
};
const needed = 120n * WAD;
const means = { allowance: needed, balance: needed, marketToken: token, isRepayPaused: false } as const;
const guard: Guard = {
  id: 1n,
  borrower: someone,
  funder: someone,
  adapter: someone,
  market,
  repayToken: token,
  triggerHealthWad: (11n * WAD) / 10n,
  targetHealthWad: (125n * WAD) / 100n,
  capPerRescue: needed,
  capPerDay: needed,
  minRepay: 10n * WAD,
  cooldownSeconds: 600n,
  expiresAt: now + 1n,
  status: 'active',
  rescues: 0,
  lastRescueAt: 0n,
  day: 0n,
  takenInDay: 0n,
  means,
};
const full = {
  ...{ state: 'full', amount: needed, needed, nextFrom: undefined, sourceFrom: undefined },
  ...{ onlyBy: undefined, isForced: false },
};
const part = (amount: bigint) => ({ ...full, state: 'part', amount });
const unable = (why: string) => ({ state: 'unable', why });
const today = now / 86_400n;
const least = guard.minRepay;

test('WB-15: a guard that can bring its loan to the target is the only green one', () => {
  expect(coverageOf(guard, loan, now)).toEqual(full);
  const tone = (coverage: Coverage) => coverageWords(coverage, 'Venus', { amount: String, cost: String }, String).tone;
  expect(tone(coverageOf(guard, loan, now))).toBe('good');
  for (const why of ['unknown', 'revoked', 'expired', 'no_allowance', 'balance_too_low', 'below_minimum'] as const) {
    expect(tone({ state: 'unable', why }), why).not.toBe('good');
  }
  expect(tone(coverageOf({ ...guard, capPerRescue: needed - 1n }, loan, now))).toBe('caution');
});

test('a protocol is called by its name in the registry, wherever the page speaks of a loan', () => {
  const acme = { ...protocol, name: 'Acme', scope: 'Acme' };
  const of = { ...loan, protocol: acme, healthWad: WAD };
  const { draft } = readGuardForm(
    { ...blankGuard, capPerRescue: '500', capPerDay: '500', total: '500', watch: 'chainlink' },
    loan.markets[0] as LoanMarket,
    WAD,
  );
  const said = [
    cardOf({ ...of, forcedMarkets: undefined }, guard),
    cardOf({ ...of, forcedMarkets: [market] }, guard),
    coverageWords({ state: 'unable', why: 'repay_paused' }, 'Acme', { amount: String, cost: String }, String).badge,
    coverageWords({ state: 'unable', why: 'repay_paused' }, 'Acme', { amount: String, cost: String }, String).more,
    coverageWords(
      coverageOf(guard, { ...of, forcedMarkets: undefined }, now),
      'Acme',
      { amount: String, cost: String },
      String,
    ).more,
    watches('Acme')[0]?.name,
    guardSummary(draft as GuardDraft, { ...loan, protocol: acme }, now).join(' '),
  ];
  for (const text of said) {
    expect(text).toContain('Acme');
    expect(text).not.toContain('Venus');
  }
});

/** The text of the loan's card. */
function cardOf(changes: Partial<Loan>, covered: Guard | undefined): string {
  const shown = { ...loan, ...changes };
  const guards = covered === undefined ? [] : [{ guard: covered, coverage: coverageOf(covered, shown, now) }];
  return drawn(createElement(LoanCard, { loan: shown, guards, asOf: undefined }));
}

test('LG-25: a loan that can be liquidated at any health is never shown as guarded', () => {
  const at = pad(market);
  const forced: Partial<Loan> = {
    markets: [{ ...(loan.markets[0] as LoanMarket), market: at }],
    prices: { [at.toLowerCase()]: WAD },
    forcedMarkets: [at],
  };
  const able = { ...guard, market: at };
  const coverage = coverageOf(able, { ...loan, ...forced }, now);
  expect(coverage).toEqual({ ...full, isForced: true });
  const { badge, tone, more } = coverageWords(coverage, 'Venus', { amount: String, cost: String }, String);
  expect([badge, tone]).toEqual(['forced liquidation', 'bad']);
  expect(more).toContain('the loan can be liquidated above it');

  const sentence = 'Venus lets anyone liquidate the USDT debt at any health. Only repaying it protects the collateral.';
  const unpaid = { ...able, means: { ...means, allowance: 0n } };
  for (const covered of [undefined, able, unpaid]) {
    const card = cardOf(forced, covered);
    expect(card.split(sentence)).toHaveLength(2);
    expect(card).not.toMatch(/(?<!not) guarded /);
    expect(card).not.toContain('Below 1.00');
  }
  expect(cardOf(forced, unpaid)).toContain('cannot pay: no approval');
  expect(cardOf({}, guard)).toMatch(/Below 1.00 .* guarded /);
});

test('LG-25: a loan of which forced liquidation could not be read keeps its health, and is not called guarded', () => {
  const coverage = coverageOf(guard, { ...loan, forcedMarkets: undefined }, now);
  expect(coverage).toEqual({ ...full, isForced: undefined });
  expect(coverageWords(coverage, 'Venus', { amount: String, cost: String }, String)).toMatchObject({
    badge: 'unknown',
    tone: 'caution',
  });
  const card = cardOf({ forcedMarkets: undefined }, guard);
  expect(card).toContain('Could not read whether Venus forces liquidation');
  expect(card).toContain('1.20');
  expect(card).not.toMatch(/(?<!not) guarded /);
});

const health = (text: string) => parseEther(text);

test.each([
  ['below the trigger by its protocol', '1.09', '1.2', true, 'protocol'],
  ['below it by Chainlink', '1.2', '1.09', true, 'chainlink'],
  ['below it by Chainlink, which this guard does not watch', '1.2', '1.09', false, undefined],
  ['at the trigger by both', '1.1', '1.1', true, undefined],
  ['at the target by its protocol', '1.25', '1.09', true, undefined],
  ['not read by Chainlink', '1.2', undefined, true, undefined],
] as const)('LG-26: a loan %s', (_, own, bySource, isByChainlink, whose) => {
  const { triggerHealthWad, targetHealthWad } = guard;
  const chainlinkHealthWad = bySource === undefined ? undefined : health(bySource);
  const healths = { healthWad: health(own), chainlinkHealthWad };
  expect(dueBy(healths, { triggerHealthWad, targetHealthWad, isByChainlink })).toBe(whose);
  // What a rescue needs now: 1,000 − W / 1.25; at the trigger it would be 120.
  const weightedUsdWad = 1_000n * health(own);
  const loanNow = { ...loan, ...healths, weightedUsdWad: weightedUsdWad / WAD };
  const found = coverageOf(guard, loanNow, now, isByChainlink);
  const needs = whose === undefined ? needed : 1_000n * WAD - (weightedUsdWad * 4n) / 5n / WAD;
  expect(found).toMatchObject({ needed: needs });
});

test('LG-26: who lets Chainlink’s prices trigger reads before signing what they say now', () => {
  const [of] = loan.markets as [LoanMarket];
  const drafted = readGuardForm(
    { ...blankGuard, capPerRescue: '500', capPerDay: '500', total: '500', watch: 'chainlink' },
    { ...of, walletBalance: 500n * WAD },
    WAD,
  ).draft as GuardDraft;
  expect(drafted.watchesChainlink).toBe(true);
  const said = (changes: Partial<Loan>, watchesChainlink = true) =>
    guardSummary({ ...drafted, watchesChainlink }, { ...loan, ...changes }, now).join(' ');
  expect(said({})).toContain('Below a health factor of 1.10, a rescue repays your own USDT debt');
  expect(said({})).toContain(
    'A rescue also happens if Chainlink’s prices put the loan’s health below the trigger while Venus’s put it only below the target. The amount is still computed at Venus’s prices; no rescue repays less than 10 USDT.',
  );
  expect(said({})).toContain('At Chainlink’s prices, your health is 1.20 now.');
  const low = { chainlinkHealthWad: health('1.05') };
  expect(said(low)).toContain(
    'At Chainlink’s prices, your loan’s health is 1.05, already below the trigger: a rescue can happen immediately and repay about 40 USDT.',
  );
  expect(said(low, false)).not.toContain('Chainlink');
  // LG-3: the protocol's prices do not wait for the cooldown of a rescue that Chainlink's triggered.
  const cooldown = 'with 1 hour between rescues';
  expect(said({})).toContain(
    `${cooldown}; a rescue by Venus’s prices may immediately follow one by Chainlink’s prices.`,
  );
  expect(said({}, false)).toContain(`${cooldown}.`);
  expect(said({ chainlinkHealthWad: undefined })).toContain(
    'Your health at Chainlink’s prices could not be read. If it is below the trigger, a rescue can happen immediately.',
  );
  expect(said({ ...low, healthWad: health('1.05') })).toContain('Your loan’s health is already below the trigger');
});

/** The text of an element with the context of the page's sections: settings, wallet configuration, the chain's time. */
const drawn = (...given: Parameters<typeof htmlOf>): string => htmlOf(...given).replace(/<[^>]+>/g, ' ');

function htmlOf(element: ReactElement, ...known: (readonly [readonly string[], unknown])[]): string {
  const settings = {
    ...{ chainId: 31_337, chainName: 'a chain', rpcUrl: 'http://127.0.0.1:1', explorerUrl: null },
    ...{ contracts: { loanGuard: market, priceSource: token }, lending: [protocol], assets: [] },
  } as unknown as Settings;
  const queryClient = new QueryClient();
  queryClient.setQueryData(['chain', 'time'], { timestamp: now, at: thisMoment() });
  for (const [key, data] of known) queryClient.setQueryData(key, data);
  const within = createElement(
    SettingsProvider,
    { value: settings },
    createElement(TransactionsProvider, null, element),
  );
  const inQueries = createElement(QueryClientProvider, { client: queryClient }, within);
  const config = walletConfig(settings, createLine());
  const inFrame = createElement(Router, { ssrPath: '/', ssrSearch: '' } as never, inQueries);
  return renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inFrame));
}

const ownedGuards: OwnedGuards = {
  ...{ guards: [], funded: [], count: 5n, upTo: 5n, unread: [] },
  ...{ cause: undefined, searchCause: undefined },
};

test('WB-13: an approval waits until all guards that share it are known as they are now, and names what it replaces', () => {
  const [of] = loan.markets as [LoanMarket];
  const form = (owned: Partial<OwnedGuards>, isStale = false, allowance = 0n) => {
    const markets = [{ ...of, allowance }];
    const known = { ...ownedGuards, ...owned };
    return drawn(createElement(SetGuard, { borrower: someone, loan, markets, owned: known, isStale, close() {} }));
  };
  const waits = 'A new approval could leave a guard short, so it must wait.';
  const replaces = 'This approval replaces your current approval of';
  expect(form({})).not.toContain(waits);
  expect(form({})).not.toContain(replaces);
  expect(form({}, true)).toContain(waits);
  expect(form({ unread: [1n] })).toContain(waits);
  expect(form({ upTo: 4n })).toContain(waits);

  const other: Guard = { ...guard, borrower: token };
  const shared = form({ guards: [guard] }, false, 7n * WAD);
  expect(shared).toContain('You already have a guard that repays USDT');
  expect(shared.replace(/\s+/g, ' ')).toContain(`${replaces} 7 USDT`);
  expect(form({ funded: [other] })).toContain('You already pay USDT for another account’s guard');
  expect(
    form({ guards: [{ ...guard, status: 'cancelled' }], funded: [{ ...other, repayToken: market }] }),
  ).not.toContain(replaces);
  expect(form({}, false, 7n * WAD)).toContain('You have already approved USDT to guards');
  // The form suggests approving twice half of the debt.
  expect(form({}, false, 1_002n * WAD)).not.toContain(replaces);
});

test('LG-3: form and card of a guard that watches Chainlink say what its cooldown does not hold back', () => {
  const card = (changes: Partial<Guard>) =>
    drawn(createElement(GuardCard, { guard: { ...guard, ...changes }, loan, coverage: coverageOf(guard, loan, now) }));
  const exception = 'a rescue by Venus’s prices may immediately follow one by Chainlink’s prices';
  expect(card({ priceSource: token })).toContain(`10 minutes; ${exception}`);
  expect(card({})).not.toContain('may immediately follow');
  // The form is unfolded, as for any edit of a guard.
  const form = drawn(
    createElement(SetGuard, {
      ...{ borrower: someone, loan, markets: loan.markets, owned: ownedGuards, isStale: false, replaces: guard },
      close() {},
    }),
  );
  expect(form).toContain('Its cooldown does not delay the next rescue by Venus’s prices.');
  expect(form).toContain('Cooldown after a rescue');
});

test('LG-22: a rescue leaves none or what the market accepts, as the contract does', () => {
  const debt = loan.markets[0]?.debt ?? 0n;
  const at = (minDebt: bigint): Loan => ({ ...loan, minDebts: { [guard.market.toLowerCase()]: minDebt } });
  const rich = { capPerRescue: debt, capPerDay: debt, means: { ...means, allowance: debt, balance: debt } };
  const left = debt - needed;
  expect(coverageOf({ ...guard, ...rich }, at(left), now)).toMatchObject({ state: 'full', amount: needed });
  // One unit more, and the market would refuse the remainder: repay all, leave the market's minimum, or repay nothing.
  expect(coverageOf({ ...guard, ...rich }, at(left + 1n), now)).toMatchObject({ state: 'full', amount: debt });
  expect(coverageOf(guard, at(left + 1n), now)).toMatchObject({ state: 'part', amount: needed - 1n });
  expect(coverageOf(guard, at(debt - least), now)).toMatchObject({ amount: least });
  expect(coverageOf(guard, at(debt - least + 1n), now)).toEqual(unable('remainder_refused'));
  expect(coverageOf(guard, at(debt + 1n), now)).toEqual(unable('remainder_refused'));
  // The wallet's shortfall is measured against what that rescue takes.
  const all = { ...guard, ...rich, means: { ...means, allowance: debt, balance: debt - 1n } };
  expect(lacksOf(all, at(left + 1n), now, false)).toContainEqual({ what: 'balance', has: debt - 1n, needed: debt });
});

/** By its protocol, nearly at the target, which needs 4; by Chainlink, below the trigger. */
const nearTarget: Loan = {
  ...{ ...loan, weightedUsdWad: 1_245n * WAD },
  ...{ healthWad: health('1.245'), chainlinkHealthWad: health('1.09') },
};

test('LG-5: a rescue by Chainlink’s prices that the contract would refuse as too small is judged at the trigger', () => {
  expect(coverageOf(guard, nearTarget, now, true)).toEqual(full);
  expect(coverageOf({ ...guard, minRepay: 4n * WAD }, nearTarget, now, true)).toMatchObject({ needed: 4n * WAD });
  // At the trigger too, the repayment can be below the minimum.
  const most = { capPerRescue: 2n * needed, capPerDay: 2n * needed };
  const held = { ...means, allowance: 2n * needed, balance: 2n * needed };
  const high = { ...guard, ...most, means: held, minRepay: needed + 1n };
  expect(coverageOf(high, nearTarget, now, true)).toEqual(unable('below_minimum'));
});

test('a target is at least 2 % above the trigger, rounded up as in the contract', () => {
  const errors = (target: string) => {
    const form = {
      ...blankGuard,
      trigger: '1.040000000000000002',
      target,
      capPerRescue: '5',
      capPerDay: '5',
      total: '5',
    };
    return readGuardForm(form, loan.markets[0] as LoanMarket, WAD).errors.target;
  };
  expect(errors('1.060800000000000002')).toBeDefined();
  expect(errors('1.060800000000000003')).toBeUndefined();
});

test('LG-27: the summary promises a rescue at once only if the contract would let it pass', () => {
  const drafted = (changes: object = {}, walletBalance = 500n * WAD) => {
    const form = { ...blankGuard, capPerRescue: '500', capPerDay: '500', total: '500', watch: 'chainlink', ...changes };
    return readGuardForm(form, { ...(loan.markets[0] as LoanMarket), walletBalance }, WAD).draft as GuardDraft;
  };
  const said = (of: Loan, draft = drafted()) => guardSummary(draft, of, now).join(' ');
  const small = 'at Venus’s prices, the target needs only 4 USDT, less than the guard’s smallest repayment.';
  expect(said(nearTarget)).not.toContain('immediately and');
  expect(said(nearTarget)).toContain('about 120 USDT just below it. That brings its health to 1.25.');
  expect(said(nearTarget)).toContain(`your health is 1.09 now, but they trigger no rescue yet: ${small}`);
  expect(said({ ...nearTarget, chainlinkHealthWad: undefined })).toContain(`They trigger no rescue now: ${small}`);

  const above = { ...nearTarget, weightedUsdWad: 1_250n * WAD, healthWad: health('1.25') };
  const at = 'at Venus’s prices, your health is not below the target.';
  expect(said(above)).toContain(`your health is 1.09 now, but they trigger no rescue yet: ${at}`);
  expect(said({ ...above, chainlinkHealthWad: undefined })).toContain(`They trigger no rescue now: ${at}`);
  expect(said({ ...above, chainlinkHealthWad: undefined })).not.toContain('can happen immediately');

  // The protocol's own prices trigger a rescue, but the funds are less than the smallest repayment.
  const low = { ...loan, weightedUsdWad: 1_050n * WAD, healthWad: health('1.05') };
  for (const draft of [drafted({}, 9n * WAD), drafted({ total: '9' })]) {
    expect(said(low, draft)).not.toContain('immediately and');
    expect(said(low, draft)).toContain('it could repay only 9 USDT, less than its smallest repayment of 10 USDT');
    expect(said(loan, draft)).toContain('a rescue repays your own USDT debt. Right now it could repay only 9 USDT');
    expect(said(loan, draft)).not.toContain('brings its health');
  }
});

test.each<[string, Partial<Guard>, object]>([
  ['revoked', { status: 'revoked' }, unable('revoked')],
  ['cancelled', { status: 'cancelled' }, unable('cancelled')],
  ['its last second', { expiresAt: now + 1n }, full],
  ['its expiry', { expiresAt: now }, unable('expired')],
  ['means unread', { means: undefined }, unable('unknown')],
  ['another token', { means: { ...means, marketToken: market } }, unable('token_changed')],
  ['repayments paused', { means: { ...means, isRepayPaused: true } }, unable('repay_paused')],
  ['another adapter', { adapter: token }, unable('unknown')],
  ['another market', { market: token }, unable('no_debt')],
  ['allowance 0', { means: { ...means, allowance: 0n } }, unable('no_allowance')],
  ['allowance below the least', { means: { ...means, allowance: least - 1n } }, unable('allowance_too_low')],
  ['allowance of the least', { means: { ...means, allowance: least } }, part(least)],
  ['allowance a unit short', { means: { ...means, allowance: needed - 1n } }, part(needed - 1n)],
  ['balance 0', { means: { ...means, balance: 0n } }, unable('no_balance')],
  ['balance below the least', { means: { ...means, balance: least - 1n } }, unable('balance_too_low')],
  ['balance of the least', { means: { ...means, balance: least } }, part(least)],
  ['allowance named first', { means: { ...means, allowance: 0n, balance: 0n } }, unable('no_allowance')],
  ['cap a unit short', { capPerRescue: needed - 1n }, part(needed - 1n)],
  ['day used up', { day: today, takenInDay: needed }, unable('day_cap_used_up')],
  ['day left below the least', { day: today, takenInDay: needed - least + 1n }, unable('day_cap_used_up')],
  ['day left of the least', { day: today, takenInDay: needed - least }, part(least)],
  ['more taken than a lowered cap', { day: today, takenInDay: needed + 1n }, unable('day_cap_used_up')],
  ['used up yesterday', { day: today - 1n, takenInDay: needed }, full],
  [
    'least above what is needed',
    {
      minRepay: needed + 1n,
      capPerRescue: 2n * needed,
      capPerDay: 2n * needed,
      means: { ...means, allowance: 2n * needed, balance: 2n * needed },
    },
    unable('below_minimum'),
  ],
  ['cooling down', { rescues: 1, lastRescueAt: now - 599n }, { ...full, nextFrom: now + 1n }],
  ['cooled down', { rescues: 1, lastRescueAt: now - 600n }, full],
  [
    'a cooldown of its source alone',
    { rescues: 1, lastRescueAt: now - 599n, isBySource: true },
    { ...full, sourceFrom: now + 1n },
  ],
  ['another’s tokens', { funder: token }, full],
  ['one keeper', { keeper: someone }, { ...full, onlyBy: someone }],
])('WB-15: coverage with %s', (_, changes, expected) => {
  expect(coverageOf({ ...guard, ...changes }, loan, now)).toEqual(expected);
});

test('WB-15: a guard that rests, or that one account alone may call, is not green', () => {
  const said = (changes: Partial<Guard>) =>
    coverageWords(coverageOf({ ...guard, ...changes }, loan, now), 'Venus', { amount: String, cost: String }, String);
  const resting = { rescues: 1, lastRescueAt: now - 599n };
  const keeper = '0x1234000000000000000000000000000000abcdEF';
  expect(said({})).toEqual({ badge: 'guarded', tone: 'good' });
  const byOne = said({ keeper });
  expect(byOne).toMatchObject({ badge: `only by ${shortAddress(keeper)}`, tone: 'caution' });
  expect(byOne.more).toContain(`Only ${shortAddress(keeper)} can rescue`);
  const badge = `cooling down until ${timeOfDay(Number(now + 1n) * 1_000)}`;
  expect(said(resting)).toEqual({ badge, tone: 'caution', more: `Next rescue possible from ${now + 1n}.` });
  const both = said({ ...resting, keeper });
  expect(both).toMatchObject({ badge, tone: 'caution' });
  expect(both.more).toContain('can rescue');
  expect(said({ keeper, capPerRescue: needed - 1n })).toMatchObject({ badge: 'partly guarded', tone: 'caution' });
});

test('WB-36: a guard whose keeper has not been seen lately is not green', () => {
  const of = (changes: Partial<Guard>, isSeen: boolean) =>
    coverageWords(
      coverageOf({ ...guard, ...changes }, loan, now, false, isSeen ? undefined : () => 'unseen'),
      'Venus',
      { amount: String, cost: String },
      String,
    );
  expect(of({}, true)).toMatchObject({ badge: 'guarded', tone: 'good' });
  const silent = of({}, false);
  expect(silent).toMatchObject({ badge: 'no keeper seen', tone: 'caution' });
  expect(silent.more).toContain('Anyone can rescue, but there may be no one to do it.');
  expect(of({ capPerRescue: needed - 1n }, false).badge).toBe('partly, no keeper seen');
  // A keeper that the terms name may not be the agent's.
  expect(of({ keeper: token }, false).more).not.toContain('Anyone can rescue');
});

test('anybody’s guard is shown with its loan, without a wallet and without a button', () => {
  const readAt = thisMoment();
  const shown = (of: Loan | undefined) => {
    const read = { guard: { ...guard, id: 7n, readAt }, loan: of && { ...of, readAt }, time: now, asked: [] };
    return drawn(createElement(GuardById, { id: 7n }), [['chain', 'guard', '7'], read]).replace(/\s+/g, ' ');
  };
  expect(shown(loan)).toContain(`Loan of ${shortAddress(someone)} in Venus`);
  expect(shown(loan)).toContain('Guard 7');
  expect(shown(loan)).toContain('Health now 1.20');
  for (const act of [/Approve \d/, /Edit/, /Cancel/]) expect(shown(loan)).not.toMatch(act);
  expect(shown(undefined)).toContain('unknown');
  expect(shown(undefined)).not.toContain('$');
});

test('everything that a guard lacks is named, and not only the first', () => {
  const later = { ...guard, expiresAt: now + 30n * 86_400n };
  const lacks = (changes: Partial<Guard>) => lacksOf({ ...later, ...changes }, loan, now, false);
  expect(lacks({})).toEqual([]);
  const poor = { ...means, allowance: 1n, balance: needed - 1n };
  const ending = { means: poor, capPerRescue: needed - 2n, capPerDay: 5n };
  // An expired guard takes nothing, so an approval for it would only replace another guard's.
  expect(lacks({ ...ending, expiresAt: now })).toEqual([{ what: 'expiry' }]);
  expect(lacks({ ...ending, expiresAt: now + 1n })).toEqual([
    { what: 'allowance', has: 1n, needed: needed - 2n },
    { what: 'cap_per_rescue', has: needed - 2n, needed },
    { what: 'left_today', has: 5n, needed: needed - 2n },
    { what: 'expiry' },
  ]);
  expect(lacks({ means: poor })).toMatchObject([{ what: 'allowance' }, { what: 'balance', has: needed - 1n }]);
  expect(lacks({ expiresAt: now + 13n * 86_400n })).toEqual([{ what: 'expiry' }]);
  expect(lacks({ day: now / 86_400n, takenInDay: 1n })).toMatchObject([{ what: 'left_today', has: needed - 1n }]);
  expect(lacks({ day: now / 86_400n - 1n, takenInDay: 1n })).toEqual([]);
  expect(lacks({ status: 'cancelled', means: poor })).toEqual([]);
  // Unknown funds are not called short.
  expect(lacks({ means: undefined })).toEqual([]);
  // The contract never repays a loan without collateral, however much money there is.
  expect(lacksOf({ ...later, means: poor }, { ...loan, weightedUsdWad: 0n, healthWad: 0n }, now, false)).toEqual([]);
});

test('an edit keeps the keeper and the terms that are not changed, and says who may rescue', () => {
  const keeper = '0x1234000000000000000000000000000000abcdEF';
  const [of] = loan.markets as [LoanMarket];
  const form = drawn(
    createElement(SetGuard, {
      ...{
        borrower: someone,
        loan,
        markets: [of],
        owned: { ...ownedGuards, guards: [guard] },
        isStale: false,
        close() {},
      },
      replaces: { ...guard, keeper, cooldownSeconds: 1_234n },
    }),
  );
  expect(form).toContain('Edit guard 1');
  expect(form).toContain(`Only ${shortAddress(keeper)} can call a rescue`);
  expect(form).toContain('1,234 seconds between rescues');
  // The guard that is replaced shares nothing with its successor.
  expect(form).not.toContain('You already have a guard that repays USDT');
});

test('an edit of a guard keeps its smallest repayment and its end, unless they are changed', () => {
  const [of] = loan.markets as [LoanMarket];
  const own: Guard = {
    ...guard,
    minRepay: 77n * WAD,
    capPerRescue: 500n * WAD,
    capPerDay: 500n * WAD,
    expiresAt: now + 12_345n,
  };
  const edit = (changes: object, isExtending = false) =>
    readGuardForm({ ...formOf(own, of, isExtending, now), ...changes }, of, WAD, own).draft as GuardDraft;
  const same = edit({});
  expect([same.minRepay, endOf(same, now)]).toEqual([own.minRepay, own.expiresAt]);
  expect(same).toMatchObject({
    ...{
      triggerHealthWad: own.triggerHealthWad,
      targetHealthWad: own.targetHealthWad,
      cooldownSeconds: own.cooldownSeconds,
    },
    ...{ capPerRescue: own.capPerRescue, capPerDay: own.capPerDay, watchesChainlink: false },
  });
  expect(endOf(edit({ days: '30' }), now)).toBe(now + 30n * 86_400n);
  expect(endOf(edit({}, true), now)).toBe(now + 365n * 86_400n);
  // The guard ends while the form is open: nothing may be approved for a guard that the contract would refuse.
  const late = readGuardForm(formOf(own, of, false, now), of, WAD, own, own.expiresAt);
  expect([late.draft, late.errors.days]).toEqual([undefined, 'The end date you kept has passed. Choose a duration.']);
  expect(readGuardForm(formOf(own, of, false, now), of, WAD, own, own.expiresAt - 1n).draft).toBeDefined();
  // The contract refuses a smallest repayment above the cap.
  expect(edit({ capPerRescue: '50' }).minRepay).toBe(50n * WAD);
  const form = drawn(
    createElement(SetGuard, {
      ...{
        borrower: someone,
        loan,
        markets: [of],
        owned: { ...ownedGuards, guards: [own] },
        isStale: false,
        close() {},
      },
      replaces: own,
    }),
  );
  expect(form).toContain(`Expires ${when(own.expiresAt)}`);
  expect(form).toContain(`Until ${when(own.expiresAt)} (unchanged)`);
});

test('an edit of an expired guard proposes the usual term, not its past end', () => {
  const [of] = loan.markets as [LoanMarket];
  for (const expiresAt of [now - 12_345n, now]) {
    const own: Guard = { ...guard, expiresAt };
    const draft = readGuardForm(formOf(own, of, false, now), of, WAD, own).draft as GuardDraft;
    expect(endOf(draft, now)).toBe(now + 365n * 86_400n);
    const form = drawn(
      createElement(SetGuard, {
        ...{ borrower: someone, loan, markets: [of], owned: { ...ownedGuards, guards: [own] }, isStale: false },
        ...{ close() {}, replaces: own },
      }),
    );
    expect(form).not.toContain('(unchanged)');
  }
});

test('a form that is opened anew shows the transaction that is under way, and no fields that it was not made of', async () => {
  const [of] = loan.markets as [LoanMarket];
  const store = createTransactions({
    ...{ chainId: 1, client: { call: async () => ({}) } as never, send: () => new Promise<Hex>(() => {}) },
    ...{ tryAll: async () => undefined, readAnew: async () => undefined, storage: undefined },
  });
  const form = (replaces?: Guard) => {
    const owned = { ...ownedGuards, guards: [guard] };
    const props = {
      borrower: someone as Hex,
      loan,
      markets: [of],
      owned,
      isStale: false,
      close() {},
      ...(replaces && { replaces }),
    };
    return drawn(
      createElement(TransactionsContext.Provider, { value: store as TransactionStore }, createElement(SetGuard, props)),
    );
  };
  expect(form()).toContain('Protect below');
  // No account is connected here.
  void store.start(undefined as never, 'new-guard-Venus', [{ label: 'Approve 77 USDT', to: token, data: '0x' }]);
  expect(form()).toContain('Approve 77 USDT');
  expect(form()).not.toContain('Protect below');
  expect(form()).not.toContain('Guard active');
  // It belongs to that form only.
  expect(form(guard)).toContain('Max per rescue');
});

test('what was done last on this chain is proved by the audit, which needs no account', () => {
  const amounts = { amountIn: 1n, amountOut: 1n, floor: 1n, block: 5n };
  const rescue = { guardId: 9n, repayToken: token, repaid: 1n, healthBeforeWad: WAD, healthAfterWad: WAD, block: 5n };
  const proofs = {
    run: { planId: 7n, tokenIn: token, tokenOut: market, ...amounts },
    skip: { planId: 8n, tokenOut: market, reason: 1, block: 5n },
    ...{ rescue, blocks: 4_096n },
  };
  const html = htmlOf(createElement(LatelyForAnybody), [['chain', 'proofs'], proofs]);
  expect([...html.matchAll(/href="(\/[^"]+)"/g)].map(([, href]) => href)).toEqual([
    '/check/plan/7',
    '/check/plan/8',
    '/check/guard/9',
  ]);
});

test('health has Aave’s colours, guarded or not', () => {
  const toneAt = (text: string) => healthTone(parseEther(text));
  expect(['0.99', '1.0999', '1.1', '1.14', '2.99', '3'].map(toneAt)).toEqual([
    ...['bad', 'bad', 'caution', 'caution', 'caution', 'good'],
  ]);
});

test('LG-3: after a rescue by its price source a guard rests for that source only', () => {
  const byAny: Guard = { ...guard, rescues: 1, lastRescueAt: now - 599n };
  const rested: Guard = { ...byAny, isBySource: true };
  const said = (of: Guard) =>
    coverageWords(coverageOf(of, loan, now), 'Venus', { amount: String, cost: String }, String);
  const more = `Until ${now + 1n}, only Venus’s prices trigger it.`;
  expect(said(rested)).toEqual({ badge: 'guarded', tone: 'good', more });
  const cut = said({ ...rested, capPerRescue: needed - 1n });
  expect(cut).toMatchObject({ badge: 'partly guarded', tone: 'caution' });
  expect(cut.more).toContain(more);
  expect(said(byAny).badge).toContain('cooling down until');
  expect(said({ ...rested, lastRescueAt: now - 600n })).toEqual({ badge: 'guarded', tone: 'good' });
  // Meanwhile Chainlink's prices make no rescue due: the next rescue is the one at the trigger.
  const low = { ...loan, chainlinkHealthWad: WAD };
  expect(coverageOf(rested, low, now, true)).toMatchObject({ needed });
  expect(coverageOf({ ...rested, lastRescueAt: now - 600n }, low, now, true)).toMatchObject({ needed: 40n * WAD });
});

test('LG-3: whose prices triggered the last rescue is read from the state', async () => {
  for (const isBySource of [true, false]) {
    const terms = { ...guardTerms, borrower: someone, funder: someone };
    const state = { ...cancelledState, isBySource };
    const client = { readContract: oneGuard, multicall: async () => [{ terms, state }] } as never;
    const { guards } = await readGuards(client, { loanGuard: market, lending: [] }, someone);
    expect(guards[0]?.isBySource === true).toBe(isBySource);
  }
});

/** There is one guard, and it is the account's. */
const oneGuard = async ({ functionName }: { functionName: string }) =>
  functionName === 'guardCount' ? 1n : [[1n], 2n];

const cancelledState = { status: 2, day: 0, lastRescueAt: 0 };

test('WB-14: a guard that an account only pays for is found for its approvals, and not as its own', async () => {
  const terms = { ...guardTerms, funder: someone };
  const client = {
    readContract: oneGuard,
    multicall: async () => [{ terms, state: { ...cancelledState, status: 1 } }],
  } as never;
  const places = { loanGuard: market, lending: [] } as const;
  const owned = await readGuards(client, places, someone);
  expect(owned.funded.map(({ id }) => id)).toEqual([1n]);
  expect(owned.guards).toEqual([]);
  // Next time the guard is known: a search that resumes after it still reads it again.
  const again = {
    readContract: async () => 1n,
    multicall: async () => [{ terms, state: { ...cancelledState } }],
  } as never;
  expect((await readGuards(again, places, someone, owned)).funded).toMatchObject([{ id: 1n, status: 'cancelled' }]);
});

test('WB-14: a repeated look for approvals goes on where the search for plans and guards stopped', async () => {
  const asked: unknown[] = [];
  let isSilent = false;
  const client = {
    readContract: async ({ functionName, args }: { functionName: string; args: readonly bigint[] }) => {
      if (isSilent) throw new Error('no answer');
      if (functionName === 'planCount' || functionName === 'guardCount') return 60_000n;
      if (functionName === 'guardsOf') asked.push(args[2]);
      return [functionName === 'guardsOf' && args[2] === 1n ? [1n] : [], args[3]];
    },
    multicall: async ({ contracts }: { contracts: { functionName: string }[] }) =>
      contracts[0]?.functionName === 'guard'
        ? [
            {
              terms: { ...guardTerms, funder: someone },
              state: cancelledState,
              repayToken: token,
            },
          ]
        : contracts.map(() => 7n),
    getCode: async () => undefined,
  } as never;
  const settings = { contracts: { planRegistry: market, loanGuard: token }, lending: [], assets: [] } as never;
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const look = () => queries.fetchQuery(approvalsQuery(queries, client, settings, someone));
  expect((await look()).unsearched).toEqual(['your plans', 'your guards']);
  expect(asked[0]).toBe(1n);
  // A lookup without an answer forgets nothing.
  isSilent = true;
  const silent = await look();
  expect(silent.unsearched).toEqual(['your plans', 'your guards']);
  expect(silent.left.map((each) => each.token)).toContain(token);
  isSilent = false;
  asked.length = 0;
  const whole = await look();
  expect(asked[0]).toBe(49_981n);
  expect(whole.unsearched).toEqual([]);
  expect(whole.left.map((each) => each.token)).toContain(token);
});

test('WB-15: an active guard is guarded only through an adapter of which the page can read whether it is paused', async () => {
  const terms = {
    ...{ borrower: someone, funder: someone, adapter: someone, market: pad(market), keeper: zeroAddress },
    ...{ priceSource: zeroAddress, triggerHealthWad: guard.triggerHealthWad, targetHealthWad: guard.targetHealthWad },
    ...{ capPerRescue: needed, capPerDay: needed, minRepay: least, cooldownSeconds: 600, expiresAt: Number(now + 1n) },
  };
  const state = { status: 1, day: 0, lastRescueAt: 0, rescues: 0, takenInDay: 0n };
  let paused = [false, false];
  const client = {
    readContract: oneGuard,
    multicall: async ({ contracts }: { contracts: { functionName: string }[] }) => {
      if (contracts[0]?.functionName === 'guard') return [{ terms, repayToken: token, state, isRevoked: false }];
      return contracts[0]?.functionName === 'protocolPaused' ? paused : [needed, needed, token];
    },
  } as never;
  const loanThere = {
    ...loan,
    markets: [{ ...(loan.markets[0] as LoanMarket), market: pad(market) }],
    prices: { [pad(market).toLowerCase()]: WAD },
  };
  const of = async (...lending: Lending[]) => {
    const { guards } = await readGuards(client, { loanGuard: market, lending }, someone);
    return coverageOf(guards[0] as Guard, loanThere, now);
  };
  expect(await of(protocol)).toEqual(full);
  expect(await of()).toEqual(unable('unknown'));
  expect(await of({ ...protocol, adapter: token })).toEqual(unable('unknown'));
  expect(await of({ ...protocol, name: 'Acme' })).toEqual(unable('unknown'));
  for (paused of [
    [true, false],
    [false, true],
  ]) {
    expect(await of(protocol)).toEqual(unable('repay_paused'));
  }
});

test('a loan is read through its protocol’s adapter, and not at all if its values are no US dollars', async () => {
  let numeraire: Hex = zeroAddress;
  const asked = new Set<string>();
  const position = { debtValue: 10n, weightedCollateralValue: 9n, repayTokenPriceWad: WAD };
  const answers = {
    getAssetsIn: [[market], zeroAddress],
    balanceOf: [2n * WAD, 3n * WAD],
    get repayToken() {
      return [token, 10n, numeraire];
    },
    symbol: ['USDT', 18, 1n, 2n],
  };
  const client = {
    multicall: async ({
      contracts: [first],
    }: {
      contracts: { address: string; functionName: keyof typeof answers }[];
    }) => answers[first?.functionName as keyof typeof answers],
    simulateContract: async ({ address }: { address: string }) => {
      asked.add(address);
      return { result: position };
    },
    readContract: async () => {
      throw new Error('no answer');
    },
  } as never;
  const settings = { contracts: { loanGuard: market, priceSource: market }, lending: [protocol], assets: [] } as never;
  const adapter = pad('0xacce', { size: 20 });
  const read = await readLoan(client, settings, { ...protocol, adapter }, someone);
  expect([...asked]).toEqual([adapter]);
  expect(read).toMatchObject({ protocol: { adapter }, debtUsdWad: 10n, healthWad: (9n * WAD) / 10n });
  expect(read.markets).toMatchObject([{ market: pad(market), debt: 10n, supplied: 6n * WAD }]);
  numeraire = token;
  await expect(readLoan(client, settings, protocol, someone)).rejects.toThrow(
    'Venus does not value loans in US dollars',
  );
  numeraire = zeroAddress;
  await expect(readLoan(client, settings, { ...protocol, name: 'Acme' }, someone)).rejects.toThrow(
    'Acme has no reader',
  );
});

test('WB-15: the keeper is read from the terms, and the zero address is none', async () => {
  const of = async (keeper: Hex) => {
    const client = {
      readContract: oneGuard,
      multicall: async ({ contracts }: { contracts: { functionName: string }[] }) =>
        contracts[0]?.functionName === 'guard'
          ? [
              {
                terms: { ...guardTerms, borrower: someone, keeper },
                state: { ...cancelledState, status: 1 },
              },
            ]
          : [needed, needed, token, false, false],
    } as never;
    return (await readGuards(client, { loanGuard: market, lending: [] }, someone)).guards[0]?.keeper;
  };
  expect(await of(token)).toBe(token);
  expect(await of(zeroAddress)).toBeUndefined();
});

test.each<[string, Loan | undefined, bigint | undefined, object]>([
  ['no reading of the loan', undefined, now, unable('unknown')],
  ['no time', loan, undefined, unable('unknown')],
  ['no debt at all', { ...loan, healthWad: undefined, debtUsdWad: 0n }, now, unable('no_debt')],
  [
    'no debt in the market',
    { ...loan, markets: [{ ...(loan.markets[0] as Loan['markets'][0]), debt: 0n }] },
    now,
    unable('no_debt'),
  ],
  ['no price', { ...loan, prices: {} }, now, unable('unknown')],
  ['no collateral', { ...loan, weightedUsdWad: 0n, healthWad: 0n }, now, unable('no_collateral')],
  [
    'less debt there than needed',
    { ...loan, markets: [{ ...(loan.markets[0] as Loan['markets'][0]), debt: needed - 1n }] },
    now,
    part(needed - 1n),
  ],
  // At the trigger, the coverage is that of a loan at the trigger; one unit of health below, that of the current loan.
  ['health at the trigger', { ...loan, weightedUsdWad: 1_100n * WAD, healthWad: guard.triggerHealthWad }, now, full],
  [
    'health far below',
    { ...loan, weightedUsdWad: 1_000n * WAD, healthWad: WAD },
    now,
    {
      ...{ ...part(needed), needed: 200n * WAD },
      due: { by: 'protocol', healthWad: WAD, triggerHealthWad: guard.triggerHealthWad },
    },
  ],
])('WB-15: coverage with %s', (_, of, time, expected) => {
  expect(coverageOf(guard, of, time)).toEqual(expected);
});

test('of a history that is read again, the newest records are read anew and no more are kept than there are', async () => {
  let paid = 1;
  const asked: bigint[][] = [];
  const client = {
    readContract: async ({ args: [, from, to] }: { args: [bigint, bigint, bigint] }) => {
      asked.push([from, to]);
      return Array.from({ length: Number(to - from) }, () => ({ amountIn: BigInt(paid) }));
    },
  } as never;
  const read = (records: number, known: Awaited<ReturnType<typeof readHistory>>) =>
    readHistory(client, market, { id: 1n, records }, true, known);
  const first = await read(25, []);
  paid = 2;
  const again = await read(25, first);
  expect(asked).toEqual([
    [0n, 25n],
    [15n, 25n],
  ]);
  expect(again.map(({ record }) => record)).toEqual(Array.from({ length: 25 }, (_, back) => 24 - back));
  expect([again[0]?.amountIn, again[9]?.amountIn, again[10]?.amountIn]).toEqual([2n, 2n, 1n]);
  expect(await read(4, again)).toHaveLength(4);
});

test('what was read of a chain whose first block is another by now is forgotten', async () => {
  let hash: string | undefined;
  const client = {
    getBlock: async () => {
      if (hash === undefined) throw new Error('silent');
      return { hash };
    },
  } as never;
  const queries = new QueryClient();
  const look = async () => queries.setQueryData(['first-block'], await forgetReset(client, queries));
  const known = () => queries.getQueryData(['chain', 'plans', someone]);
  hash = '0x01';
  await look();
  queries.setQueryData(['chain', 'plans', someone], 'plans');
  queries.setQueryData(['agreed'], 'settings');
  await look();
  hash = undefined;
  await look();
  expect(known()).toBe('plans');
  hash = '0x02';
  await look();
  expect(known()).toBeUndefined();
  expect(queries.getQueryData(['agreed'])).toBe('settings');
});

test('WB-13: an approval waits until all of the owner’s plans are known as they are now', () => {
  const plans = [{ tokenIn: token }] as unknown as readonly Plan[];
  const known = { plans, allowances: { [token.toLowerCase()]: 1n }, unread: [], upTo: 5n, count: 5n };
  expect(mustWait(known, token, false)).toBe(false);
  expect(mustWait(known, token, true)).toBe(true);
  expect(mustWait({ ...known, unread: [1n] }, token, false)).toBe(true);
  expect(mustWait({ ...known, upTo: 4n }, token, false)).toBe(true);
  expect(mustWait({ ...known, allowances: {} }, token, false)).toBe(true);
  expect(mustWait({ ...known, allowances: {} }, someone, false)).toBe(false);
});

test('WB-15: an own guard whose page gives no answer is kept, and not called guarded', async () => {
  // One of two pages answers, so the reading as a whole does not fail.
  const client = {
    readContract: async ({ functionName, args }: { functionName: string; args: readonly bigint[] }) =>
      functionName.endsWith('Count') ? 50n : [[], args[3]],
    multicall: async ({ contracts }: { contracts: { functionName: string; args: [bigint] }[] }) => {
      if (contracts[0]?.functionName !== 'guard') return [needed, needed, token, false, false];
      if (contracts[0].args[0] === 1n) throw noAnswer();
      return contracts.map(() => ({
        terms: guardTerms,
        state: { ...cancelledState, status: 1 },
      }));
    },
  } as never;
  const cancelled = { ...guard, id: 2n, status: 'cancelled' } as const;
  const unreadBefore = Array.from({ length: 48 }, (_, index) => BigInt(index + 3));
  const known: OwnedGuards = {
    guards: [guard, cancelled],
    funded: [],
    count: 50n,
    upTo: 50n,
    unread: unreadBefore,
    cause: undefined,
    searchCause: undefined,
  };
  const places = { loanGuard: market, lending: [] } as const;
  const { guards, unread } = await readGuards(client, places, someone, known);
  expect(unread).toContain(1n);
  expect(guards.map(({ id, status }) => [id, status])).toEqual([
    [2n, 'cancelled'],
    [1n, 'active'],
  ]);
  expect(guards.map((each) => coverageOf(each, loan, now))).toEqual([unable('cancelled'), unable('unknown')]);
});

test.each([
  ['active', [], 'active'],
  ['paused', [], 'paused'],
  ['active', [1n], 'unknown'],
  ['paused', [1n], 'unknown'],
  ['active', [2n], 'active'],
  ['cancelled', [1n], 'cancelled'],
  ['revoked', [1n], 'revoked'],
] as const)('WB-13: a plan known as %s with %o unread is shown as %s', (status, unread, shown) => {
  const plan = { id: 1n, status, runs: 1, maxRuns: 2, expiresAt: now + 1n } as Plan;
  expect(shownStatus(plan, { unread }, now, false)).toBe(shown);
  if (status === 'active') expect(shownStatus(plan, { unread: [] }, now, true)).toBe('unknown');
  if (['active', 'paused'].includes(status)) expect(shownStatus(plan, { unread }, now + 1n, false)).toBe('over');
});

const at = (seconds: number): Moment => ({ wall: 1_700_000_000_000 + seconds * 1_000, steady: seconds * 1_000 });
/** Sent two seconds after its request, by the server's clock, which is an hour off. */
const answer = { time: '2026-11-22T10:00:00.000Z', sent_at: '2026-11-22T10:00:02.000Z' };

test('WB-201: an answer is as old as the server says, or as long as it took, whichever is more', () => {
  expect(elapsed(dated(answer, at(9), at(10), undefined).asOf, at(10))).toBe(2_000);
  expect(elapsed(dated(answer, at(5), at(10), undefined).asOf, at(10))).toBe(5_000);
  const first = dated(answer, at(9), at(10), undefined);
  // A repeated answer does not become fresher.
  expect(dated({ ...answer }, at(69), at(70), first).asOf).toEqual(first.asOf);
  expect(isAnswerOld(first, at(8 + OLD_AFTER_MS / 1_000 - 1))).toBe(false);
  expect(isAnswerOld(first, at(8 + OLD_AFTER_MS / 1_000))).toBe(true);
});

test('WB-201: neither a clock that is set back nor one that stands still in sleep makes the old fresh', () => {
  const then = at(0);
  expect(elapsed(then, { ...at(60), wall: then.wall - 3_600_000 })).toBe(60_000);
  expect(elapsed(then, { ...at(60), steady: then.steady })).toBe(60_000);
  expect(elapsed(then, earlier(then, 1_000))).toBe(0);
});

test('WB-201: a reading is old by either clock, from before it was asked for', async () => {
  const readAt = at(0);
  const isOld = (now: Moment) => isReadingOld({ readAt }, now);
  expect(isOld(at(OLD_AFTER_MS / 1_000 - 1))).toBe(false);
  expect(isOld(at(OLD_AFTER_MS / 1_000))).toBe(true);
  expect(isOld({ ...at(OLD_AFTER_MS / 1_000), wall: readAt.wall - 3_600_000 })).toBe(true);
  expect(isOld({ ...at(OLD_AFTER_MS / 1_000), steady: readAt.steady })).toBe(true);
  expect(isReadingOld(undefined, readAt)).toBe(true);
  let askedAt = 0;
  const reading = await timed(async () => {
    askedAt = performance.now();
    return { debt: 1n };
  });
  expect(reading.debt).toBe(1n);
  expect(reading.readAt.steady).toBeLessThanOrEqual(askedAt);
});

test('WB-201: a verdict ends with its ticket, by the chain’s clock; without a chain, by the server’s', () => {
  const start = Date.parse(answer.time) / 1_000;
  const judged = { issued_at: String(start), expires_at: String(start + 20) };
  expect(endOfVerdict({ issued_at: '1000', expires_at: null })).toBe(1_120n);
  expect(endOfVerdict({ issued_at: '1000', expires_at: '1100' })).toBe(1_100n);
  // No agent can make its verdict last longer than a ticket does.
  expect(endOfVerdict({ issued_at: '1000', expires_at: '999999' })).toBe(1_120n);
  const given = dated(answer, at(0), at(0), undefined);
  const isOld = (second: number, chainTime?: bigint) => isVerdictOld(judged, given, at(second), chainTime);
  expect(isOld(1, BigInt(start + 19))).toBe(false);
  expect(isOld(1, BigInt(start + 20))).toBe(true);
  // Two of its twenty seconds had passed when it arrived.
  expect(isOld(17)).toBe(false);
  expect(isOld(18)).toBe(true);
  expect(isOld(28, BigInt(start))).toBe(true);
});

test('WB-14: only the event of Revocations itself, of this owner, says that everything was stopped', () => {
  const log = (address: Hex, owner: Hex) => ({
    ...{ address, data: encodeAbiParameters([{ type: 'uint64' }], [1n]) },
    topics: encodeEventTopics({ abi: revocationsAbi, eventName: 'AllRevoked', args: { owner } }),
  });
  const says = (status: string, ...logs: object[]) => isRevokedBy([{ status, logs }] as never, market, someone);
  expect(says('success', log(market, someone))).toBe(true);
  expect(says('success')).toBe(false);
  expect(says('reverted', log(market, someone))).toBe(false);
  expect(says('success', log(token, someone))).toBe(false);
  expect(says('success', log(market, token))).toBe(false);
});

test('WB-7: where a step may have happened all the same, nothing is offered back, and nothing says that it did not', () => {
  const approval = approveStep('Approve 150 USDT', token, market, 150n * WAD, 0n);
  const step = { label: 'Create the plan', to: market, data: '0x' } as const;
  const shown = (failure: Failure) =>
    drawn(
      createElement(Signing, {
        done: '',
        progress: {
          ...{ id: 'kept', owner: someone, place: undefined, steps: [approval, step], at: 1, batch: undefined },
          ...{ state: 'failed', failure, hashes: [], receipts: [] },
        },
      }),
      // No account is connected here.
      [['chain', 'allowance', token, undefined, market, 'idle'] as string[], 150n * WAD],
    );
  const offer = 'is left over';
  for (const failure of [failureBy('replaced'), walletRefusal({ code: 4001 }) as Failure]) {
    // The token is not listed, so its decimals are not known.
    expect(shown(failure), failure.kind).toContain(
      `An approval of ${150n * WAD} units of ${shortAddress(token)} ${offer}`,
    );
    expect(shown(failure), failure.kind).toContain('not done');
  }
  for (const failure of [failureBy('other'), failureBy('overtaken'), failureBy('replacedUnseen')]) {
    for (const no of [offer, 'not done', 'did not happen', 'Not sent', 'this step did not'])
      expect(shown(failure), failure.words).not.toContain(no);
    expect(shown(failure)).toContain('status unknown');
    expect(shown(failure)).toContain('heck');
  }
});

test('only the card of a GO says what the ticket is good for', () => {
  const asset = (symbol: string, address: Hex, of: string) =>
    ({ symbol, address, decimals: 18, name: symbol, class: of, quote: 'USDT' }) as never;
  const listed = {
    ...{ chainId: 31_337, verdictSigners: [], contracts: { planRegistry: market }, lending: [] },
    assets: [asset('USDT', token, 'stable'), asset('BTCB', market, 'crypto')],
  } as unknown as Settings;
  const ticket = {
    ...{ token_in: token as Hex, token_out: market as Hex, verdict: 1, max_price_wad: String(100n * WAD) },
    ...{ max_amount_in: String(77n * WAD), issued_at: String(now - 1n), expires_at: String(now + 60n) },
  } as const;
  const said = (verdict: VerdictWord) => goodFor(listed, ticket, verdict);
  expect(said('GO')).toBe('Good for up to 77 USDT, at no more than 100 USDT / BTCB.');
  for (const verdict of ['CAUTION', 'NO_GO', 'NO_DATA'] as const) expect(said(verdict), verdict).toBeUndefined();
});

const Shown = () => createElement(Signing, { progress: useSteps('here').progress, done: '' });

test('the page says that it looks for what the wallet did not tell only if it does', async () => {
  for (const isAnswering of [true, false]) {
    let asked = 0;
    const read = async () => {
      if (!isAnswering) throw new Error('no answer');
      // Three reads happen before the wallet is asked. The search itself gets no answer.
      return ++asked > 3 ? new Promise(() => {}) : 5;
    };
    const client = { call: async () => ({}), getTransactionCount: read, getBlockNumber: read } as never;
    const send = async () => {
      throw new Error('timeout');
    };
    const store = createTransactions({
      ...{ chainId: 1, client, send, tryAll: async () => undefined, readAnew: async () => undefined },
      storage: undefined,
    });
    // No account is connected here.
    const tx = store.start(undefined as never, 'here', [{ label: 'Approve 77 USDT', to: token, data: '0x' }]);
    await tx.ended;
    const said = drawn(
      createElement(TransactionsContext.Provider, { value: store as TransactionStore }, createElement(Shown)),
    );
    expect(said).toContain('did not say whether it sent this');
    expect(said.includes('The page is looking for it on chain')).toBe(isAnswering);
    expect(said.includes('The page cannot look for it on chain')).toBe(!isAnswering);
    store.clear();
  }
});
