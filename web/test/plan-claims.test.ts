import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { reasonCodes } from '@bowline/core/domain/reasons';
import type { Sided } from '@bowline/core/domain/sided';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseEther, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { thisMoment } from '../app/api/age.ts';
import { sidedAt } from '../app/api/settings.ts';
import { Records } from '../app/audit/records.tsx';
import { approveStep } from '../app/chain/approve.ts';
import { createLine } from '../app/chain/line.ts';
import type { OwnedPlans } from '../app/chain/read-plans.ts';
import { Calendar } from '../app/plans/calendar.tsx';
import { CreatePlan } from '../app/plans/create-plan.tsx';
import { PlanCard } from '../app/plans/plan-card.tsx';
import { formOf } from '../app/plans/plan-form.ts';
import { Runs } from '../app/plans/runs.tsx';
import { SettingsProvider } from '../app/settings.tsx';
import { TransactionsContext, TransactionsProvider } from '../app/transactions/use-transactions.tsx';
import { walletConfig } from '../app/wallet/config.ts';
import { auditWords } from '../app/words/en/audit.ts';
import { coverWords } from '../app/words/en/coverage.ts';
import { partWords } from '../app/words/en/parts.ts';
import { planWords } from '../app/words/en/plans.ts';
import { when } from '../app/words/times.ts';
import { auditWords as auditChinese } from '../app/words/zh-CN/audit.ts';
import { coverWords as coverChinese } from '../app/words/zh-CN/coverage.ts';
import { words as frameChinese } from '../app/words/zh-CN/frame.ts';
import { partWords as partChinese } from '../app/words/zh-CN/parts.ts';
import { planWords as planChinese } from '../app/words/zh-CN/plans.ts';
import { now, settings as served, plan as servedPlan } from './served-world.ts';
import { buysAll } from './serves.ts';

// What the page says about plans, and what it must not say, without a browser.

declare global {
  /** The DOM types that the page uses: this program does not include the DOM's types. */
  interface HTMLInputElement {
    checked: boolean;
  }
  var document: { createElement(name: 'a'): { href: string; download: string; click(): void } };
}

const wad = parseEther;
const stranger = `0x${'e'.repeat(40)}` as const;
const settings = {
  ...served,
  assets: served.assets.map((asset) => ({ ...asset, quote: asset.symbol === 'USDT' ? 'USD' : 'USDT' })),
} as typeof served;
const { owner } = servedPlan;
const { planRegistry } = settings.contracts;

const planOf = (changes: Partial<Plan> = {}): Plan => ({ ...servedPlan, records: 0, ...changes });
const limited = (priceSource: `0x${string}`, maxSlippageBps: number): Plan =>
  planOf({ limitPriceWad: wad('1500'), maxSlippageBps, priceSource });
const ownedOf = (...plans: readonly Plan[]): OwnedPlans => ({
  ...{ plans, count: 5n, upTo: 5n, unread: [], cause: undefined, searchCause: undefined },
  ...{ allowances: { [servedPlan.tokenIn]: wad('500') }, balances: { [servedPlan.tokenIn]: wad('500') } },
});

function htmlOf(element: ReactElement, ...known: readonly (readonly [readonly unknown[], unknown])[]): string {
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
  const config = walletConfig(settings, createLine());
  return renderToStaticMarkup(createElement(WagmiProvider, { config, reconnectOnMount: false }, inFrame));
}
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const wordsIn = (text: string) => text.split(' ').filter((word) => /[\p{L}\d]/u.test(word)).length;

const cardHtml = (plan: Plan, more: Partial<OwnedPlans>, ...known: Parameters<typeof htmlOf>[1][]) => {
  const owned = { ...ownedOf(plan), ...more, readAt: thisMoment() };
  const shown = { plan, owned, funded: { runs: 9, state: 'all' } as const, buyer: buysAll(settings) };
  return htmlOf(createElement(PlanCard, { ...shown, isStale: false, open() {} }), ...known);
};
const cardOf = (plan: Plan, more: Partial<OwnedPlans> = {}) => textOf(cardHtml(plan, more));
const formHtml = (plan: Plan, isEdit = true) => {
  const origin = { plan, isEdit };
  return htmlOf(createElement(CreatePlan, { owner, owned: ownedOf(), isStale: false, origin, close() {} }));
};

test('only a plan with the page’s own oracle is said to have its minimum', () => {
  const form = (plan: Plan) => textOf(formHtml(plan));
  expect(form(planOf())).toContain('at least 99 % of what 25 USDT is worth');
  const none = form(limited(zeroAddress, 0));
  const foreign = form(limited(stranger, 100));
  for (const said of [none, foreign]) {
    expect(said).not.toMatch(/at least|Each trade delivers/);
    expect(said).toContain('Never above 1,500 USDT per ETH.');
    expect(said).toContain('there is no oracle (Chainlink) minimum');
  }
  expect(none).not.toContain('Maximum slippage');
  expect(foreign).toContain('a contract this page does not know');
  // A copy uses the page's oracle.
  expect(textOf(formHtml(limited(zeroAddress, 0), false))).toContain('at the oracle (Chainlink) price then');
});

test('the form of a plan, filled in and simulated, has at most 170 words before anything is unfolded', () => {
  const origin = { plan: planOf(), isEdit: false };
  const form = createElement(CreatePlan, { owner, owned: ownedOf(), isStale: false, origin, close() {} });
  const [pay, buy] = settings.assets;
  const key = JSON.stringify([
    ...[formOf(origin.plan, settings.assets), String(wad('250')), 'undefined', undefined, undefined, owner],
  ]);
  const run = {
    ...{ state: 'run', amountIn: wad('25'), amountOut: wad('0.01'), floor: wad('0.0099'), unmoved: wad('0.01') },
    route: [{ token: buy, feeMillionths: 500 }],
  };
  const text = textOf(
    htmlOf(
      form,
      [['chain', 'held', owner, servedPlan.tokenIn], { held: wad('1000'), native: wad('1') }],
      [['chain', 'simulation', key], { run, cost: { wei: wad('0.0001') }, readAt: thisMoment() }],
    ),
  );
  expect(text).toContain(`+ 0.01 ${buy?.symbol}`);
  expect(text).toContain(`25 ${pay?.symbol}`);
  expect(wordsIn(text), text).toBeLessThanOrEqual(170);
});

test('WB-300: the form of an order says what it does once, at which price, and nothing of a schedule', () => {
  const [usdt, eth] = settings.assets;
  const once = { tokenIn: eth?.address, tokenOut: usdt?.address, amountPerRun: wad('0.1'), maxRuns: 1, runs: 0 };
  const form = (terms: object) => textOf(formHtml(planOf({ ...once, ...terms } as Partial<Plan>), false));
  const atLimit = form({ limitPriceWad: 10n ** 36n / wad('1700') });
  expect(atLimit).toContain('Sells exactly 0.1 ETH for USDT, once. Up to 0.1 ETH in total');
  expect(atLimit).toContain('Never below 1,700 USDT per ETH. At a fair price, or not at all. The order ends');
  expect(atLimit).not.toMatch(/Number of|How often|First trade|twice the time/);
  const atStop = form({ triggerPriceWad: 10n ** 36n / wad('1500') + 1n });
  expect(atStop).toContain(
    'Only once 1 ETH costs 1,500 USDT or less (Chainlink). It may then sell for less than that.',
  );
});

test('a plan’s card says that it allows any price, and what it waits for', () => {
  const far = { farLimit: true, priceSource: zeroAddress, limitPriceWad: wad('1500'), maxSlippageBps: 0 };
  expect(cardOf(planOf(far))).toMatch(/Allows any price You signed that the limit price may be far from the market/);
  expect(cardOf(planOf())).not.toMatch(/Allows any price|Trigger/);
  // With the page's own oracle, `farLimit` means nothing.
  expect(cardOf(planOf({ farLimit: true }))).not.toContain('Allows any price');
  expect(cardOf(planOf({ triggerPriceWad: wad('1800') }))).toContain(
    'Trigger price only once 1 ETH costs 1,800 USDT or more',
  );
});

test('a plan’s card shows its limit price, and slippage only where it is from a price', () => {
  expect(cardOf(planOf())).toMatch(/Maximum slippage 1 % /);
  expect(cardOf(planOf())).not.toContain('Limit price');
  expect(cardOf(limited(servedPlan.priceSource, 100))).toMatch(/Maximum slippage 1 % Limit price 1,500 USDT per ETH/);
  expect(cardOf(limited(zeroAddress, 0))).not.toContain('slippage');
  expect(cardOf(limited(zeroAddress, 0))).toContain('Limit price 1,500 USDT per ETH');
  expect(cardOf(limited(stranger, 100))).toContain('Maximum slippage 1 % from an unknown price source');
});

test.each([
  ['paused', {}],
  ['active', { unread: [1n] }],
] as const)('what a plan’s terms do is said before Resume, for %s %o', (status, more) => {
  const before = (plan: Plan) => cardOf(plan, more).split(/ (?:Resume|Pause) /)[0];
  const own = before(planOf({ status }));
  expect(own).not.toMatch(/Another account|does not serve/);
  expect(before(planOf({ status, recipient: stranger }))).toContain(
    `Another account receives what it gets: ${stranger}.`,
  );
  expect(before(planOf({ status, executor: stranger }))).toContain('This page’s agent does not serve this plan');
});

test('WB-298: a plan that was deferred is amber and says since when, why, and what would pass', () => {
  const plan = planOf({ records: 3, lastReason: reasonCodes.cost_high, deferrals: 1 });
  const record = (record: number, outcome: number) => ({
    ...{ record, time: Number(now) - 9_000 + record * 60, slotStart: 0, outcome, reason: plan.lastReason, version: 1 },
    ...{ isAttested: true, verdict: 1, floor: 0n, amountIn: 0n, amountOut: 0n, evidencePrefix: '0x' },
  });
  const key = ['chain', 'runs', '1', true, 3];
  const records = [record(2, 2), record(1, 2), record(0, 1)];
  const since = `Waiting since ${when(now - 8_940n)}: `;
  const costs = (bps: bigint, passes?: bigint) =>
    [['chain', 'own-cost', '1', 1], { bps, limitBps: 40n, passes }] as const;
  const said = (of: Plan, ...known: Parameters<typeof cardHtml>[2][]) => textOf(cardHtml(of, {}, ...known));
  expect(cardHtml(plan, {}, [key, records])).toContain('badge word caution">waiting<');
  expect(said(plan, [key, records])).toContain(`${since}the total cost is too high at independent prices`);
  const dear = said(plan, [key, records], costs(303n, wad('12.3')));
  expect(dear).toContain(`${since}this size would cost 3.03 %, limit 0.4 %. Up to 12.3 USDT would pass`);
  expect(dear).toContain('Use 12.3 USDT instead');
  expect(said(plan, [key, records], costs(303n))).toContain('No smaller size would pass now');
  expect(said(plan, [key, records], costs(40n))).toMatch(
    /the total cost is too high at independent prices.*this size would cost 0.4 %, limit 0.4 %/,
  );
  // New terms have not been tried yet, and a run ends the wait.
  for (const of of [{ ...plan, version: 2 }, { ...plan, lastReason: 0 }, { ...plan, status: 'paused' } as const]) {
    expect(said(of, [key, records], costs(303n, 1n))).not.toContain('Waiting since');
  }
});

test('WB-298: a plan whose price is not reached says what it waits for, and what the price is', () => {
  const [usdt, eth] = settings.assets;
  const said = (terms: Partial<Plan>, prices: readonly [string, string] = ['1', '1600']) => {
    const plan = planOf(terms);
    const key = ['chain', 'floor-prices', settings.contracts.priceSource, plan.tokenIn, plan.tokenOut];
    const [payUsdWad, buyUsdWad] = prices.map((price) => wad(price));
    return textOf(cardHtml(plan, {}, [key, { payUsdWad, buyUsdWad, readAt: thisMoment() }]));
  };
  expect(said({ limitPriceWad: wad('1500') })).toContain(' waiting Trades 1 of 10 ');
  expect(said({ limitPriceWad: wad('1500') })).toContain(
    'Waiting until 1 ETH costs 1,500 USDT or less. Now 1,600 USDT (Chainlink).',
  );
  expect(said({ limitPriceWad: wad('1600') })).not.toContain('Waiting until');
  expect(said({ triggerPriceWad: wad('1700') })).toContain('Waiting until 1 ETH costs 1,700 USDT or more.');
  const sale = { tokenIn: eth?.address, tokenOut: usdt?.address, amountPerRun: wad('0.1') } as Partial<Plan>;
  const of = (price: string) => 10n ** 36n / wad(price);
  const atLimit = said({ ...sale, limitPriceWad: of('1700') }, ['1600', '1']);
  expect(atLimit).toContain('Waiting until 1 ETH costs 1,700 USDT or more. Now 1,600 USDT (Chainlink).');
  expect(atLimit).toContain('Sell 0.1 ETH for USDT every day');
  expect(atLimit).toContain('Limit price at least 1,700 USDT per ETH');
  const atStop = said({ ...sale, triggerPriceWad: of('1500') + 1n }, ['1600', '1']);
  expect(atStop).toContain('Waiting until 1 ETH costs 1,500 USDT or less.');
  expect(atStop).toContain('Trigger price only once 1 ETH costs 1,500 USDT or less');
});

test('a paused plan past its end is ended and cannot be resumed', () => {
  const over = cardOf(planOf({ status: 'paused', expiresAt: now }));
  expect(over).toMatch(/ ended .* Ended /);
  expect(over).not.toMatch(/Resume|Cancel permanently/);
  const usedUp = cardOf(planOf({ status: 'paused', runs: 10 }));
  expect(usedUp).toMatch(/ ended .* Ends /);
  expect(usedUp).not.toContain('Resume');
  expect(cardOf(planOf({ status: 'cancelled', expiresAt: now }))).not.toMatch(/ End(s|ed) /);
  expect(cardOf(planOf({ status: 'paused' }))).toMatch(/ paused .* Ends .*Resume/);
});

test('a deferral in a slot that bought, or still can, is delayed and not skipped', () => {
  const [pay, buy] = settings.assets;
  const plan = planOf({ cursor: now, records: 4 });
  const record = (slotStart: bigint, outcome: number, at: number) => ({
    ...{ record: at, time: Number(slotStart) + at, slotStart: Number(slotStart), outcome, reason: 1, isAttested: true },
    ...{ version: 1, verdict: 3, floor: 1n, amountIn: 1n, amountOut: 1n, evidencePrefix: '0x' },
  });
  const day = 86_400n;
  const records = [record(now, 2, 3), record(now - day, 1, 2), record(now - day, 2, 1), record(now - 2n * day, 2, 0)];
  const key = ['chain', 'runs', '1', true, 4];
  const said = (of: Plan) =>
    htmlOf(createElement(Runs, { plan: of, pay, buy, sided: sidedAt(settings, of), isAlone: true }), [
      key,
      records,
    ]).match(/(?<=badge word \w+">)\w+/g);
  expect(said(plan)).toEqual(['delayed', 'bought', 'delayed', 'skipped']);
  expect(said({ ...plan, status: 'cancelled' })).toEqual(['skipped', 'bought', 'delayed', 'skipped']);
});

test('WB-300: history, next trades and audit say what was sold, and the price of what was sold', () => {
  const [pay, buy] = settings.assets.toReversed();
  const sale = planOf({ tokenIn: pay?.address, tokenOut: buy?.address, records: 1 } as Partial<Plan>);
  const run = {
    ...{ record: 0, time: Number(now), slotStart: Number(now), outcome: 1, reason: 0, isAttested: true, version: 1 },
    ...{ verdict: 3, floor: wad('2400'), amountIn: wad('1'), amountOut: wad('2412.5'), evidencePrefix: '0x' as const },
  };
  const sided = sidedAt(settings, sale) as Sided;
  const key = ['chain', 'runs', '1', true, 1];
  const history = textOf(
    htmlOf(createElement(Runs, { plan: sale, pay, buy, sided, isAlone: true } as never), [key, [run]]),
  );
  expect(history).toContain('sold 1 ETH 2,412.5 USDT');
  expect(history).toContain('Average price 2,412.5 USDT');
  const audited = createElement(Records, { plan: { runs: [run] } as never, sided, evidence: new Map() });
  expect(textOf(htmlOf(audited))).toContain('sold 1 ETH 2,412.5 USDT (minimum 2,400; 2,412.5 USDT/ETH)');
  const next = { ...ownedOf({ ...sale, records: 0 }), readAt: thisMoment() };
  expect(textOf(htmlOf(createElement(Calendar, { owned: next, buyer: buysAll(settings), isStale: false })))).toContain(
    '1: ETH',
  );
});

test('what a plan’s form asks to sign, and its simulation, stand before its button', () => {
  expect(formHtml(planOf())).toMatch(/id="can-happen".*id="simulation".*type="submit"/);
});

test.each([
  ['English', planWords, auditWords, coverWords, partWords],
  ['Chinese', planChinese, auditChinese, coverChinese, partChinese],
] as const)('plans, guards and their audits have one word for one thing, in %s', (_, plans, audits, covers, parts) => {
  expect(new Set([plans.status.revoked, audits.revoked, covers.revoked.badge]).size).toBe(1);
  expect(plans.hindered.unserved).toContain(parts.notServed);
  // An approval restored to its earlier amount is not zero.
  expect(frameChinese.signing.takenBack).not.toBe('授权已撤销。');
});

test('the list of next buys says of each whether it is served, then whether it is funded', () => {
  const rows = (plan: Plan) =>
    htmlOf(createElement(Calendar, { owned: ownedOf(plan), buyer: buysAll(settings), isStale: false })).match(
      /(?<=data-label="Status">(?:<span[^>]*>)?)[^<]+/g,
    );
  expect(rows(planOf({ maxRuns: 2 }))).toEqual(['funded']);
  expect(rows(planOf({ maxRuns: 2, amountPerRun: wad('600') }))).toEqual(['not funded']);
  expect(rows(planOf({ maxRuns: 2, executor: stranger }))).toEqual(['not served']);
});

test('only of a plan that does not exist yet is it said that it buys now', () => {
  const said = 'First trade: now.';
  expect(textOf(formHtml(planOf(), false))).toContain(said);
  // No buy yet may mean that the plan is paused, or that its slot has closed or not begun.
  for (const plan of [planOf({ runs: 0 }), planOf({ runs: 0, status: 'paused' }), planOf({ runs: 3 })]) {
    expect(textOf(formHtml(plan))).not.toContain(said);
  }
});

test('a buy is due until its slot closes or its plan ends, whichever is sooner', () => {
  const until = (expiresAt: bigint) => {
    const plan = planOf({ startAt: now - 60n, cursor: 0n, runs: 0, expiresAt });
    const card = cardOf(plan).match(/due now, until (.*?)\. Funded/)?.[1];
    const element = createElement(Calendar, { owned: ownedOf(plan), buyer: buysAll(settings), isStale: false });
    expect(htmlOf(element)).toContain(`now, until ${card}<`);
    return card;
  };
  expect(until(now + 600n)).toBe(when(now + 600n));
  expect(until(now + 864_000n)).toBe(when(now - 60n + servedPlan.windowSeconds));
});

test('WB-63: while another approval for plans is open, none is drafted beside it', () => {
  const act = {
    ...{ id: '1', place: 'create-plan', owner: undefined, at: 0, hashes: [], receipts: [], state: 'pending' },
    steps: [
      { label: 'Approve 500 USDT', to: servedPlan.tokenIn, data: approveStep('', stranger, planRegistry, 1n).data },
    ],
  };
  const pause = { ...act, steps: [{ label: 'Pause', to: planRegistry, data: '0x12' }] };
  const store = (acts: readonly object[]) =>
    ({ all: () => acts, subscribe: () => () => {}, openAt: () => undefined }) as never;
  const said = (acts: readonly object[]) => {
    const form = createElement(CreatePlan, {
      ...{ owner, owned: ownedOf(), isStale: false, origin: { plan: planOf(), isEdit: true }, close() {} },
    });
    return textOf(htmlOf(createElement(TransactionsContext, { value: store(acts) }, form)));
  };
  expect(said([])).not.toContain('must wait');
  // A pause that the wallet never answers holds up only itself (WB-22).
  expect(said([pause])).not.toContain('must wait');
  expect(said([act])).toContain(planWords.mustWaitForOther);
});

test('the minimum of now is by the prices of the registry’s own source, whatever the agent’s server says', () => {
  const asset = (symbol: string) => ({ symbol, price_usd: '1', change_24h_percent: null, history: [], judged: null });
  const told = new Date().toISOString();
  const quote = {
    ...{ time: told, sent_at: told, asOf: thisMoment(), rescues: null, buys: null, serves: null },
    assets: ['USDT', 'ETH'].map((symbol) => ({ ...asset(symbol), unavailable: [] })),
  };
  const key = [...['chain', 'floor-prices', settings.contracts.priceSource], servedPlan.tokenIn, servedPlan.tokenOut];
  const said = (...known: readonly (readonly [readonly unknown[], unknown])[]) => {
    const origin = { plan: planOf(), isEdit: true };
    const form = createElement(CreatePlan, { owner, owned: ownedOf(), isStale: false, origin, close() {} });
    return textOf(htmlOf(form, [['quote'], quote], ...known)).match(/price then( \(now .*?\))?,/)?.[1];
  };
  // The server's price of one dollar per ETH would give 24.75 ETH.
  expect(said()).toBeUndefined();
  const prices = { payUsdWad: wad('1'), buyUsdWad: wad('2475'), readAt: thisMoment() };
  expect(said([key, prices])).toBe(' (now 0.01 ETH)');
  const old = { wall: Date.now() - 40_000, steady: performance.now() - 40_000 };
  expect(said([key, { ...prices, readAt: old }])).toBeUndefined();
});

test('who holds too little for a buy can still change a plan, but make none', () => {
  const label = (isEdit: boolean) => {
    const origin = { plan: planOf(), isEdit };
    const form = createElement(CreatePlan, { owner, owned: ownedOf(), isStale: false, origin, close() {} });
    const held = { held: wad('1'), native: wad('1') };
    return htmlOf(form, [['chain', 'held', owner, servedPlan.tokenIn], held]).match(/type="submit"[^>]*>([^<]+)/)?.[1];
  };
  expect(label(true)).toBe(planWords.save);
  expect(label(false)).toBe('Not enough USDT (you have 1)');
});
