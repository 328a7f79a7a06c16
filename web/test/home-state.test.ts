import { coverageOf } from '@bowline/core/domain/guard-cover';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { parseEther } from 'viem';
import { expect, test } from 'vitest';
import type { Settings } from '../app/api/settings.ts';
import { withAddress } from '../app/ask/with-address.ts';
import type { Covered } from '../app/chain/coverage/use-covered.ts';
import { type ActivityItem, readActivity } from '../app/chain/read-activity.ts';
import type { Guard } from '../app/chain/read-guards.ts';
import type { Loan } from '../app/chain/read-loan.ts';
import { actionItemsOf } from '../app/home/action-items.ts';
import type { Known } from '../app/home/known.ts';
import { areFundsKnown, figuresOf } from '../app/home/state.ts';
import { newsOf } from '../app/home/told.ts';
import { fairBand } from '../app/portfolio/chart-facts.ts';
import { stateOf } from './said-by-figures.ts';
import { buysAll } from './serves.ts';

// What Home says about a reading, without a browser.

const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const [usdt, btcb, adapter, market, owner] = ['1', '2', '3', '4', '5'].map((each) => at(each)) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
];
const settings = {
  assets: [
    { symbol: 'USDT', address: usdt, decimals: 18 },
    { symbol: 'BTCB', address: btcb, decimals: 18, quote: 'USDT' },
  ],
  contracts: { planRegistry: at('6'), loanGuard: at('7'), priceSource: at('8'), swapExecutor: at('a') },
  verdictSigners: [at('b')],
  lending: [{ name: 'Venus' }],
} as unknown as Settings;
const wad = parseEther;
const now = 1_800_000_000n;
const DAY = 86_400n;

const plan: Plan = {
  ...{ owner, recipient: owner, executor: at('a'), verdictSigner: at('b'), priceSource: at('8') },
  ...{ farLimit: false, triggerPriceWad: 0n, deferrals: 0, lastReason: 0 },
  ...{ id: 1n, tokenIn: usdt, tokenOut: btcb, amountPerRun: wad('25') },
  ...{ startAt: now - DAY, periodSeconds: DAY, windowSeconds: 3_600n, maxRuns: 10, expiresAt: now + 30n * DAY },
  ...{ limitPriceWad: 0n, maxSlippageBps: 100, status: 'active', cursor: now + DAY, runs: 1, records: 1, version: 1 },
};
/** 120 of collateral at 2 USD for 100 of debt at 1 USD, weighted by one half: health 1.2. */
const loan: Loan = {
  protocol: { name: 'Venus', scope: '', url: 'https://app.venus.io/', adapter, core: market },
  borrower: owner,
  markets: [
    {
      market,
      token: usdt,
      symbol: 'USDT',
      decimals: 18,
      debt: wad('100'),
      supplied: 0n,
      walletBalance: 0n,
      allowance: 0n,
    },
    {
      market: at('9'),
      token: btcb,
      symbol: 'ETH',
      decimals: 18,
      debt: 0n,
      supplied: wad('120'),
      walletBalance: 0n,
      allowance: 0n,
    },
  ],
  ...{ debtUsdWad: wad('100'), weightedUsdWad: wad('120'), healthWad: wad('1.2'), chainlinkHealthWad: wad('1.2') },
  ...{ forcedMarkets: [], prices: { [market]: wad('1') } },
  parts: [
    { market, priceWad: wad('1'), weightedAt: () => 0n, debtAt: (price) => price * 100n },
    { market: at('9'), priceWad: wad('2'), weightedAt: (price) => price * 60n, debtAt: () => 0n },
  ],
};
const guard: Guard = {
  ...{ id: 1n, borrower: owner, funder: owner, adapter, market },
  ...{
    repayToken: usdt,
    triggerHealthWad: wad('1.1'),
    targetHealthWad: wad('1.25'),
    capPerRescue: wad('50'),
    capPerDay: wad('50'),
  },
  ...{ minRepay: wad('1'), cooldownSeconds: 600n, expiresAt: now + 60n * DAY, status: 'active', rescues: 0 },
  ...{ lastRescueAt: 0n, day: 0n, takenInDay: 0n },
  means: { allowance: wad('50'), balance: wad('50'), marketToken: usdt, isRepayPaused: false },
};
const means = guard.means as NonNullable<Guard['means']>;
const cover = (changes: Partial<Guard> = {}, isSeen = true): Covered => {
  const own = { ...guard, ...changes };
  return { guard: own, loan, coverage: coverageOf(own, loan, now, false, isSeen ? undefined : () => 'unseen') };
};
const money = { allowances: { [usdt]: wad('500') }, balances: { [usdt]: wad('500') } };
const good: Known = {
  loans: [loan],
  covered: [cover()],
  plans: { plans: [plan], ...money },
  activity: {},
  now,
  buyer: buysAll(settings),
};
const sure = { loans: true, guards: true, plans: true, activity: true };
const skip = (time: bigint): ActivityItem => ({
  kind: 'skip',
  plan,
  time,
  slotStart: time,
  reason: 1,
  isAttested: true,
});
const run = (time: bigint): ActivityItem => ({
  kind: 'run',
  plan,
  time,
  slotStart: time,
  amountIn: 1n,
  amountOut: 1n,
  floor: 1n,
});

test('WB-76: three numbers say the state, and what could not be read is never called fine', () => {
  const said = stateOf(good, sure, settings);
  expect(said).toMatch(/^1\.20 funded until ETH alone falls to \$1\.\d\d · 1 day .+ · 0 no action needed$/);
  expect(stateOf({ ...good, loans: [], covered: [] }, sure, settings)).toMatch(/^— no loan in Venus · /);
  for (const part of ['loans', 'guards', 'plans', 'activity'] as const) {
    const unsure = stateOf(good, { ...sure, [part]: false }, settings);
    expect(unsure).not.toContain('no action needed');
    expect(unsure).toContain('unknown');
  }
  const unread = stateOf({ ...good, covered: [cover({ means: undefined })] }, sure, settings);
  expect(unread).toContain('guard status unknown');
  expect(unread).not.toContain('no action needed');
  expect(stateOf({ ...good, covered: [] }, sure, settings)).toContain('1.20 not guarded');
  const broke = { ...good, plans: { plans: [plan], allowances: { [usdt]: 0n }, balances: money.balances } };
  expect(stateOf(broke, sure, settings)).toContain('— next trade not funded · 1');
});

test('WB-76: in danger health is red, and each number leads to its act', () => {
  const figures = (of: Partial<Loan>) => figuresOf({ ...good, loans: [{ ...loan, ...of }] }, sure, settings);
  const tone = (of: Partial<Loan>) => figures(of)[0].tone;
  expect(tone({ healthWad: wad('3') })).toBe('good');
  expect(tone({ healthWad: wad('1.1') })).toBe('caution');
  expect(tone({ healthWad: wad('1.0999') })).toBe('bad');
  expect(tone({ healthWad: wad('3'), forcedMarkets: [market] })).toBe('bad');
  expect(figuresOf(good, sure, settings).map(({ href }) => href)).toEqual(['/loans', '/plans', undefined]);
  expect(figuresOf({ ...good, covered: [] }, sure, settings)[2]).toMatchObject({ value: '1', href: '#action-items' });
  // Of two loans, the one with the lower health.
  const two = [loan, { ...loan, healthWad: wad('1.05') }];
  expect(figuresOf({ ...good, loans: two }, sure, settings)[0]).toMatchObject({ value: '1.05', tone: 'bad' });
  // The time to the next buy; a countdown within the hour.
  const inSeconds = (seconds: bigint) => {
    const plans = { plans: [{ ...plan, startAt: now + seconds, cursor: 0n }], ...money };
    return figuresOf({ ...good, plans }, sure, settings)[1].value;
  };
  expect([34n, 245n, 7_300n, -5n].map(inSeconds)).toEqual(['0:34', '4:05', '2 hours', 'now']);
});

test('WB-76: what needs its owner is named with both amounts, and leads to where it is mended', () => {
  const keys = (changes: Partial<Known>) => actionItemsOf({ ...good, ...changes }, settings).map(({ key }) => key);
  expect(keys({})).toEqual([]);
  const short = { means: { ...(guard.means as NonNullable<Guard['means']>), allowance: 0n } };
  const [item] = actionItemsOf({ ...good, covered: [cover(short)] }, settings);
  expect(item).toMatchObject({ key: 'guard-1-allowance', href: '/loans/1', action: 'Approve more', isFunds: true });
  expect(item?.text).toMatch(/^Guard 1: approved 0 USDT of the [\d.]+ USDT/);
  expect(keys({ covered: [cover({ expiresAt: now + DAY })] })).toEqual(['guard-1-expiry']);
  expect(keys({ covered: [cover({}, false)] })).toEqual(['guard-1-keeper']);
  expect(keys({ covered: [] })).toEqual(['loan-Venus']);
  // A cancelled guard needs nothing and protects nothing.
  expect(keys({ covered: [cover({ status: 'cancelled' })] })).toEqual(['loan-Venus']);
  // Each plan alone could be paid; both together cannot.
  const two = { plans: [plan, { ...plan, id: 2n }], ...money, balances: { [usdt]: wad('30') } };
  expect(keys({ plans: two })).toEqual([`plans-hold-${usdt}`]);
  expect(keys({ plans: { ...two, plans: [plan, { ...plan, id: 2n, status: 'paused' }] } })).toEqual(['plan-1-few']);
  expect(keys({ plans: { plans: [{ ...plan, expiresAt: now + 3n * DAY }], ...money } })).toEqual(['plan-1-ends']);
  const streak = (items: readonly ActivityItem[]) => keys({ activity: { 'plan-1': { count: items.length, items } } });
  expect(streak([run(1n), skip(2n), skip(3n), skip(4n)])).toEqual(['plan-1-streak']);
  expect(streak([skip(1n), skip(2n), skip(3n), run(4n)])).toEqual([]);
});

test('WB-76: forced liquidation, a cooldown and an unseen keeper are never called fine', () => {
  const with_ = (changes: Partial<Guard>, ofLoan: Partial<Loan> = {}, isSeen = true): Known => {
    const [own, of] = [
      { ...guard, ...changes },
      { ...loan, ...ofLoan },
    ];
    return {
      ...good,
      loans: [of],
      covered: [
        { guard: own, loan: of, coverage: coverageOf(own, of, now, false, isSeen ? undefined : () => 'unseen') },
      ],
    };
  };
  const said = (known: Known) =>
    [stateOf(known, sure, settings), actionItemsOf(known, settings).map(({ key }) => key)] as const;
  const [forced, forcedNeeds] = said(with_({}, { forcedMarkets: [market] }));
  expect(forced).toMatch(/^1\.20 forced liquidation · .* · 1$/);
  expect(forcedNeeds).toEqual(['guard-1-forced']);
  const [unread] = said(with_({}, { forcedMarkets: undefined }));
  expect(unread).toMatch(/^1\.20 unknown · .* · — unknown if action is needed$/);
  const [rests, restNeeds] = said(with_({ rescues: 1, lastRescueAt: now - 60n }));
  expect(rests).toMatch(/^1\.20 cooling down until .+, funded until ETH alone falls to .* · 0 1 thing to watch$/);
  expect(restNeeds).toEqual(['guard-1-rests']);
  const [unwatched, unwatchedNeeds] = said(with_({}, {}, false));
  expect(unwatched).toMatch(/^1\.20 no keeper seen, funded until ETH alone falls to .* · 1$/);
  expect(unwatchedNeeds).toEqual(['guard-1-keeper']);
  // The page cannot know whether the only account that may rescue is at work.
  expect(said(with_({ keeper: usdt }))[0]).toContain('unknown if action is needed');
  // A guard of a market without debt does not protect this loan.
  const elsewhere = said(with_({ market: at('9'), repayToken: btcb, means: { ...means, marketToken: btcb } }));
  expect(elsewhere[0]).toContain('1.20 not guarded');
  expect(elsewhere[1]).toEqual(['loan-Venus']);
  // Of two loans, a loan counts as guarded only if nothing holds its guard back.
  const second = { ...loan, protocol: { ...loan.protocol, name: 'Other' } };
  const two = { ...with_({}, {}, false), loans: [loan, second] };
  expect(stateOf({ ...two, covered: [{ ...(two.covered[0] as Covered), loan }] }, sure, settings)).toContain(
    '1.20 0 of 2 loans guarded',
  );
});

test('WB-76: a guard whose money suffices for a rescue that Chainlink’s prices ask for is not called unfunded', () => {
  // It needs 4 now, and 12 once the protocol's health is at the trigger.
  const due = { ...loan, chainlinkHealthWad: wad('1.05') };
  const own = { ...guard, priceSource: settings.contracts.priceSource, means: { ...means, balance: wad('6') } };
  const known: Known = {
    ...good,
    loans: [due],
    covered: [{ guard: own, loan: due, coverage: coverageOf(own, due, now, true) }],
  };
  expect(actionItemsOf(known, settings).map(({ key }) => key)).not.toContain('guard-1-balance');
  expect(stateOf(known, sure, settings)).toMatch(/^1\.20 rescue due now · /);
});

test('an unknown approval or balance of an active plan is unknown on Home', () => {
  const plans = { plans: [plan], ...money };
  expect(areFundsKnown(plans)).toBe(true);
  expect(areFundsKnown({ ...plans, allowances: {} })).toBe(false);
  expect(areFundsKnown({ ...plans, balances: {} })).toBe(false);
  expect(areFundsKnown({ ...plans, plans: [{ ...plan, status: 'paused' }], allowances: {} })).toBe(true);
});

test('records are read once but for the newest, and what cannot be read keeps what was read before', async () => {
  const asked: string[] = [];
  let times = [7, 8, 9];
  const client = (fails: boolean) =>
    ({
      readContract: async ({ args: [, from, to] }: { args: [bigint, bigint, bigint] }) => {
        asked.push(`${from} to ${to}`);
        if (fails) throw new Error('silent');
        return times
          .slice(Number(from), Number(to))
          .map((time) => ({ time, slotStart: time, outcome: 2, reason: 1, verdict: 1, isAttested: true }));
      },
    }) as never;
  const { contracts } = settings;
  const three = { ...plan, records: 3 };
  const timesIn = (activity: Awaited<ReturnType<typeof readActivity>>) =>
    activity['plan-1']?.items.map(({ time }) => Number(time));
  const first = await readActivity(client(false), contracts, [three], [guard], {});
  expect(first['plan-1']).toMatchObject({ count: 3 });
  expect(timesIn(first)).toEqual([7, 8, 9]);
  expect(first['guard-1']).toEqual({ count: 0, items: [] });
  expect(asked.splice(0)).toEqual(['2 to 3', '0 to 3']);
  expect(await readActivity(client(false), contracts, [three], [guard], first)).toEqual(first);
  expect(asked.splice(0)).toEqual(['2 to 3']);
  const more = await readActivity(client(true), contracts, [{ ...plan, records: 4 }], [guard], first);
  expect(more['plan-1']).toEqual(first['plan-1']);
  asked.length = 0;

  // A reorg replaced the newest record's block, and the record differs now.
  times = [7, 8, 10];
  expect(timesIn(await readActivity(client(false), contracts, [three], [guard], first))).toEqual([7, 8, 10]);
  expect(asked.splice(0)).toEqual(['2 to 3', '0 to 3']);
});

test('news are rescues, a streak of skips and funds that end, each once', () => {
  const rescue: ActivityItem = {
    ...{ kind: 'rescue', guard, time: now, repaid: wad('12') },
    ...{ healthBeforeWad: wad('1.09'), healthAfterWad: wad('1.25') },
  };
  const rescued = { ...good, covered: [cover({ rescues: 1 })], activity: { 'guard-1': { count: 1, items: [rescue] } } };
  expect(newsOf(good, good, settings)).toEqual([]);
  const body = 'Repaid 12 USDT: health 1.09 → 1.25.';
  expect(newsOf(good, rescued, settings)).toEqual([{ tag: 'guard-1-1', title: 'Loan rescued', body }]);
  expect(newsOf(rescued, rescued, settings)).toEqual([]);
  // If the current records could not be read, the previous rescue is not reported as the new one.
  const again = { ...rescued, covered: [cover({ rescues: 2 })] };
  expect(newsOf(rescued, again, settings)).toEqual([{ tag: 'guard-1-2', title: 'Loan rescued', body: 'Guard 1' }]);
  // A rescue that broke the guard's terms is reported so. After an edit in between, both versions of the terms count.
  const wrongBy = (changes: object, terms: Partial<Guard> = {}) => {
    const activity = { 'guard-1': { count: 1, items: [{ ...rescue, ...changes } as ActivityItem] } };
    return newsOf(good, { ...rescued, covered: [cover({ rescues: 1, ...terms })], activity }, settings)[0]?.title;
  };
  expect(wrongBy({})).toBe('Loan rescued');
  for (const wrong of [
    { healthBeforeWad: wad('1.1') },
    { repaid: wad('51') },
    { repaid: 1n },
    { healthAfterWad: wad('1') },
  ]) {
    expect(wrongBy(wrong), JSON.stringify(Object.keys(wrong))).toBe('A rescue broke your guard’s terms');
  }
  expect(wrongBy({ repaid: wad('51') }, { capPerRescue: wad('60') })).toBe('Loan rescued');
  const wide = { ...good, covered: [cover({ capPerRescue: wad('60') })] };
  const narrow = {
    ...rescued,
    activity: { 'guard-1': { count: 1, items: [{ ...rescue, repaid: wad('51') } as ActivityItem] } },
  };
  expect(newsOf(wide, narrow, settings)[0]?.title).toBe('Loan rescued');
  // A rescue by a guard that was not known before is no news.
  expect(newsOf({ ...good, covered: [] }, rescued, settings)).toEqual([]);
  const broke = { ...good, plans: { plans: [plan], allowances: money.allowances, balances: { [usdt]: 0n } } };
  expect(newsOf(good, broke, settings).map(({ title }) => title)).toEqual(['Funds are running low']);
  const unseen = { ...good, buyer: 'unseen' as const, covered: [cover({}, false)] };
  const lost = { title: 'The agent is no longer seen' };
  expect(newsOf(good, unseen, settings)).toMatchObject([lost, lost]);
  expect(newsOf(unseen, unseen, settings)).toEqual([]);
  const skips = [skip(1n), skip(2n), skip(3n)];
  const skipping = { ...good, activity: { 'plan-1': { count: 3, items: skips } } };
  expect(newsOf(good, skipping, settings).map(({ title }) => title)).toEqual(['Trades are being skipped']);
});

test('only a question about one’s own plans or loan tells the agent an address', () => {
  const told = (prompt: string) => withAddress(prompt, owner) !== prompt;
  for (const own of ['Is my loan safe?', 'Which plans do I have?', 'Can our debt be liquidated?']) {
    expect(withAddress(own, owner)).toBe(`${own} (${owner})`);
    expect(withAddress(own, undefined)).toBe(own);
  }
  for (const other of [
    'Should I buy BTCB?',
    'Which plans are there?',
    'Why was my plan 2 skipped?',
    'What does ETH cost?',
  ]) {
    expect(told(other), other).toBe(false);
  }
  expect(told(`Health of my loan of ${at('a')}`)).toBe(false);
});

test('the fair band is what the verdict’s price checks let pass, or there is none', () => {
  const found = (check: string, limit: string, caution_limit: string | null) =>
    ({ check, limit, caution_limit, unit: 'bps' }) as never;
  const findings = [found('all_in_cost', '200', null), found('price_jump', '200', '100')];
  expect(fairBand({ findings }, wad('1000'))).toEqual({ fromWad: wad('980'), toWad: wad('1020') });
  expect(fairBand({ findings }, undefined)).toBeUndefined();
  expect(fairBand({ findings: findings.slice(1) }, wad('1000'))).toBeUndefined();
});
