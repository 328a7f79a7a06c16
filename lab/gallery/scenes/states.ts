import type { Transaction } from '../../../web/app/transactions/transaction.ts';
import { type Answers, hashOf, waiting } from '../facts.ts';
import type { Doing, Impossible, Scene, State } from '../scene.ts';
import * as account from './account.ts';
import * as audits from './audits.ts';
import { moment, now, owner, quote, settings, silence, tether, WAD, year } from './basics.ts';
import { proofs } from './proofs.ts';
import * as trade from './trade.ts';

// The general form of the eight states. Each section adds its own parts.

/** Everything could be read, and is as its owner wants it. */
const good: Answers = {
  ...{ agreed: settings, quote, year, time: { timestamp: now, at: moment } },
  native: (3n * WAD) / 10n,
  worth: account.worth,
  held: { held: 1_420n * WAD, native: (3n * WAD) / 10n },
  token: { symbol: tether.symbol, decimals: tether.decimals },
  ...{
    overview: account.overview,
    proofs,
    plans: account.plans,
    runs: account.runs,
    weeklyRuns: account.weeklyRuns,
    simulation: trade.simulation,
    ownCost: { bps: 303n, limitBps: 40n, passes: 16n * WAD },
  },
  ...{ guarded: account.guarded, guard: account.guardById, rescues: account.rescues },
  ...{ allRescues: account.allRescues, penalty: WAD / 10n, paymentPlace: account.paymentPlace },
  whatIf: { account: { healthWad: WAD, debtUsdWad: WAD, weightedUsdWad: WAD }, rescues: [] },
  ...{ market: trade.market, cost: trade.cost, feed: WAD, allowance: 0n, approvals: account.approvals },
  floorPrices: { payUsdWad: WAD, buyUsdWad: (974_125n * WAD) / 10n, readAt: moment },
  ...{ auditPlan: audits.planAudit, auditGuard: audits.guardAudit, auditExecutor: audits.executor },
  ...{ operator: audits.operator, firstBlock: null, ticket: audits.ticket },
};

const each = (answer: Error | typeof waiting): Answers =>
  ({ ...Object.fromEntries(Object.keys(good).map((name) => [name, answer])), agreed: settings }) as Answers;

const tx = {
  ...{ id: 'kept', owner, place: undefined, batch: undefined, at: 0, hashes: [], receipts: [] },
  steps: [{ label: 'Create the plan', to: settings.contracts.planRegistry, data: '0x00' }],
} as const;
const refusedTransaction: Transaction = {
  ...{ ...tx, state: 'failed', hashes: [hashOf('a')] },
  failure: {
    kind: 'reverted',
    words: 'The contract reverted the transaction: only its fee was paid. The plan has already ended.',
  },
};
/** The wallet was asked, and answered to a page that is gone. */
export const unknownTransaction: Transaction = {
  ...{ ...tx, state: 'unknown', sent: undefined, asked: { first: 0, next: 0, since: 0n } },
};

export const unfold: readonly Doing[] = [{ press: 'Create the plan' }];
const signStop: readonly Doing[] = [
  { press: 'Stop everything' },
  { press: 'Stop everything' },
  { see: 'Check your wallet' },
  { press: 'Not now' },
];

export type Changes = Partial<Omit<Scene, 'answers'>> & { readonly answers?: Partial<Answers> };
type Own = Partial<Record<State, Changes | Impossible>> & Record<'empty' | 'refused', Changes | Impossible>;

const trouble = { code: 'agent_unavailable', detail: 'The agent does not answer.' } as const;

/**
 * A section in every state.
 * @param always holds in all states; its `doing` runs before a state's.
 * @param own a state's changes to its general form; its `doing` replaces the general one.
 */
export function section(always: Changes, own: Own): Record<State, Scene | Impossible> {
  const general: Record<State, Changes & { readonly all?: Answers }> = {
    loading: { all: each(waiting), node: 'waiting', buy: waiting, agent: waiting },
    empty: {},
    good: {},
    refused: { transactions: [refusedTransaction] },
    unreadable: { all: each(silence), node: 'silent', buy: trouble, agent: trouble },
    'wrong network': { wallet: 'elsewhere' },
    signing: { doing: signStop },
    unknown: { transactions: [unknownTransaction], doing: unfold },
  };
  const made = Object.entries(general).map(([state, { all = good, ...usual }]) => {
    const changes = own[state as State] ?? {};
    if ('impossible' in changes) return [state, changes];
    const scene: Scene = {
      ...{ path: '/', wallet: 'silent', node: 'answers', transactions: [], buy: trade.bought, agent: trade.answered },
      ...{ ...always, ...usual, ...changes },
      answers: { ...all, ...always.answers, ...changes.answers } as Answers,
      doing: [...(always.doing ?? []), ...(changes.doing ?? usual.doing ?? [])],
    };
    return [state, scene];
  });
  return Object.fromEntries(made) as Record<State, Scene | Impossible>;
}
