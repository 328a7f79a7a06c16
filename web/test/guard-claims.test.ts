import { erc20Abi } from '@bowline/chain/erc20-abi';
import { noRoute } from '@bowline/chain/guard';
import { coverageOf } from '@bowline/core/domain/guard-cover';
import { withShares } from '@bowline/core/domain/guard-shares';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  formatEther,
  type Hex,
  pad,
  parseEther,
  zeroAddress,
} from 'viem';
import { expect, test } from 'vitest';
import { type Config, WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { collateralGuardAbi, loanGuardAbi, readLensAbi } from '../../abis/index.ts';
import { servedByDefault } from '../../agent/src/loops/loan-guard/plan.ts';
import { earlier, thisMoment } from '../app/api/age.ts';
import type { Settings } from '../app/api/settings.ts';
import { approveStep } from '../app/chain/approve.ts';
import { agentsWord, coverageWords } from '../app/chain/coverage/coverage-words.ts';
import { asOfReadings, type Covered } from '../app/chain/coverage/use-covered.ts';
import { createLine } from '../app/chain/line.ts';
import type { Guard, OwnedGuards } from '../app/chain/read-guards.ts';
import type { Loan, LoanMarket } from '../app/chain/read-loan.ts';
import { Cards } from '../app/guard/cards.tsx';
import { CloseLoan } from '../app/guard/close-loan.tsx';
import { ConsentOffer } from '../app/guard/consent-offer.tsx';
import { FundLoan } from '../app/guard/fund-loan.tsx';
import { GuardById } from '../app/guard/guard-by-id.tsx';
import { GuardCard } from '../app/guard/guard-card.tsx';
import { blankGuard, type GuardDraft, readGuardForm, suggested } from '../app/guard/guard-form.ts';
import { GuardSet } from '../app/guard/guard-set.tsx';
import { guardSteps, registeredIn } from '../app/guard/guard-steps.ts';
import { HealthBar } from '../app/guard/health-bar.tsx';
import { freedBy, unusedApprovals } from '../app/guard/kept-approval.ts';
import { LoanCard } from '../app/guard/loan-card.tsx';
import { liquidationWarning } from '../app/guard/outcome.tsx';
import { OwnLoan } from '../app/guard/own-loan.tsx';
import { OwnLoans } from '../app/guard/own-loans.tsx';
import { PayForm } from '../app/guard/pay-form.tsx';
import { blankSale, readSaleForm, type SaleDraft, savingsSummary, suggestedSavings } from '../app/guard/sale-form.ts';
import { WouldRepay } from '../app/guard/set-form.tsx';
import { SetGuard } from '../app/guard/set-guard.tsx';
import { sharedBy } from '../app/guard/shared-approval.ts';
import { SpareApprovals } from '../app/guard/spare-approvals.tsx';
import { fundingSummary } from '../app/guard/summary.ts';
import { tryCalls } from '../app/guard/use-tried.ts';
import { actionItemsOf } from '../app/home/action-items.ts';
import { OwnHome } from '../app/home/own-home.tsx';
import { CancelAsked } from '../app/parts/cancel-asked.tsx';
import { Spender } from '../app/parts/form-card.tsx';
import { SettingsProvider } from '../app/settings.tsx';
import { TransactionsContext, TransactionsProvider } from '../app/transactions/use-transactions.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { guardWords } from '../app/words/en/guard.ts';
import { stateOf, toneOf } from './said-by-figures.ts';
import { buysAll, servesAll } from './serves.ts';

// What the page says about guards, and what it must not say, without a browser.

declare global {
  /** The DOM types that the page reads: this program does not include the DOM's types. */
  interface HTMLInputElement {
    checked: boolean;
  }
}

const at = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [usdt, eth, adapter, owner, stranger, loanGuard] = ['1', '2', '3', '4', '5', '6'].map(at) as [
  ...[Hex, Hex, Hex, Hex, Hex, Hex],
];
const [market, ethMarket] = [pad(usdt), pad(eth)];
const wad = parseEther;
const now = 1_800_000_000n;
const DAY = 86_400n;

const settings = {
  ...{ chainId: 31_337, chainName: 'a chain', rpcUrl: 'http://127.0.0.1:1', explorerUrl: null },
  contracts: { loanGuard, planRegistry: at('7'), priceSource: at('8'), swapExecutor: at('9') },
  verdictSigners: [],
  lending: [{ name: 'Venus', scope: '', url: 'https://app.venus.io/', adapter, core: market }],
  assets: [
    { symbol: 'USDT', address: usdt, decimals: 18 },
    { symbol: 'ETH', address: eth, decimals: 18, quote: 'USDT' },
  ],
} as unknown as Settings;

const usdtMarket: LoanMarket = {
  ...{ market, token: usdt, symbol: 'USDT', decimals: 18, debt: wad('1000'), supplied: 0n },
  ...{ walletBalance: wad('500'), allowance: 0n },
};
/** A debt of 1,000 USDT against 1 ETH at 1,600 USD, weighted by three quarters: health 1.2. */
const loan: Loan = {
  ...{ protocol: settings.lending[0] as Loan['protocol'], borrower: owner },
  markets: [usdtMarket, { ...usdtMarket, market: ethMarket, token: eth, symbol: 'ETH', debt: 0n, supplied: wad('1') }],
  ...{ debtUsdWad: wad('1000'), weightedUsdWad: wad('1200'), healthWad: wad('1.2'), chainlinkHealthWad: undefined },
  ...{ forcedMarkets: [], prices: { [market]: wad('1') } },
  parts: [
    { market, priceWad: wad('1'), weightedAt: () => 0n, debtAt: (price) => price * 1_000n },
    { market: ethMarket, priceWad: wad('1600'), weightedAt: (price) => (price * 3n) / 4n, debtAt: () => 0n },
  ],
};
const means = { allowance: wad('200'), balance: wad('200'), marketToken: usdt, isRepayPaused: false };
const guard: Guard = {
  ...{ id: 1n, borrower: owner, funder: owner, adapter, market },
  ...{ repayToken: usdt, triggerHealthWad: wad('1.1'), targetHealthWad: wad('1.25'), capPerRescue: wad('300') },
  ...{ capPerDay: wad('300'), minRepay: wad('10'), cooldownSeconds: 600n, expiresAt: now + 60n * DAY },
  ...{ status: 'active', rescues: 0, lastRescueAt: 0n, day: 0n, takenInDay: 0n, means },
};
const covers = (changes: Partial<Guard> = {}, ofLoan: Partial<Loan> | undefined = {}): Covered => {
  const own = { ...guard, ...changes };
  const of = ofLoan && { ...loan, ...ofLoan };
  return { guard: own, loan: of, coverage: coverageOf(own, of, now) };
};
const ownedOf = (...guards: readonly Guard[]): OwnedGuards => ({
  ...{ guards, funded: [], count: 5n, upTo: 5n, unread: [], cause: undefined, searchCause: undefined },
});

/** The text of an element, rendered with the context that the page's sections get. */
function drawn(element: ReactElement, ...known: readonly (readonly [readonly unknown[], unknown])[]): string {
  return htmlOf(element, ...known)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

function htmlOf(element: ReactElement, ...known: readonly (readonly [readonly unknown[], unknown])[]): string {
  return htmlBy(walletConfig(settings, createLine()), element, ...known);
}

function htmlBy(
  config: Config,
  element: ReactElement,
  ...known: readonly (readonly [readonly unknown[], unknown])[]
): string {
  const queryClient = new QueryClient();
  queryClient.setQueryData(['chain', 'time'], { timestamp: now, at: thisMoment() });
  for (const [key, data] of known) queryClient.setQueryData(key, data);
  const within = createElement(
    SettingsProvider,
    { value: settings },
    createElement(TransactionsProvider, null, element),
  );
  const inQueries = createElement(QueryClientProvider, { client: queryClient }, within);
  const inFrame = createElement(Router, { ssrPath: '/', ssrSearch: '' } as never, inQueries);
  return renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inFrame));
}

const cardOf = (covered: Covered, more: object = {}) => drawn(createElement(GuardCard, { ...covered, now, ...more }));
const loanCardOf = ({ guard: own, coverage }: Covered, changes: Partial<Loan> = {}) => {
  const props = { loan: { ...loan, ...changes }, guards: [{ guard: own, coverage }], asOf: undefined, now };
  return drawn(createElement(LoanCard, props));
};
const price = /\$1,[\d,.]+/;

test('no guard is called funded that cannot rescue, and none of which that is not known', () => {
  const funded = (covered: Covered) =>
    /Funded down to \(if only ETH moves\) (.+?) Max per rescue/.exec(cardOf(covered))?.[1];
  expect(funded(covers())).toMatch(price);
  for (const changes of [
    { means: { ...means, isRepayPaused: true } },
    { means: { ...means, marketToken: eth } },
    { expiresAt: now },
  ]) {
    expect(funded(covers(changes))).toBe('not funded');
  }
  expect(funded(covers({ means: undefined }))).toBe('unknown');
  // The loan is in another protocol than its guard.
  expect(funded(covers({ adapter: stranger }))).toBe('unknown');
  expect(funded(covers({}, { forcedMarkets: undefined }))).toBe('unknown');
  expect(funded(covers({}, { forcedMarkets: [market] }))).toBe('no price: liquidation is forced');
});

test('no price of one collateral stands without “if only it moves”', () => {
  const second = { ...usdtMarket, market: pad(at('c')), token: at('c'), symbol: 'BTCB', debt: 0n, supplied: wad('1') };
  const [own, ethPart] = loan.parts as NonNullable<Loan['parts']>;
  const two: Partial<Loan> = {
    markets: [...loan.markets, second],
    parts: [own, ethPart, { ...ethPart, market: second.market }] as NonNullable<Loan['parts']>,
  };
  const covered = covers({}, two);
  const rows = loanCardOf(covered, two).split('What if prices move?')[1];
  const priced = (symbol: string) => `${symbol} \\$1,600\\.00 as now If only ${symbol} moves Rescue below`;
  expect(rows).toMatch(new RegExp(`${priced('ETH')} .* ${priced('BTCB')}`));
  expect(cardOf(covered)).toMatch(/Funded down to \(if only ETH moves\) .* Funded down to \(if only BTCB moves\)/);
  const known = { loans: [loan], covered: [{ ...covers(), loan }], plans: undefined, activity: {}, now };
  const sure = { loans: true, guards: true, plans: true, activity: true };
  expect(stateOf({ ...known, buyer: buysAll(settings) }, sure, settings)).toMatch(
    /funded until ETH alone falls to \$[\d,.]+ · /,
  );
});

test('where liquidation is forced no price is safe, and where that is not known none is told', () => {
  const able = loanCardOf(covers());
  expect(able).toMatch(/Liquidated below/);
  expect(able).toContain('Funded down to');
  expect(able).toContain('liquidated 1.00');

  const forced = { forcedMarkets: [market] };
  const card = loanCardOf(covers({}, forced), forced);
  for (const claim of ['Liquidated below', 'Funded down to', 'liquidated 1.00', 'funded price']) {
    expect(card).not.toContain(claim);
  }
  // The guard's trigger is still shown.
  expect(card).toContain('Rescue below');
  expect(liquidationWarning({ ...loan, ...forced }, wad('1.5'))).toContain('at any health');

  const unread = { forcedMarkets: undefined };
  const unknown = loanCardOf(covers({}, unread), unread);
  expect(unknown.match(/unknown/g)?.length).toBeGreaterThanOrEqual(3);
  expect(unknown).toContain('liquidated, at least below 1.00');
  expect(unknown).not.toMatch(/Liquidated below .*\$1,333/);
  expect(liquidationWarning({ ...loan, ...unread }, wad('1.5'))).toContain('Could not read whether');
  expect(liquidationWarning(loan, wad('1.5'))).toBeUndefined();
  expect(liquidationWarning(loan, wad('0.9'))).toContain('liquidate it there');
});

test('WB-15: guards that are paid from the same tokens are not each called guarded', () => {
  // A rescue at the trigger needs 120 from each guard.
  const second = { id: 2n };
  const inUsdt = (base: bigint) => `${base / wad('1')} USDT`;
  const shared = withShares([covers(), covers(second)], now);
  for (const { coverage } of shared) {
    expect(coverageWords(coverage, 'Venus', { amount: inUsdt, cost: inUsdt }, String)).toMatchObject({
      tone: 'caution',
      badge: expect.stringMatching(/^shares its funds with guard [12]$/),
      more: expect.stringMatching(/It shares 200 USDT with guard [12]: one rescue each needs 240 USDT/),
    });
  }
  const enough = { means: { ...means, allowance: wad('240'), balance: wad('240') } };
  const states = (...all: readonly Covered[]) =>
    withShares(all, now).map(
      ({ coverage }) => coverageWords(coverage, 'Venus', { amount: String, cost: String }, String).badge,
    );
  expect(states(covers(enough), covers({ ...second, ...enough }))).toEqual(['guarded', 'guarded']);
  // Approval and balance are both needed: holding 200 with an approval of 240 is just as short.
  const unheld = { means: { ...enough.means, balance: wad('200') } };
  expect(states(covers(unheld), covers({ ...second, ...unheld }))[0]).toBe('shares its funds with guard 2');
  // Other payers' tokens, other tokens, and guards that take nothing are not shared.
  expect(states(covers(), covers({ ...second, funder: stranger }))).toEqual(['guarded', 'guarded']);
  expect(states(covers(), covers({ ...second, status: 'cancelled' }))[0]).toBe('guarded');
  expect(states(covers(), covers({ ...second, expiresAt: now }))[0]).toBe('guarded');
  expect(states(covers(), covers(second, { forcedMarkets: [] }), covers({ id: 3n }))[0]).toBe(
    'shares its funds with guards 2 and 3',
  );
  // If a guard's loan could not be read, its need is unknown: it may take all that it is allowed to.
  const unread: Covered = { ...covers(second), loan: undefined, coverage: { state: 'unable', why: 'unknown' } };
  expect(states(covers(), unread)[0]).toBe('shares its funds with guard 2');
});

test('WB-15: shared funds need the owner on Home, whether guards share them or plans', () => {
  const { swapExecutor: executor, priceSource } = settings.contracts;
  const plan = {
    ...{ owner, recipient: owner, executor, priceSource, verdictSigner: zeroAddress },
    ...{ id: 1n, tokenIn: usdt, tokenOut: eth, amountPerRun: wad('100'), farLimit: false, triggerPriceWad: 0n },
    ...{ deferrals: 0, lastReason: 0 },
    ...{ startAt: now - DAY, periodSeconds: DAY, windowSeconds: 3_600n, maxRuns: 3, expiresAt: now + 30n * DAY },
    ...{ limitPriceWad: 0n, maxSlippageBps: 100, status: 'active', cursor: now, runs: 1, records: 1, version: 1 },
  } as Plan;
  const sure = { loans: true, guards: true, plans: true, activity: true };
  const homeOf = (all: readonly Covered[], plans: readonly Plan[], held = wad('200')) => {
    const money = { allowances: { [usdt]: wad('900') }, balances: { [usdt]: held } };
    const own = all.map((each) => ({ ...each, loan, guard: { ...each.guard, means: { ...means, balance: held } } }));
    const known = {
      ...{ loans: [loan], covered: withShares(own, now), activity: {}, now, buyer: buysAll(settings) },
      plans: { plans, ...money },
    };
    return [stateOf(known, sure, settings), actionItemsOf(known, settings).map(({ key }) => key)] as const;
  };
  expect(homeOf([covers()], [])[1]).toEqual([]);
  const [said, needs] = homeOf([covers(), covers({ id: 2n })], []);
  expect(needs).toEqual(['guard-1-shared', 'guard-2-shared']);
  expect(said).not.toContain('no action needed');
  expect(homeOf([covers()], [plan])[1]).toEqual([`contended-${usdt}`]);
  expect(homeOf([covers()], [plan])[0]).not.toContain('no action needed');
  expect(homeOf([covers()], [plan], wad('220'))[1]).toEqual([]);
  expect(homeOf([{ ...covers(), isPaidByOther: true }], [plan])[1]).toEqual([]);
});

const form = { ...blankGuard, capPerRescue: '300', capPerDay: '300', total: '400' };
const drafted = (of: LoanMarket = usdtMarket) => readGuardForm(form, of, wad('1')).draft as GuardDraft;

test('a guard that could not pay is refused by its form before anything is signed', () => {
  const formOf = (held: bigint, native: bigint) => {
    const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
    return htmlOf(createElement(SetGuard, props), [['chain', 'held', owner, usdt], { held, native }]);
  };
  const button = (html: string) => /<button type="submit"[^>]*>([^<]*)</.exec(html)?.[1];
  expect(button(formOf(0n, wad('1')))).toBe('Not enough USDT (you have 0)');
  expect(button(formOf(wad('9'), wad('1')))).toBe('Not enough USDT (you have 9)');
  expect(button(formOf(wad('10'), wad('1')))).toBe('Approve and set');
  expect(formOf(wad('77'), wad('1'))).toMatch(/MAX/);
});

test('the form of a guard has at most 170 words before anything is unfolded', () => {
  const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
  const key = JSON.stringify([suggested(usdtMarket), usdtMarket.market, '0', undefined]);
  const text = drawn(
    createElement(SetGuard, props),
    [['chain', 'held', owner, usdt], { held: wad('1000'), native: wad('1') }],
    [['chain', 'tried', owner, key], { refused: undefined, cost: { wei: wad('0.0001') } }],
  );
  expect(text).toContain('Network fee');
  const words = text.split(' ').filter((word) => /[\p{L}\d]/u.test(word));
  expect(words.length, text).toBeLessThanOrEqual(170);
});

test('WB-63: while another approval for guards is open, no form drafts one beside it', () => {
  const step = (to: Hex, data: Hex) => ({
    ...{ id: '1', place: undefined, owner: undefined, at: 0, hashes: [], receipts: [], state: 'pending' },
    steps: [{ label: '', to, data }],
  });
  const approval = step(usdt, approveStep('', usdt, loanGuard, 1n).data);
  const said = (...transactions: readonly object[]) => {
    const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
    const form = createElement(SetGuard, props);
    const value = { all: () => transactions, subscribe: () => () => {}, openAt: () => undefined } as never;
    return htmlOf(createElement(TransactionsContext, { value }, form));
  };
  expect(said()).not.toContain(guardWords.mustWaitForOther);
  expect(said(step(loanGuard, '0x12'))).not.toContain(guardWords.mustWaitForOther);
  expect(said(approval)).toContain(guardWords.mustWaitForOther);

  // Meanwhile the card of a guard approves nothing either.
  // Without storage, from which the configuration would restart.
  const connected: Config = Object.create(walletConfig(settings, createLine()), { storage: { value: null } });
  const connection = { accounts: [owner], chainId: settings.chainId, connector: {} };
  connected.setState((state) => ({
    ...{ ...state, status: 'connected', current: 'one' },
    connections: new Map([['one', connection as never]]),
  }));
  const poor = covers({ means: { ...means, allowance: 0n } });
  let html = '';
  const approves = (...transactions: readonly object[]) => {
    const card = createElement(GuardCard, { ...poor, now, account: owner, owned: ownedOf(poor.guard), isStale: false });
    const owned = transactions.map((tx) => ({ ...tx, owner }));
    const value = { all: () => owned, subscribe: () => () => {}, openAt: () => undefined } as never;
    html = htmlBy(connected, createElement(TransactionsContext, { value }, card));
    return /<button[^>]*class="button primary"([^>]*)>Approve 300 USDT/.exec(html)?.[1];
  };
  expect(approves(step(loanGuard, '0x12'))).toBe('');
  expect(approves(approval)).toContain('disabled');
  expect(html).toContain(guardWords.mustWaitForOther);
});

test('an approval is asked for unless exactly that stands already', () => {
  const targets = (allowance: (total: bigint) => bigint) => {
    const draft = drafted();
    const market = { ...draft.market, allowance: allowance(draft.total) };
    const context = { borrower: owner, adapter, now, replaces: undefined };
    return guardSteps({ ...draft, market }, settings, context).map(({ to }) => to);
  };
  expect(targets((total) => total)).toEqual([loanGuard]);
  for (const off of [1n, -1n]) expect(targets((total) => total + off)).toEqual([usdtMarket.token, loanGuard]);
});

test('what a guard’s form asks to sign, and a refusal, stand before its button', () => {
  const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
  const key = JSON.stringify([suggested(usdtMarket), usdtMarket.market, '0', undefined]);
  const tried = { refused: { words: 'It says no.' }, cost: undefined };
  const html = htmlOf(createElement(SetGuard, props), [['chain', 'tried', owner, key], tried]);
  expect(html).toMatch(/id="can-happen".*It says no\..*type="submit"/);
});

test('the contracts are asked about all steps in their order, as their signer, before the first is signed', async () => {
  const context = { borrower: owner, adapter, now, replaces: guard };
  const steps = guardSteps(drafted(), settings, context);
  const asked: { data: Hex; account: Hex }[] = [];
  const refusal = '0x12345678';
  const client = (isOk: boolean) =>
    ({
      call: async (call: { data: Hex; account: Hex }) => {
        asked.push(call);
        const answers = steps.map((_, step) => ({ isOk: isOk || step !== 1, data: refusal }) as const);
        const shape = readLensAbi.find((each) => 'name' in each && each.name === 'read') as never as {
          outputs: readonly never[];
        };
        return { data: encodeAbiParameters(shape.outputs, [1n, answers] as never) };
      },
      simulateBlocks: async () => [{ calls: steps.map(() => ({ status: 'success', gasUsed: 100n })) }],
      getGasPrice: async () => 3n,
    }) as never;
  expect(await tryCalls(client(true), owner, steps)).toEqual({ refused: undefined, cost: { gas: 300n, wei: 900n } });
  const [call] = asked;
  expect(call?.account).toBe(owner);
  const { args } = decodeFunctionData({ abi: readLensAbi, data: call?.data ?? '0x' });
  const calls = (args?.[0] ?? []) as readonly { readonly target: Hex; readonly data: Hex }[];
  expect(calls.map(({ target }) => target.toLowerCase())).toEqual([usdt, loanGuard, loanGuard]);
  expect(decodeFunctionData({ abi: erc20Abi, data: calls[0]?.data ?? '0x' })).toMatchObject({
    ...{ functionName: 'approve', args: [loanGuard, wad('400')] },
  });
  expect((await tryCalls(client(false), owner, steps)).refused).toBeDefined();
});

test('“Guard set” is followed by what that very guard could do, and never by “active”', () => {
  const topics = encodeEventTopics({
    ...{ abi: loanGuardAbi, eventName: 'GuardRegistered', args: { guardId: 7n, borrower: owner, funder: owner } },
  }) as readonly Hex[];
  const logs = [{ address: loanGuard, topics }];
  expect(registeredIn([{ logs: [] }, { logs }], { loanGuard })).toBe(7n);
  // Another contract's log does not count.
  expect(registeredIn([{ logs: [{ address: stranger, topics }] }], { loanGuard })).toBeUndefined();
  const said = (covered: readonly Covered[]) =>
    drawn(createElement(GuardSet, { id: 7n, covered, protocol: 'Venus', token: usdtMarket }));
  const poor = covers({ id: 7n, means: { ...means, balance: 0n } });
  expect(said([covers(), poor])).toContain('cannot pay: no balance');
  expect(said([covers({ id: 7n })])).toContain(' guarded ');
  expect(said([covers()])).toContain('The page has not read yet what the new guard can do now');
  expect(said([covers()])).not.toMatch(/guarded|active/);
});

test('before a guard ends the page asks, and it offers back what no other guard needs of its approval', () => {
  const paid = (changes: Partial<Guard>, allowance = '900') => ({
    ...guard,
    ...changes,
    means: { ...means, allowance: wad(allowance) },
  });
  const [own, other] = [paid({}), paid({ id: 2n })];
  expect(freedBy(own, ownedOf(own), now, false)).toEqual({ kept: 0n, freed: wad('900') });
  expect(freedBy(own, ownedOf(own, other), now, false)).toEqual({ kept: wad('300'), freed: wad('600') });
  // The other guard may take the whole approval within a day.
  expect(freedBy(paid({}, '300'), ownedOf(own, other), now, false)).toEqual({ kept: wad('300'), freed: 0n });
  expect(freedBy(own, ownedOf(own, { ...other, expiresAt: now }), now, false)?.kept).toBe(0n);
  expect(freedBy(own, { ...ownedOf(own), funded: [{ ...other, borrower: stranger }] }, now, false)?.kept).toBe(
    wad('300'),
  );
  // Nothing is offered while a guard that shares the approval may be unknown.
  expect(freedBy(own, ownedOf(own), now, true)).toBeUndefined();
  expect(freedBy(own, { ...ownedOf(own), unread: [4n] }, now, false)).toBeUndefined();

  const asks = (kept: bigint) => {
    const props = { id: 1n, back: { kept, freed: wad('600') }, shown: (base: bigint) => `${base / wad('1')} USDT` };
    return htmlOf(
      createElement(CancelAsked<bigint>, { ...props, words: guardWords, isBusy: false, cancel() {}, keep() {} }),
    );
  };
  expect(asks(0n)).toContain('Also revoke its approval of 600 USDT');
  expect(asks(0n)).toMatch(/<input[^>]*checked/);
  // Leaving less for another guard is the owner's choice, so the box is not checked.
  expect(asks(wad('300'))).toContain('keep 300 USDT');
  expect(asks(wad('300'))).not.toMatch(/<input[^>]*checked/);
});

test('an approval that no guard can use any more is offered back, after an expiry too', () => {
  const left = { ...usdtMarket, allowance: wad('400') };
  const loans = [{ ...loan, markets: [left] }];
  const unused = (owned: OwnedGuards, isStale = false) =>
    unusedApprovals(owner, owned, loans, now, isStale).map(({ token, allowance }) => [token, allowance]);
  expect(unused(ownedOf())).toEqual([[usdt, wad('400')]]);
  expect(unused(ownedOf({ ...guard, status: 'cancelled', means: undefined }))).toEqual([[usdt, wad('400')]]);
  expect(unused(ownedOf(guard))).toEqual([]);
  expect(unused(ownedOf({ ...guard, expiresAt: now }))).toEqual([[usdt, wad('400')]]);
  expect(unused(ownedOf(), true)).toEqual([]);
  const none = [{ ...loan, markets: [usdtMarket] }];
  expect(unusedApprovals(owner, ownedOf(), none, now, false)).toEqual([]);
  expect(unused({ ...ownedOf(), unread: [4n] })).toEqual([]);
  expect(unused({ ...ownedOf(), upTo: 4n })).toEqual([]);
  // Receipts that a sale did not take are listed apart from the wallet's approvals. Sales of one deposit share them.
  const sale = { collateralMarket: pad(stranger), collateralToken: eth } as NonNullable<Guard['sale']>;
  const sold = { ...guard, id: 3n, sale, expiresAt: now };
  const receipts = [[stranger, means.allowance]];
  const ofSales = (...guards: readonly Guard[]) =>
    unusedApprovals(owner, ownedOf(...guards), none, now, false).map(({ token, allowance }) => [token, allowance]);
  expect(ofSales(sold, guard)).toEqual(receipts);
  expect(ofSales(sold, { ...sold, id: 4n, expiresAt: now + 1n })).toEqual([]);
  expect(ofSales({ ...sold, funder: stranger })).toEqual([]);
  const spare = { account: owner, owned: ownedOf(sold), loans: [], isStale: false, now };
  const contracts = { ...settings.contracts, collateralGuard: adapter };
  const value = { ...settings, contracts };
  const drawnSpare = drawn(createElement(SettingsProvider, { value }, createElement(SpareApprovals, spare)));
  expect(drawnSpare).toMatch(/Guards are approved for ETH deposits’ receipts .* Revoke/);
  // If the loan is gone, the expired guard's own reading shows the approval.
  const expired = unusedApprovals(owner, ownedOf({ ...guard, expiresAt: now }), [], now, false);
  expect(expired).toMatchObject([{ token: usdt, allowance: means.allowance }]);
});

test('what a guard’s card shows of an old reading has its time, and lacks nothing by it', () => {
  const fresh = thisMoment();
  const old = { readAt: earlier(fresh, 3_600_000) };
  expect(asOfReadings({ readAt: fresh }, { readAt: fresh }, fresh)).toEqual({ guard: undefined, loan: undefined });
  const asOf = asOfReadings(old, old, fresh);
  // During the first hour of a day, the time includes a date.
  const time = expect.stringMatching(/^(\d+ \w+ \d{4}, )?\d\d:\d\d/);
  expect(asOf).toEqual({ guard: time, loan: time });
  const covered: Covered = { ...covers(), coverage: { state: 'unable', why: 'unknown' }, asOf };
  const card = cardOf(covered);
  expect(card).toContain(`Health at ${asOf.loan} 1.20`);
  expect(card).toContain(`at ${asOf.guard} 200 USDT`);
  expect(card).toContain(`Left today (UTC) at ${asOf.guard}`);
  expect(card).not.toContain('Health now');
  expect(card).toMatch(/Funded down to \(if only ETH moves\) unknown/);
  const poor = covers({ means: { ...means, balance: wad('50') } });
  expect(cardOf(poor)).toContain('In the wallet: 50 USDT');
  expect(cardOf({ ...poor, asOf })).not.toContain('In the wallet: 50 USDT');
});

test('a guard whose payer holds too little is red, says where to send what is missing, and lets who can buy it', () => {
  const poor = (base: bigint, changes: Partial<Guard> = {}) =>
    covers({ means: { ...means, allowance: wad('300'), balance: base }, ...changes });
  const listed = (...assets: readonly object[]) => ({ ...settings, assets }) as unknown as Settings;
  const stable = { decimals: 18, class: 'stable' };
  const dollars = listed(
    { ...stable, symbol: 'USDT', address: usdt, quote: 'USDC' },
    { ...stable, symbol: 'USDC', address: at('c'), quote: 'USDT' },
  );
  const html = (of: Covered, account = owner, known = dollars) => {
    const card = createElement(GuardCard, { ...of, now, account });
    return htmlOf(createElement(SettingsProvider, { value: known }, card));
  };
  for (const [balance, badge] of [
    [0n, 'cannot pay: no balance'],
    [wad('9'), 'balance too low'],
  ] as const) {
    const card = html(poor(balance));
    expect(card).toContain(`<span class="badge word bad">${badge}</span>`);
    expect(card).toContain('<ul class="lacks ');
    expect(card).toMatch(new RegExp(`In the wallet: ${balance / wad('1')} USDT of the .* Add .*${owner}`));
    expect(card).not.toContain('href="/trade"');
  }
  // If another account pays, its address is shown. Only the payer gets a link to buy a token that can be bought.
  expect(html(poor(0n, { funder: stranger }))).toContain(`<code class="full">${stranger}</code>`);
  const sold = listed(
    { ...stable, symbol: 'USDT', address: at('c'), quote: 'USDC' },
    { ...stable, symbol: 'ETH', address: usdt, class: 'crypto', quote: 'USDT' },
  );
  expect(html(poor(0n), owner, sold)).toMatch(/<a [^>]*>Buy ETH<\/a>/);
  expect(html(poor(0n), stranger, sold)).not.toContain('href="/trade"');
  // A balance for a whole rescue lacks nothing.
  expect(html(poor(wad('300')))).not.toContain('In the wallet: ');
});

test('an expired guard takes nothing, and so shares nothing with the one beside it', () => {
  const low = { means: { ...means, allowance: wad('50') } };
  const [expired, live] = [covers({ ...low, expiresAt: now }), covers({ ...low, id: 2n })];
  const of = (covered: Covered, ...guards: readonly Guard[]) =>
    cardOf(covered, { account: owner, owned: ownedOf(...guards) });
  const beside = of(live, expired.guard, live.guard);
  expect(beside).toContain('Approve 300 USDT');
  expect(beside).toContain(' Pause ');
  expect(beside).not.toContain('which another guard uses too');
  // An approval for the expired guard would replace the live guard's.
  const ended = of(expired, expired.guard, live.guard);
  expect(ended).toContain('Extend');
  for (const act of [/Approve \d/, / Pause /]) expect(ended).not.toMatch(act);
  // With two guards that may take: no pause, and the card says why.
  const second = { ...guard, ...low };
  const shared = of(live, second, live.guard);
  expect(shared).toContain('Approve 350 USDT');
  expect(shared).not.toContain(' Pause ');
  expect(shared).toContain('Pausing revokes the approval of USDT, which another guard uses too.');
  // Another account's approval is not shared with the own account's.
  expect(of(live, { ...second, funder: stranger }, live.guard)).toContain(' Pause ');
  expect(sharedBy(ownedOf(expired.guard), usdtMarket, 1n, now)).toBeUndefined();
  expect(sharedBy(ownedOf(live.guard), usdtMarket, 1n, now)).toBeDefined();
  // A guard that another account pays for takes nothing from this one.
  expect(sharedBy(ownedOf({ ...live.guard, funder: stranger }), usdtMarket, 1n, now)).toBeUndefined();
  // A guard that sells takes receipts, and shares their approval.
  const sale = {
    funding: 'collateral',
    collateralMarket: pad(stranger),
    collateralToken: usdt,
    maxCostBps: 200,
  } as const;
  const owned = ownedOf({ ...live.guard, sale });
  const receipts = { token: stranger, symbol: 'receipts', allowance: 1n };
  expect(sharedBy(owned, usdtMarket, 1n, now)).toBeUndefined();
  expect(sharedBy(owned, receipts, 1n, now)).toBeDefined();
  expect(sharedBy(owned, receipts, 1n, now, owned.guards[0])).toBeUndefined();
});

test('on Home an expired guard needs nothing where another one is of its loan', () => {
  const of = (...all: readonly Covered[]) => {
    const known = {
      loans: [loan],
      covered: all.map((each) => ({ ...each, loan })),
      plans: undefined,
      activity: {},
      now,
    };
    return actionItemsOf({ ...known, buyer: buysAll(settings) }, settings).map(({ key }) => key);
  };
  const expired = covers({ expiresAt: now });
  expect(of(expired, covers({ id: 2n }))).toEqual([]);
  expect(of(expired)).toEqual(['guard-1-expiry']);
  expect(of(expired, covers({ id: 2n, expiresAt: now }))).toEqual(['guard-1-expiry', 'guard-2-expiry']);
  expect(of(expired, covers({ id: 2n, status: 'cancelled' }))).toEqual(['guard-1-expiry']);
});

test('“not funded” stands on Home only where approval or balance is too low', () => {
  const sure = { loans: true, guards: true, plans: true, activity: true };
  const of = (...all: readonly Covered[]) => {
    const known = {
      loans: [loan],
      covered: all.map((each) => ({ ...each, loan })),
      plans: undefined,
      activity: {},
      now,
    };
    return /^\d+\.\d\d (.*?) · /.exec(stateOf({ ...known, buyer: buysAll(settings) }, sure, settings))?.[1];
  };
  const money = (changes: Partial<typeof means>) => ({ means: { ...means, ...changes } });
  for (const poor of [{ allowance: 0n }, { allowance: wad('9') }, { balance: 0n }, { balance: wad('9') }]) {
    expect(of(covers(money(poor)))).toBe('not funded');
  }
  const expired = covers({ expiresAt: now });
  expect(of(expired)).toBe('guard expired');
  expect(of(covers(money({ isRepayPaused: true })))).toBe('cannot pay: Venus paused');
  expect(of(covers(money({ marketToken: eth })))).toBe('cannot pay: token changed');
  expect(of(covers({ day: now / DAY, takenInDay: wad('295') }))).toBe('daily limit used up');
  // What holds back an unexpired guard outranks another guard's expiry.
  expect(of(expired, covers({ id: 2n, ...money({ isRepayPaused: true }) }))).toBe('cannot pay: Venus paused');
  // A cap that stops a rescue short of the target is not a lack of money; an approval that does so is.
  expect(of(covers({ capPerRescue: wad('50') }))).toBe('partly guarded');
  expect(of(covers(money({ allowance: wad('50') })))).toBe('partly guarded, not funded');
});

test('amounts of a token whose decimals are not known are base units', () => {
  const unlisted = { repayToken: at('d'), means: undefined };
  const card = cardOf({ ...covers(unlisted), loan: undefined }, { account: owner });
  expect(card).toContain('Max per rescue 300000000000000000000 units');
  expect(card).toContain('Min per rescue 10000000000000000000 units');
  expect(card).not.toContain('300,000,000');
  // The loan's own market has the decimals.
  expect(cardOf(covers(unlisted), { account: owner })).toContain('Max per rescue 300 USDT');
});

test('of an address that is only looked at nothing is called “yours”, and nothing is drafted', () => {
  const readAt = thisMoment();
  const part = <Data>(data: Data) => ({ data: { ...data, readAt }, error: undefined });
  const poor = { ...guard, means: { ...means, allowance: 0n } };
  const others = { ...poor, id: 2n, borrower: stranger };
  const guards = part({ ...ownedOf(poor), funded: [others] });
  const reading = { loans: [part(loan)], guards, others: [{ ...loan, borrower: stranger, readAt }] };
  const at_ = (section: ReactElement, path: string) =>
    htmlOf(
      createElement(Router, { ssrPath: path, ssrSearch: `address=${owner}` } as never, section),
      [['chain', 'guarded', owner], reading],
      [
        ['chain', 'overview', owner],
        { ...reading, plans: part({ ...ownedOf(), plans: [], allowances: {}, balances: {} }), activity: {} },
      ],
    );
  const section = at_(createElement(OwnLoans, { borrower: owner }), '/loans');
  expect(section).toContain('Loan of 0x4444…4444 in Venus');
  expect(section).toContain('Guards this account funds');
  expect(section).toContain('Approved: 0 USDT of the');
  expect(section).not.toMatch(/\b[Yy]ou(r)?\b/);
  for (const act of [
    'Add collateral',
    'Set a guard',
    'Set another',
    'Approve 300',
    'Edit',
    'Extend',
    'Cancel permanently',
    'Revoke',
  ]) {
    expect(section, act).not.toContain(act);
  }
  const home = (isOwn: boolean) => at_(createElement(OwnHome, { owner, isOwn }), '/');
  expect(home(false)).toContain('aria-label="Status of 0x4444…4444"');
  expect(home(false)).toContain('approved 0 USDT of the');
  expect(home(false)).toMatch(/<a [^>]*>View<\/a>/);
  for (const own of [/\b[Yy]ou(r)?\b/, /Approve more/]) {
    expect(home(false)).not.toMatch(own);
    expect(home(true)).toMatch(own);
  }
});

test('no two labels of the bar of health are on one line', () => {
  const marks = { healthWad: wad('1.02'), triggerHealthWad: wad('1.01'), targetHealthWad: wad('1.03') };
  for (const forcedMarkets of [[], undefined]) {
    const html = htmlOf(createElement(HealthBar, { ...marks, forcedMarkets }));
    const lines = [...html.matchAll(/<text [^>]*y="(\d+)"/g)].map(([, y]) => y);
    expect(lines).toHaveLength(3);
    expect(new Set(lines).size).toBe(3);
  }
  // A guard that repays the whole debt has no target health.
  const unwind = htmlOf(createElement(HealthBar, { ...marks, targetHealthWad: 2n ** 64n - 1n, forcedMarkets: [] }));
  expect([...unwind.matchAll(/<text /g)]).toHaveLength(2);
});

test('WB-36: a guard that cannot act, and ends soon, is told of for both', () => {
  const covered = covers({ expiresAt: now + DAY, means: { ...means, isRepayPaused: true } });
  const known = { loans: [loan], covered: [{ ...covered, loan }], plans: undefined, activity: {}, now };
  const keys = actionItemsOf({ ...known, buyer: buysAll(settings) }, settings).map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining(['guard-1-expiry', 'guard-1-repay_paused']));
});

test('what mends a guard is the loudest act, and another guard a quiet one', () => {
  const poor = covers({ means: { ...means, allowance: 0n }, expiresAt: now + DAY });
  const buttons = (html: string) =>
    [...html.matchAll(/<button [^>]*class="([^"]*)"[^>]*>([^<]+)</g)].map(([, look, name]) => [name, look]);
  const card = buttons(htmlOf(createElement(GuardCard, { ...poor, now, account: owner, owned: ownedOf(poor.guard) })));
  expect(card.filter(([, look]) => look?.includes('primary'))).toEqual([['Approve 300 USDT', 'button primary']]);
  expect(card).toContainEqual(['Extend', 'button']);
  const loanOf = (...guards: readonly Covered[]) => {
    const moment = thisMoment();
    const props = {
      borrower: owner,
      loan: { ...loan, readAt: moment },
      error: undefined,
      owned: ownedOf(),
      now,
      moment,
    };
    return buttons(htmlOf(createElement(OwnLoan, { ...props, guards, isStale: false, isOwn: true, retry() {} })));
  };
  expect(loanOf()).toContainEqual(['Set a guard', 'button primary']);
  expect(loanOf(poor)).toContainEqual(['Set another guard', 'button quiet']);
});

test('WB-310: in danger the first button says what helps at once, and the number is red', () => {
  const htmlOfLoan = (healthWad: bigint, guards: readonly Covered[] | undefined, changes: object = {}) => {
    const moment = thisMoment();
    const shown = { ...loan, healthWad, weightedUsdWad: healthWad * 1_000n, readAt: moment };
    const props = { borrower: owner, loan: shown, error: undefined, owned: ownedOf(), now, moment, guards };
    return htmlOf(createElement(OwnLoan, { ...props, isStale: false, isOwn: true, retry() {}, ...changes }));
  };
  const buttons = (html: string) =>
    [...html.matchAll(/<button [^>]*class="button([^"]*)"[^>]*>([^<]+)<span class="unseen"> for the loan/g)].map(
      ([, look, name]) => name + (look ?? ''),
    );
  const isRed = (html: string) => /class="health-number bad"/.test(html);
  const calm = htmlOfLoan(wad('1.2'), []);
  expect([buttons(calm), isRed(calm)]).toEqual([
    ['Repay', 'Add collateral', 'Set a guard primary', 'Close now quiet'],
    false,
  ]);
  // Repaying 160 of the 1,000 debt, against 1,050 of collateral, brings health to 1.25. The wallet has 500.
  const danger = htmlOfLoan(wad('1.05'), [covers()]);
  expect(buttons(danger)).toEqual([
    ...['Repay 160.01 USDT primary', 'Add collateral', 'Set another guard quiet', 'Close now'],
  ]);
  expect(isRed(danger)).toBe(true);
  // Below a guard's trigger, and without any reading of guards.
  expect(buttons(htmlOfLoan(wad('1.19'), [covers({ triggerHealthWad: wad('1.2') })]))[0]).toBe(
    'Repay 48.001 USDT primary',
  );
  expect(buttons(htmlOfLoan(wad('1.05'), undefined))).toEqual(['Repay 160.01 USDT primary', 'Add collateral']);
  // The button promises no more than the wallet has.
  const poor = { ...loan, markets: loan.markets.map((each) => ({ ...each, walletBalance: wad('70') })) };
  const moment = thisMoment();
  expect(
    buttons(
      htmlOfLoan(wad('1.05'), [], {
        loan: { ...poor, healthWad: wad('1.05'), weightedUsdWad: wad('1050'), readAt: moment },
      }),
    )[0],
  ).toBe('Repay 70 USDT primary');
  expect(buttons(htmlOfLoan(wad('1.05'), [], { isOwn: false }))).toEqual([]);
});

test('WB-36: whose word “guarded” rests on stands beside it', () => {
  const word = 'The agent says it is watching; this can’t be verified on chain.';
  expect(cardOf(covers())).toContain(word);
  expect(loanCardOf(covers())).toContain(word);
  const unseen = { ...covers(), coverage: coverageOf(guard, loan, now, false, () => 'unseen') };
  expect(cardOf(unseen)).not.toContain(word);
  expect(agentsWord({ state: 'unable', why: 'no_balance' })).toBeUndefined();
});

test('guards that have ended fold away, with their number', () => {
  const ended = [covers({ id: 2n, status: 'cancelled' }), covers({ id: 3n, status: 'revoked' })];
  const expired = covers({ id: 4n, expiresAt: now });
  const card = ({ guard: { id } }: Covered) => createElement('p', { key: String(id) }, `card ${id}`);
  const html = htmlOf(createElement(Cards, { all: [...ended, covers(), expired], card }));
  expect(html).toMatch(/^<div class="long-list"><p>card 1<\/p><\/div><details[^>]*><summary>Ended \(3\)<\/summary>/);
  expect(htmlOf(createElement(Cards, { all: [covers()], card }))).not.toContain('details');
  // A guard that is not known to have ended is not called ended.
  expect(htmlOf(createElement(Cards, { all: [covers({ means: undefined })], card }))).not.toContain('details');
});

test('the form shows the whole address that the wallet will name, to compare and to copy', () => {
  expect(drawn(createElement(Spender, { address: loanGuard }))).toContain(loanGuard);
  const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
  expect(drawn(createElement(SetGuard, props))).toContain(loanGuard);
});

test('no loan is called “not guarded” while guards that could be its own are not known', () => {
  const known = { loans: [loan], covered: [], plans: undefined, activity: {}, now, buyer: buysAll(settings) };
  const keys = (hasUnknownGuards: boolean) =>
    actionItemsOf({ ...known, hasUnknownGuards }, settings).map(({ key }) => key);
  expect(keys(false)).toEqual(['loan-Venus']);
  expect(keys(true)).toEqual([]);

  const moment = thisMoment();
  const props = { borrower: owner, loan: { ...loan, readAt: moment }, error: undefined, now, moment };
  const ownLoan = (owned: OwnedGuards, ...guards: readonly Covered[]) =>
    drawn(createElement(OwnLoan, { ...props, owned, guards, isStale: false, isOwn: true, retry() {} }));
  expect(ownLoan(ownedOf())).toContain('not guarded');
  for (const gap of [{ unread: [3n] }, { upTo: 4n }]) {
    const said = ownLoan({ ...ownedOf(), ...gap });
    expect(said).toContain('guards unknown');
    expect(said).not.toContain('not guarded');
  }
  expect(ownLoan({ ...ownedOf(), unread: [3n] }, covers())).not.toContain('guards unknown');

  // The page of an ended guard cannot tell whether another one has taken its place.
  const readAt = { readAt: moment };
  const byId = (status: Guard['status']) => {
    const reading = { guard: { ...guard, status, ...readAt }, loan: { ...loan, ...readAt }, time: now, asked: [] };
    return drawn(createElement(GuardById, { id: 1n }), [['chain', 'guard', '1'], reading]);
  };
  expect(byId('cancelled')).toContain('guards unknown');
  expect(byId('cancelled')).not.toContain('not guarded');
  expect(byId('active')).not.toContain('guards unknown');
});

/** What Home says about one loan: its sentence, and what to do or wait for. */
function homeSays(of: Loan, ...all: readonly Covered[]) {
  const covered = all.map((each) => ({ ...each, loan: of }));
  const known = { loans: [of], covered, plans: { plans: [], allowances: {}, balances: {} }, activity: {}, now };
  const sure = { loans: true, guards: true, plans: true, activity: true };
  const items = actionItemsOf({ ...known, buyer: buysAll(settings) }, settings);
  return {
    said: stateOf({ ...known, buyer: buysAll(settings) }, sure, settings),
    tone: toneOf({ ...known, buyer: buysAll(settings) }, sure, settings),
    needed: items.filter(({ isWait }) => !isWait).map(({ key }) => key),
    waits: items.filter(({ isWait }) => isWait).map(({ key }) => key),
    texts: items.map(({ text }) => text),
  };
}
/** The loan at the ETH price that gives this health. */
const loanAt = (health: string): Loan => {
  const [own, ethPart] = loan.parts as NonNullable<Loan['parts']>;
  const priceWad = (wad(health) * 4_000n) / 3n;
  return {
    ...{ ...loan, weightedUsdWad: wad(health) * 1_000n, healthWad: wad(health) },
    parts: [own, { ...ethPart, priceWad }] as NonNullable<Loan['parts']>,
  };
};

test('while a rescue is due and none has come, no guard is called guarded, and nothing fine', () => {
  const rich = { means: { ...means, allowance: wad('400'), balance: wad('400') } };
  const at_ = (health: string, changes: Partial<Guard> = {}) => {
    const of = loanAt(health);
    const covered = covers({ ...rich, ...changes }, of);
    return {
      ...coverageWords(covered.coverage, 'Venus', { amount: String, cost: String }, String),
      ...homeSays(of, covered),
      of,
      covered,
    };
  };
  expect(at_('1.1')).toMatchObject({ badge: 'guarded', tone: 'good', needed: [], waits: [] });

  const due = at_('1.0999');
  expect(due).toMatchObject({ badge: 'rescue due now', tone: 'caution', needed: [], waits: ['guard-1-due'] });
  expect(due.more).toBe('Health is 1.09, below the trigger of 1.10. The rescue that is due has not come yet.');
  expect(due.said).toMatch(/^1\.09 rescue due now, funded until ETH alone falls to .* · 0 1 thing to watch$/);
  expect(due.texts).toEqual([
    `Guard 1: rescue due now. ${due.more} If none comes soon, repay some debt or add collateral.`,
  ]);
  expect(at_('1')).toMatchObject({ badge: 'rescue due now' });

  const late = at_('0.99');
  expect(late).toMatchObject({ badge: 'can be liquidated now', needed: ['guard-1-liquidatable'], waits: [] });
  expect(late.said).toMatch(/^0\.99 can be liquidated now · .* · 1$/);
  expect(late.texts[0]).toMatch(/^The loan in Venus can be liquidated now\. Health is 0\.99, below the trigger/);
  expect(coverageWords(late.covered.coverage, 'Venus', { amount: String, cost: String }, String).tone).toBe('bad');
  expect(loanCardOf(late.covered, late.of)).toMatch(
    /ETH \$1,320\.00 as now If only ETH moves Rescue below \$1,466\.67 Funded down to can be liquidated now/,
  );
  expect(cardOf(late.covered)).toContain('Funded down to (if only ETH moves) can be liquidated now');

  // By Chainlink's prices, if the guard watches them.
  const byOther = { ...loanAt('1.15'), chainlinkHealthWad: wad('1.05') };
  const words = coverageWords(
    coverageOf({ ...guard, ...rich }, byOther, now, true),
    'Venus',
    { amount: String, cost: String },
    String,
  );
  expect(words).toMatchObject({ badge: 'rescue due now' });
  expect(words.more).toContain('At Chainlink’s prices, health is 1.05, below the trigger of 1.10');
});

test('a guard whose market has too little debt to reach the target leaves something to do', () => {
  const other = { ...usdtMarket, market: pad(at('d')), token: at('d'), symbol: 'USDC', debt: wad('900') };
  const of = { ...loan, markets: [{ ...usdtMarket, debt: wad('100') }, ...loan.markets.slice(1), other] };
  const partly = covers({}, of);
  expect(homeSays(of, partly)).toMatchObject({
    ...{ tone: 'caution', needed: ['guard-1-part'] },
    texts: [
      'Guard 1 can repay at most 100 USDT, all the debt in its market; its target needs 120 USDT. Guard the other debts too.',
    ],
  });
  expect(homeSays(of, partly).said).toMatch(/^\d\.\d\d partly guarded · .* · 1$/);
  // Another guard reaches the target.
  const prices = { [market]: wad('1'), [other.market]: wad('1') };
  const mended = { ...of, prices };
  const second = {
    id: 2n,
    market: other.market,
    repayToken: other.token,
    means: { ...means, marketToken: other.token },
  };
  expect(homeSays(mended, covers({}, mended), covers(second, mended)).needed).toEqual([]);
});

test('what can only be waited for is neither a transaction nor nothing', () => {
  const rests = { rescues: 1, lastRescueAt: now - 60n };
  const waiting = homeSays(loan, covers(rests));
  expect(waiting).toMatchObject({ tone: 'caution', needed: [], waits: ['guard-1-rests'] });
  expect(waiting.said).toMatch(/^\d\.\d\d cooling down until .* · 0 1 thing to watch$/);
  expect(waiting.texts[0]).toContain('If health falls below the trigger before then, this guard cannot act');
  // Below the trigger, only the owner can act until the cooldown ends.
  const low = loanAt('1.09');
  const bare = homeSays(low, covers(rests, low));
  expect(bare).toMatchObject({ needed: ['guard-1-rests'], waits: [] });
  expect(bare.texts[0]).toMatch(
    /Health is 1\.09, .* Until then, repay some debt, add collateral or set another guard\.$/,
  );
  // A rescue has just come, and was not enough.
  expect(bare.texts[0]).not.toContain('The rescue that is due has not come yet');
  // If no keeper is seen that would act afterwards, waiting is not enough.
  const unseen = { ...covers(rests), coverage: coverageOf({ ...guard, ...rests }, loan, now, false, () => 'unseen') };
  expect(homeSays(loan, unseen)).toMatchObject({ needed: ['guard-1-rests'], waits: [] });
});

test('what a guard lacks is rounded up, and what it has is cut', () => {
  const short = { means: { ...means, balance: wad('120') }, targetHealthWad: wad('1.2500001') };
  const card = cardOf(covers(short));
  expect(card).toContain('In the wallet: 120 USDT of the 120.001 USDT the next rescue needs. Add 0.0000704 USDT.');
  expect(homeSays(loan, covers(short)).texts).toContain(
    'Guard 1: the wallet holds 120 USDT of the 120.001 USDT the next rescue needs.',
  );
});

test('the limits that a form begins with are of the size of the debt, whatever one token is worth', () => {
  const of = (debt: bigint, decimals = 18) => {
    const { capPerRescue, capPerDay, total } = suggested({ ...usdtMarket, debt, decimals });
    expect(capPerDay).toBe(capPerRescue);
    return [capPerRescue, total];
  };
  expect(of(wad('1000'))).toEqual(['501', '1002']);
  expect(of(wad('199'))).toEqual(['99.6', '199.2']);
  expect(of(wad('0.0003'))).toEqual(['0.000151', '0.000302']);
  expect(of(wad('0.000312345'))).toEqual(['0.000157', '0.000314']);
  expect(of(1n)).toEqual(['0.000000000000000001', '0.000000000000000002']);
  expect(of(7n, 0)).toEqual(['4', '8']);
  // At least half of the debt, and little more.
  for (let debt = 1_001n; debt < 10n ** 30n; debt = debt * 3n + 1n) {
    const cap = parseEther(of(debt)[0] ?? '');
    expect(cap * 2n >= debt && cap * 200n <= debt * 102n, String(debt)).toBe(true);
  }
});

test('no form takes a trigger that the agent does not serve, also where the whole debt is to be repaid', () => {
  const served = servedByDefault.maxTriggerHealthWad;
  const amounts = { capPerRescue: '100', capPerDay: '100', total: '100', target: '9' };
  const ofWallet = (trigger: string) => readGuardForm({ ...blankGuard, ...amounts, trigger }, usdtMarket, wad('1'));
  const markets = { debt: usdtMarket, collateral: loan.markets[1] as LoanMarket };
  const ofSale = (goal: 'restore' | 'unwind') => (trigger: string) => {
    const form = { ...blankSale, goal, trigger, target: '9', capPerRescue: '100', sellAtMost: '1' };
    return readSaleForm(form, markets, loan, [], now);
  };
  for (const read of [ofWallet, ofSale('restore'), ofSale('unwind')]) {
    expect(read(formatEther(served)).errors.trigger).toBeUndefined();
    expect(read(formatEther(served + 1n)).errors.trigger).toMatch(/2\.00/);
  }
});

test('a guard of a market without debt needs nothing, expired or not', () => {
  const free = { ...loan, markets: [{ ...usdtMarket, debt: 0n }], debtUsdWad: 0n, healthWad: undefined };
  for (const changes of [{}, { expiresAt: now }, { expiresAt: now + DAY }, { means: undefined }]) {
    expect(homeSays(free, covers(changes, free)).needed).toEqual([]);
    // A debt in another market has no guard.
    const other = { ...loan, markets: [{ ...usdtMarket, debt: 0n }, ...loan.markets.slice(1)] };
    expect(homeSays(other, covers(changes, other))).toMatchObject({ needed: ['loan-Venus'] });
    expect(homeSays(other, covers(changes, other)).said).toMatch(/^\d\.\d\d not guarded · /);
  }
  expect(homeSays(free, covers({ expiresAt: now }, free)).said).toMatch(
    /^— no loan in Venus · .* · 0 no action needed$/,
  );
});

test('Home offers no act on a guard that its account cannot do', () => {
  const poor = { means: { ...means, allowance: 0n, balance: 0n }, expiresAt: now + DAY, capPerRescue: wad('100') };
  const actions = (changes: Partial<Covered> & { readonly guard?: Guard }) => {
    const each = { ...covers(poor), loan, ...changes };
    const known = { loans: [loan], covered: [each], plans: undefined, activity: {}, now, buyer: buysAll(settings) };
    return actionItemsOf(known, settings).map(
      ({ key, action, text }) => [key.replace('guard-1-', ''), action, text] as const,
    );
  };
  const own = actions({});
  expect(own.map(([what, action]) => `${what}: ${action}`)).toEqual([
    ...['allowance: Approve more', 'balance: View', 'cap_per_rescue: Raise limit', 'expiry: Extend'],
  ]);
  const paidByOther = actions({ guard: { ...guard, ...poor, funder: stranger }, isPaidByOther: true });
  expect(paidByOther.map(([, action]) => action)).toEqual(['View', 'View', 'View', 'View']);
  expect(paidByOther[1]?.[2]).toBe('Guard 1: its paying account holds 0 USDT of the 100 USDT the next rescue needs.');
  // For another account's loan, its payer approves, and only its borrower changes the terms.
  const funded = actions({ guard: { ...guard, ...poor, borrower: stranger, funder: owner } });
  expect(funded.map(([, action]) => action)).toEqual(['Approve more', 'View', 'View', 'View']);
  // The form cannot set the terms again if it does not know their price source.
  expect(actions({ guard: { ...guard, ...poor, priceSource: stranger } }).map(([, action]) => action)).toEqual([
    ...['Approve more', 'View', 'View', 'View'],
  ]);
});

test('WB-312: “Close now” offers the wallet first where that holds the whole debt, and says what else helps', () => {
  const of = (changes: Partial<Loan>, sellable: readonly LoanMarket[] = []) => {
    const own = { ...loan, ...changes };
    const props = { borrower: owner, loan: own, paid: own, markets: [usdtMarket], owned: ownedOf(), sellable };
    return drawn(createElement(CloseLoan, { ...props, isStale: false, close() {} }));
  };
  const rich = loan.markets.map((each) => ({ ...each, walletBalance: wad('1000') }));
  expect(of({ markets: rich })).toContain('MAX repays all of it if your wallet holds enough');
  expect(of({ markets: rich })).not.toContain('cannot close');
  const poor = of({});
  expect(poor).toContain('Bowline cannot sell this loan’s collateral in Venus.');
  for (const act of ['Repay ', 'Open Venus']) expect(poor).toContain(act);
  expect(of({ healthWad: wad('2') }, rich)).toContain('Agents act only below a health of 2.00');
  // If the wallet cannot repay the whole debt, the form starts with what the wallet has.
  const props = { loan, kind: 'repay', isWhole: true, targetHealthWad: wad('10'), isStale: false, close() {} } as const;
  expect(htmlOf(createElement(PayForm, props))).toContain('value="500"');
});

test('WB-312: interest since the trial makes no part of a whole repayment', () => {
  const of = (repaid: bigint) =>
    drawn(createElement(WouldRepay, { repaid, owed: wad('1000'), market: { ...usdtMarket, debt: wad('1000.5') } }));
  expect(of(wad('1000'))).toContain('Simulated now: it repays 1,000 USDT, all of the debt.');
  expect(of(wad('999'))).toContain('Right now it would repay only 999 USDT of 1,000 USDT.');
});

test('WB-313: a link sets the guard of its consent, by its borrower alone, and nothing else', () => {
  const terms = {
    ...{
      borrower: owner,
      funder: stranger,
      adapter,
      market,
      keeper: zeroAddress as Hex,
      priceSource: zeroAddress as Hex,
    },
    ...{ triggerHealthWad: wad('1.1'), targetHealthWad: wad('1.25'), capPerRescue: wad('300'), capPerDay: wad('400') },
    ...{ minRepay: wad('10'), cooldownSeconds: 600, expiresAt: Number(now + DAY) },
  };
  const linkOf = (changes: Partial<typeof terms>) => {
    const consent = { terms: { ...terms, ...changes }, nonce: 1n, deadline: now, borrowerEpoch: 0n, funderEpoch: 0n };
    return encodeFunctionData({ abi: loanGuardAbi, functionName: 'registerFunded', args: [consent, '0x1234'] });
  };
  const of = (text: string, changes: object = {}) => {
    const props = { borrower: owner, loans: [loan], owned: ownedOf(), isStale: false, text, ...changes };
    return drawn(createElement(ConsentOffer, props));
  };
  const offer = of(linkOf({}));
  expect(offer).toContain('0x5555…5555 has signed to pay for rescues of your loan in Venus.');
  expect(offer).toContain('At most 300 USDT per rescue and 400 USDT per UTC day');
  expect(offer).toContain(stranger);
  expect(offer).toContain('Set the guard');
  const unusable = 'This link contains no consent that this page can use.';
  for (const text of [
    ...['', '0x', 'hello', '0x12345678', linkOf({}).slice(0, 200)],
    ...[linkOf({ adapter: stranger }), linkOf({ market: pad(stranger) })],
    encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [1n] }),
  ]) {
    expect(of(text), text).toContain(unusable);
    expect(of(text), text).not.toContain('Set the guard');
  }
  const others = of(linkOf({ borrower: stranger }));
  expect(others).toContain(`This consent is for the loan of ${stranger}.`);
  expect(others).not.toContain('Set the guard');
  // Chainlink's prices can trigger a rescue too.
  const chainlink = 'A rescue also happens if Chainlink’s prices';
  expect(offer).not.toContain(chainlink);
  expect(of(linkOf({ priceSource: stranger }))).toContain(chainlink);
  // A guard that only one account may use to rescue can be a guard in name only.
  expect(offer).not.toContain('can rescue');
  expect(of(linkOf({ keeper: stranger }))).toContain(`Only ${stranger} can rescue.`);
  // The offer approves nothing, so it needs no reading of other guards. An unread loan does not make the link invalid.
  expect(of(linkOf({}), { isStale: true })).not.toContain(guardWords.mustWait);
  expect(of(linkOf({}), { loans: [] })).toBe('');
});

test('WB-313: a link may hold a consent to pay out of a deposit, only where such guards exist', () => {
  const terms = {
    ...{ borrower: owner, funder: stranger, adapter: at('d'), debtMarket: market, collateralMarket: ethMarket },
    ...{ keeper: zeroAddress as Hex, priceSource: at('8'), maxCostBps: 200, route: noRoute },
    ...{ triggerHealthWad: wad('1.1'), targetHealthWad: wad('1.25'), capPerRescue: wad('300'), capPerDay: wad('400') },
    ...{ minRepay: wad('10'), cooldownSeconds: 300, expiresAt: Number(now + DAY) },
  };
  const linkOf = (changes: Partial<typeof terms>) => {
    const consent = { terms: { ...terms, ...changes }, nonce: 1n, deadline: now, borrowerEpoch: 0n, funderEpoch: 0n };
    return encodeFunctionData({ abi: collateralGuardAbi, functionName: 'registerFunded', args: [consent, '0x1234'] });
  };
  const protocol = { ...loan.protocol, collateralAdapter: at('d') };
  const selling = {
    ...{ ...settings, lending: [protocol] },
    contracts: { ...settings.contracts, collateralGuard: at('e') },
  } as unknown as Settings;
  const of = (text: string, value = selling) => {
    const props = { borrower: owner, loans: [{ ...loan, protocol }], owned: ownedOf(), isStale: false, text };
    return drawn(createElement(SettingsProvider, { value }, createElement(ConsentOffer, props)));
  };
  const offer = of(linkOf({}));
  expect(offer).toContain('Its deposit in Venus pays, and what that costs is its own.');
  expect(offer).toContain('A rescue also happens if Chainlink’s prices');
  expect(offer).toContain('At most 300 USDT per rescue and 400 USDT per UTC day');
  expect(offer).toContain('Set the guard');
  expect(of(linkOf({ keeper: stranger }))).toContain(`Only ${stranger} can rescue.`);
  for (const [text, where] of [
    [linkOf({}), settings],
    [linkOf({ adapter: stranger }), selling],
    [linkOf({ debtMarket: pad(stranger) }), selling],
    [linkOf({}).slice(0, 300), selling],
  ] as const) {
    expect(of(text, where)).toContain('This link contains no consent that this page can use.');
    expect(of(text, where)).not.toContain('Set the guard');
  }
  expect(of(linkOf({ borrower: stranger }))).toContain(`This consent is for the loan of ${stranger}.`);
});

test('WB-313: who is to pay reads what may be taken, and that the borrower can bring it about', () => {
  const readAt = thisMoment();
  const reading = { loans: [], guards: { data: { ...ownedOf(), readAt }, error: undefined }, others: [] };
  const of = (openAt: (place: string) => object | undefined, guards: object = reading.guards) => {
    const act = { id: 'one', state: 'done', owner: stranger, steps: [], receipts: [], at: 1 };
    const value = { all: () => [act], subscribe: () => () => {}, openAt } as never;
    const element = createElement(FundLoan, { loan, funder: stranger, isStale: false, close() {} });
    return drawn(
      createElement(TransactionsContext, { value }, element),
      [['chain', 'guarded', stranger], { ...reading, guards }],
      [['chain', 'paid-by', stranger, [market]], [usdtMarket]],
    );
  };
  const form = of(() => undefined);
  expect(form).toContain('Pay for rescues of 0x4444…4444');
  expect(form).toContain('a rescue repays the USDT debt of 0x4444…4444 with your tokens');
  expect(form).toContain('the borrower can bring a rescue about');
  expect(form).not.toMatch(/your own USDT debt|Your loan/);
  const draft = { ...drafted(), watchesChainlink: true };
  const summary = fundingSummary(draft, loan, now).join(' ');
  expect(summary).toMatch(/also happens if Chainlink’s prices .* no rescue repays less than 10 USDT\./);
  expect(summary).toContain('a rescue by Venus’s prices may immediately follow one by Chainlink’s');
  expect(fundingSummary(drafted(), loan, now).join(' ')).not.toContain('Chainlink');
  // After an approval that was already in flight, its terms are gone: no one signs terms that nobody has read.
  for (const openAt of [
    () => ({ id: 'one' }),
    (place: string) => (place === 'new-guard-Venus' ? { id: 'one' } : undefined),
  ]) {
    expect(of(openAt)).toContain('the borrower can bring a rescue about');
    expect(of(openAt)).not.toContain('Sign the consent');
  }
  expect(of(() => undefined, { data: undefined, error: new Error('no answer') })).toContain('The guards');
});

test('WB-313: a deposit pays what a wallet would, and its owner reads what that costs and lowers', () => {
  const [debt, collateral] = loan.markets as [LoanMarket, LoanMarket];
  const begun = suggestedSavings(loan, { debt, collateral });
  // The whole debt of 1,000 USDT plus a thousandth for interest, at a cost of 2 %, with ETH at 1,600.
  expect(begun.sellAtMost).toBe('0.63814');
  expect(Number(suggestedSavings({ parts: [] }, { debt, collateral }).sellAtMost)).toBe(1);
  const { draft, errors, warnings } = readSaleForm(begun, { debt, collateral }, loan, [], now);
  expect(errors).toMatchObject({ trigger: undefined, sellAtMost: undefined });
  const of = (owes: boolean) => savingsSummary(draft as SaleDraft, loan, warnings, now, owes).join(' ');
  expect(of(false)).toContain('to bring health to 1.25: about 120 USDT if health has just fallen there');
  expect(of(false)).toContain('It costs at most 2 % of what it repays: up to 2.4 USDT for that rescue');
  expect(of(false)).toContain('the borrower can bring a rescue about');
  expect(of(false)).not.toContain('your own loan');
  expect(of(true)).toContain('A rescue lowers the health of your own loan in Venus');
});

test('what the agent says that it never repays is told before a guard is signed', () => {
  const time = new Date().toISOString();
  const serves = servesAll(settings, now);
  const quote = (tokens: readonly Hex[], changes: object = {}) => ({
    ...{ time, sent_at: time, assets: [], rescues: { ok: true, reason: null }, buys: { ok: true, reason: null } },
    ...{ serves: { ...serves, quotes: null, guards: { ...serves.guards, tokens, ...changes } }, asOf: thisMoment() },
  });
  const props = { borrower: owner, loan, markets: [usdtMarket], owned: ownedOf(), isStale: false, close() {} };
  const of = (...tokens: readonly Hex[]) => drawn(createElement(SetGuard, props), [['quote'], quote(tokens)]);
  expect(of(usdt)).not.toContain('The agent says');
  expect(of(eth)).toContain('The agent says it does not repay this token.');
  const upTo = (trigger: string) =>
    drawn(createElement(SetGuard, props), [['quote'], quote([usdt], { maxTriggerHealthWad: String(wad(trigger)) })]);
  expect(upTo('1.1')).not.toContain('The agent says');
  expect(upTo('1.09')).toContain('The agent says it does not serve a trigger this high.');
});
