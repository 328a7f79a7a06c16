import { toTerms } from '@bowline/chain/plan';
import { Unknown } from '../../../web/app/chain/read-history.ts';
import { type Facts, hashOf } from '../facts.ts';
import { guard, plans, rescueRecords, runs } from './account.ts';
import { bitcoin, moment, now, owner, settings, tether, WAD } from './basics.ts';

// Public records: of a plan, of a guard, of the executor, and a ticket.

const plan = plans.plans.find(({ id }) => id === 3n);
if (plan === undefined) throw new Error('no plan 3');

type PlanHistory = Facts['auditPlan']['history'];

const history: PlanHistory = {
  ...{ id: 3n, blockNumber: 1_000_000n, isRevoked: false, versions: [toTerms(plan)] },
  state: { status: 1, cursor: Number(plan.cursor), runs: plan.runs, records: plan.records, version: 1 },
  runs: runs.toReversed(),
};

export const planAudit: Facts['auditPlan'] = { history, timestamp: now };

export const newPlanAudit: Facts['auditPlan'] = {
  history: { ...history, state: { ...history.state, runs: 0, records: 0 }, runs: [] },
  timestamp: now,
};

/** Its newest run took more than agreed, and delivered less than its floor. */
export const irregularAudit: Facts['auditPlan'] = {
  history: {
    ...history,
    runs: history.runs.map((run, at) => (at === 9 ? { ...run, amountIn: 26n * WAD, amountOut: run.floor - 1n } : run)),
  },
  timestamp: now,
};

export const noSuchPlan = new Unknown('Plan 3 does not exist.');

const guardHistory: Facts['auditGuard']['history'] = {
  ...{ id: 1n, blockNumber: 1_000_000n, isRevoked: false, repayToken: tether.address },
  terms: {
    ...{ borrower: owner, funder: owner, adapter: guard.adapter, market: guard.market },
    ...{ keeper: '0x0000000000000000000000000000000000000000', priceSource: settings.contracts.priceSource },
    ...{
      triggerHealthWad: guard.triggerHealthWad,
      targetHealthWad: guard.targetHealthWad,
      capPerRescue: guard.capPerRescue,
    },
    ...{ capPerDay: guard.capPerDay, minRepay: guard.minRepay, cooldownSeconds: 3_600 },
    expiresAt: Number(guard.expiresAt),
  },
  state: {
    ...{ status: 1, lastRescueAt: Number(guard.lastRescueAt), day: Number(guard.day), takenInDay: 0n },
    ...{ rescues: 1, isBySource: false },
  },
  ...{ rescues: [...rescueRecords], forcedMarkets: [] },
};

export const guardAudit: Facts['auditGuard'] = { history: guardHistory, timestamp: now };
export const newGuardAudit: Facts['auditGuard'] = {
  history: { ...guardHistory, state: { ...guardHistory.state, rescues: 0, lastRescueAt: 0 }, rescues: [] },
  timestamp: now,
};
/** A rescue above its cap, of a loan that can be liquidated at any health. */
export const irregularGuardAudit: Facts['auditGuard'] = {
  history: {
    ...guardHistory,
    rescues: guardHistory.rescues.map((rescue) => ({ ...rescue, repaid: 900n * WAD })),
    forcedMarkets: [guard.market],
  },
  timestamp: now,
};
export const guardAuditInPart: Facts['auditGuard'] = {
  history: { ...guardHistory, forcedMarkets: undefined },
  timestamp: now,
};

export const executor: Facts['auditExecutor'] = {
  ...{ plans: [history], unread: [], cause: undefined },
  ...{ from: 1n, to: 12n, blockNumber: 1_000_000n, timestamp: now },
};
export const idleExecutor: Facts['auditExecutor'] = { ...executor, plans: [] };
export const irregularExecutor: Facts['auditExecutor'] = { ...executor, plans: [irregularAudit.history] };
export const executorInPart: Facts['auditExecutor'] = {
  ...executor,
  unread: [
    { id: 4n, missing: 'records 0 to 49' },
    { id: 5n, missing: 'records 0 to 49' },
  ],
  cause: new Error('cut off'),
};

export const operator: Facts['operator'] = {
  ...{ address: '0xe1000000000000000000000000000000000000e1', balanceWei: WAD / 20n, sent: 41 },
  readAt: moment,
};

const [signer] = settings.verdictSigners;

export const ticket: Facts['ticket'] = {
  ...{ problems: [], verdict: 'GO', signature: '0x00', signer, isReplayed: true, looser: [] },
  ticket: {
    ...{ tokenIn: tether.address, tokenOut: bitcoin.address, verdict: 3, maxPriceWad: 97_900n * WAD },
    ...{ maxAmountIn: 1_000n * WAD, issuedAt: now - 20n, expiresAt: now + 100n, evidenceHash: hashOf('7') },
  },
  lines: ['verdict', 'max_price_wad', 'evidence_hash'].map((what) => ({ what, said: 'as stated', found: 'as stated' })),
};

export const forgedTicket: Facts['ticket'] = {
  ...{ ...ticket, signer: '0x000000000000000000000000000000000000bEEF', problems: ['other_signer', 'does_not_follow'] },
  lines: [{ what: 'verdict', said: 'GO', found: 'NO_GO' }, ...ticket.lines.slice(1)],
};

export const bareTicket: Facts['ticket'] = { ...ticket, isReplayed: false, lines: [] };
export const expiredTicket: Facts['ticket'] = {
  ...{ ...bareTicket, problems: ['expired'], ticket: { ...ticket.ticket, expiresAt: now - 60n } },
};
