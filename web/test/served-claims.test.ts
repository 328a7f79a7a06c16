import { coverageOf } from '@bowline/core/domain/guard-cover';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import type { Serving } from '@bowline/core/serving';
import { parseEther, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import type { Dated } from '../app/api/freshness.ts';
import { agentsWord, coverageWords } from '../app/chain/coverage/coverage-words.ts';
import type { Guard } from '../app/chain/read-guards.ts';
import { type Buyer, buyerOf, isNotKnown, watcherOf, whyUnwatched } from '../app/chain/serving.ts';
import { actionItemsOf } from '../app/home/action-items.ts';
import type { Known } from '../app/home/known.ts';
import { hindranceOf } from '../app/plans/shown-status.ts';
import { createQuotes } from '../server/quote.ts';
import { type QuoteAnswer, quoteAnswer } from '../wire.ts';
import { stateOf } from './said-by-figures.ts';
import { guard, loan, now, plan, settings } from './served-world.ts';
import { servesAll } from './serves.ts';

// What the page calls guarded, a next buy, or nothing to do, given what the agent says that it serves.

const wad = parseEther;
const at = (digit: string) => `0x${digit.repeat(40)}` as const;
const works = { ok: true, reason: null };
const all = servesAll(settings, now);
const moment = { wall: 29_999, steady: 29_999 };
/** The newest block came twenty seconds ago. */
const time = { newest: now - 20n, now };

const answerOf = (serves: unknown, changes: Partial<QuoteAnswer> = {}, wall = 0): Dated<QuoteAnswer> => ({
  ...{ time: '', sent_at: '', rescues: works, buys: works, assets: [], serves, asOf: { wall, steady: wall } },
  ...changes,
});

/** What the page says about one loan with a funded guard, and about one funded plan. */
function said(answer: Dated<QuoteAnswer> | undefined, ofGuard: Partial<Guard> = {}, ofPlan: Partial<Plan> = {}) {
  const watcher = watcherOf(answer, settings, time, moment);
  const buyer = buyerOf(answer, true, settings, time, moment);
  const own = { ...guard, ...ofGuard };
  const coverage = coverageOf(own, loan, now, false, (usd) => whyUnwatched(own, watcher, usd));
  const funds = { allowances: { [plan.tokenIn]: wad('500') }, balances: { [plan.tokenIn]: wad('500') } };
  const due = { ...plan, ...ofPlan };
  const known: Known = {
    ...{ loans: [loan], covered: [{ guard: own, loan, coverage }], plans: { plans: [due], ...funds } },
    ...{ activity: {}, now, buyer },
  };
  const sure = { loans: true, guards: true, plans: true, activity: true };
  const items = actionItemsOf(known, settings);
  const words = coverageWords(coverage, 'Venus', { amount: String, cost: String }, String);
  return {
    ...{ badge: words.badge, tone: words.tone, more: words.more, agentsWord: agentsWord(coverage) },
    home: stateOf(known, sure, settings),
    needs: items.map(({ key }) => key),
    texts: items.map(({ text }) => text),
    hindrance: hindranceOf(due, settings, { funded: { runs: 5, state: 'all' }, buyer, now }),
  };
}

const changed = (changes: Partial<Serving>): Serving => ({ ...all, ...changes });
const plansOf = (changes: object) => changed({ plans: { ...all.plans, ...changes } as Serving['plans'] });
const guardsOf = (changes: object) => changed({ guards: { ...all.guards, ...changes } as Serving['guards'] });
const bothOf = (changes: object) =>
  changed({
    plans: { ...all.plans, ...changes } as Serving['plans'],
    guards: { ...all.guards, ...changes } as Serving['guards'],
  });

test('WB-36: an agent that serves everything, and works, leaves green what the chain shows as green', () => {
  const { badge, tone, home, needs, hindrance } = said(answerOf(all));
  expect({ badge, tone, needs, hindrance }).toEqual({
    badge: 'guarded',
    tone: 'good',
    needs: [],
    hindrance: undefined,
  });
  expect(home).toMatch(/^\d\.\d\d funded until ETH alone falls to .* · [^·]+ UTC · 0 no action needed$/);
});

const ago = (seconds: bigint) => ({ number: '1', timestamp: String(now - seconds) });
const statements: readonly [why: string, serves: unknown, badge: string, tells: RegExp][] = [
  ['unstated', null, 'no keeper seen', /has not said which contracts/],
  ['unstated', undefined, 'no keeper seen', /has not said which contracts/],
  ...['all', 7, true, [], {}, { ...all, chainId: '31337' }, { ...all, loanGuard: [all.loanGuard] }].map(
    (serves): [string, unknown, string, RegExp] => ['unreadable', serves, 'no keeper seen', /cannot read/],
  ),
  ['unreadable', bothOf({ everySeconds: -1 }), 'no keeper seen', /cannot read/],
  ['unreadable', bothOf({ lastRoundAt: Number(now) }), 'no keeper seen', /cannot read/],
  ['unreadable', bothOf({ tokens: '*' }), 'no keeper seen', /cannot read/],
  ['other_chain', changed({ chainId: 56 }), 'not served', /different chain/],
  ['other_contracts', changed({ planRegistry: at('f') }), 'not served', /different contracts/],
  ['other_contracts', changed({ swapExecutor: at('f') }), 'not served', /different contracts/],
  ['other_contracts', changed({ loanGuard: at('f') }), 'not served', /different contracts/],
  ['old', changed({ block: null }), 'no keeper seen', /is not current/],
  ['old', changed({ block: ago(81n) }), 'no keeper seen', /is not current/],
  ['old', changed({ block: ago(-61n) }), 'no keeper seen', /is not current/],
  ['off', changed({ plans: null, guards: null }), 'not served', /does not do this/],
  ['stopped', bothOf({ reason: 'stop_file' }), 'agent stopped', /stopped it/],
  ['late', bothOf({ reason: 'loop_late' }), 'not served', /behind schedule/],
  ['late', bothOf({ lastRoundAt: null }), 'not served', /behind schedule/],
  ['late', bothOf({ lastRoundAt: String(now - 76n) }), 'not served', /behind schedule/],
  ['late', bothOf({ lastRoundAt: String(now + 1n) }), 'not served', /behind schedule/],
  ['not_ready', bothOf({ reason: 'rescue_unpayable' }), 'not served', /cannot act/],
  ['not_ready', bothOf({ reason: 'a_reason_of_a_later_version' }), 'not served', /cannot act/],
];

test.each(statements)('WB-36: nothing is green beside a statement that is %s: %j', (why, serves, badge, tells) => {
  const found = said(answerOf(serves));
  expect(watcherOf(answerOf(serves), settings, time, moment)).toBe(why);
  expect(buyerOf(answerOf(serves), false, settings, time, moment)).toBe(why);
  expect(found).toMatchObject({ badge, tone: 'caution', agentsWord: undefined });
  expect(found.more).toMatch(tells);
  expect(found.hindrance).toBe(isNotKnown(why) ? 'unseen' : 'unserved');
  expect(found.needs).toEqual(['guard-1-keeper', 'plans-agent']);
  for (const text of found.texts) expect(text).toMatch(tells);
  const doubt = isNotKnown(why) ? 'no agent seen' : 'the agent does not serve it';
  expect(found.home).toMatch(new RegExp(`^\\d\\.\\d\\d ${badge}, .* · .*, but ${doubt} · 2$`));
});

test('WB-36: a block within a minute of the chain’s newest and its time, and a round within its interval and a minute, are of now', () => {
  for (const serves of [
    changed({ block: ago(80n) }),
    changed({ block: ago(-60n) }),
    bothOf({ lastRoundAt: String(now - 75n) }),
  ]) {
    expect(said(answerOf(serves)).needs).toEqual([]);
  }
});

test('WB-36: the statement gives nothing green: without readiness, or an answer, all stays as it was', () => {
  const unready = said(answerOf(all, { rescues: { ok: false, reason: 'chain_unavailable' } }));
  expect(unready).toMatchObject({ badge: 'no keeper seen', needs: ['guard-1-keeper'], hindrance: undefined });
  expect(said(answerOf(all, { buys: { ok: false, reason: 'loop_late' } })).needs).toEqual(['plans-agent']);
  expect(said(answerOf(all, { buys: null })).hindrance).toBe('unseen');
  for (const gone of [undefined, answerOf(all, {}, -1), answerOf(all, { buys: null, rescues: null })]) {
    expect(said(gone)).toMatchObject({ badge: 'no keeper seen', hindrance: 'unseen' });
    expect(said(gone).home).not.toContain('no action needed');
  }
  // The statement does not override the chain either: a guard that cannot pay, a plan of another executor.
  const poor = said(answerOf(all), { means: { ...(guard.means as NonNullable<Guard['means']>), balance: 0n } });
  expect(poor).toMatchObject({ badge: 'cannot pay: no balance', tone: 'bad' });
  const foreign = said(answerOf(all), {}, { executor: at('e') });
  expect(foreign.home).toContain('no plan this page’s agent runs');
  // Before any answer has arrived, and before the chain's time is known.
  expect(buyerOf(undefined, false, settings, time, moment)).toBeUndefined();
  expect(buyerOf(answerOf(all), false, settings, undefined, moment)).toBeUndefined();
  expect(watcherOf(answerOf(all), settings, undefined, moment)).toBe('unseen');
});

test.each<[why: string, serves: Serving, ofGuard: Partial<Guard>, tells: RegExp]>([
  ['a token', guardsOf({ tokens: [at('2')] }), {}, /does not repay this token/],
  ['a trigger', guardsOf({ maxTriggerHealthWad: String(wad('1.1') - 1n) }), {}, /a trigger this high/],
  ['an owner', guardsOf({ owner: at('d') }), {}, /serves only another owner/],
  ['a value', guardsOf({ minRepayUsdWad: String(wad('1000')) }), {}, /rescues this small/],
])('WB-36: a guard that the agent does not serve, for %s, is not guarded', (_, serves, ofGuard, tells) => {
  const found = said(answerOf(serves), ofGuard);
  expect(found).toMatchObject({
    badge: 'not served',
    tone: 'caution',
    needs: ['guard-1-keeper'],
    hindrance: undefined,
  });
  expect(found.more).toMatch(tells);
  expect(found.home).toMatch(/^\d\.\d\d not served, /);
});

test('WB-36: the bounds themselves are served', () => {
  const { triggerHealthWad, borrower } = guard;
  const edge = { maxTriggerHealthWad: String(triggerHealthWad), owner: borrower };
  expect(said(answerOf(guardsOf(edge))).badge).toBe('guarded');
});

test.each<[why: string, changes: object, ofPlan: Partial<Plan>, tells: RegExp]>([
  ['a token', { tokens: [settings.assets[0]?.address] }, {}, /does not trade this token/],
  [
    'a signer',
    { verdictSigners: [] },
    { verdictSigner: settings.verdictSigners[0] ?? zeroAddress },
    /cannot sign the verdicts/,
  ],
  ['a period', { minPeriodSeconds: '86401' }, {}, /this often/],
  ['a value', { minRunUsdWad: String(wad('26')) }, {}, /trades this small/],
])('WB-36: a plan that the agent does not run, for %s, has no next buy', (_, changes, ofPlan, tells) => {
  const price = { symbol: 'USDT', price_usd: '1.0', change_24h_percent: null, history: [], judged: null };
  const assets = [{ ...price, unavailable: [] }];
  const found = said(answerOf(plansOf(changes), { assets }), {}, ofPlan);
  expect(found).toMatchObject({ badge: 'guarded', hindrance: 'unserved', needs: ['plan-1-unserved'] });
  expect(found.texts[0]).toMatch(tells);
  expect(found.home).toContain('no plan this page’s agent runs · 1');
  // The same plan if the agent serves it.
  expect(said(answerOf(all, { assets }), {}, ofPlan).needs).toEqual([]);
});

test('WB-36: a signer that the agent states and the build does not pin is not known', () => {
  const stranger = at('e');
  const stated = answerOf(plansOf({ verdictSigners: [stranger, ...settings.verdictSigners] }));
  expect(said(stated, {}, { verdictSigner: stranger }).needs).toEqual(['plan-1-unserved']);
  expect(said(stated, {}, { verdictSigner: settings.verdictSigners[0] ?? zeroAddress }).needs).toEqual([]);
});

test('WB-36: a buy’s value is judged only where its token’s price is known', () => {
  expect(said(answerOf(plansOf({ minRunUsdWad: String(wad('26')) }))).needs).toEqual([]);
});

test('the page’s server hands the statement on as it is, and none is none', async () => {
  const told = async (statement: () => Promise<unknown>) => {
    const agent = { get: async () => ({}), post: async () => ({}), ready: async () => ({}), statement };
    return (await createQuotes(agent, [], undefined, () => 0)()).serves;
  };
  expect(await told(async () => ({ chainId: 1, serves: all }))).toEqual(all);
  expect(await told(async () => ({ serves: 'everything' }))).toBe('everything');
  for (const other of [{}, null, 'serves', 7]) expect(await told(async () => other)).toBeNull();
  expect(await told(async () => Promise.reject(new Error('no answer')))).toBeNull();
});

test('whatever is stated, prices are read', () => {
  const sent = { time: '2026-11-24T12:00:00.000Z', sent_at: '2026-11-24T12:00:00.000Z', assets: [] };
  for (const serves of ['', 7, [], {}, null]) expect(quoteAnswer.parse({ ...sent, serves }).serves).toEqual(serves);
  expect(quoteAnswer.parse(sent).serves).toBeNull();
});

test('WB-36: what was seen once is not kept: each answer stands for itself', () => {
  const buyers: Buyer[] = [all, null].map((serves) => buyerOf(answerOf(serves), false, settings, time, moment));
  expect(buyers).toEqual([expect.any(Object), 'unstated']);
});
