import type { Asset } from '@bowline/core/domain/assets';
import { fundedRuns } from '@bowline/core/domain/funded-runs';
import { plansOfOwner } from '@bowline/core/domain/owner-plans';
import type { BarePlan, Guard } from '@bowline/core/domain/permissions';
import type {
  BalanceReader,
  Clock,
  Funds,
  GuardFundsReader,
  GuardReader,
  Log,
  Notices,
  PermissionEvent,
  PlanReader,
  Timers,
} from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import type { Deliveries, Notice } from './deliveries.ts';
import type { Registrations, Webhook } from './registrations.ts';
import { guardTrouble, type NoticeData, planTrouble, rescueData, streakOf, type Trouble } from './tell.ts';

export interface NoticeDeps {
  readonly plans: PlanReader & BalanceReader;
  readonly guards: GuardReader;
  readonly funds: GuardFundsReader;
  readonly registrations: Registrations;
  readonly deliveries: Deliveries;
  /** Of no other token is an owner's balance known. */
  readonly assets: readonly Asset[];
  readonly chainId: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Events of plans that wait to be looked at. */
const MAX_WAITING = 1_000;
/** Ids of notices that were sent, and plans whose deferrals are followed. */
const MAX_TOLD = 10_000;
/** Guards of one account that a round looks at: the newest. */
const MAX_EACH = 50;
const OWNERS_AT_ONCE = 4;
/** Records of one plan that are searched for the start of its deferrals. */
const MAX_STREAK = 50;

type RescueEvent = Extract<PermissionEvent, { kind: 'rescue_made' }>;
type PlanEvent = Exclude<PermissionEvent, RescueEvent>;

export interface NoticeDesk extends Notices {
  /** Looks at the funds of every registered account's plans and guards. */
  round(stopping: AbortSignal): Promise<{ readonly counts: Readonly<Record<string, number>> }>;
  /** Tells an account that its webhook works. */
  welcome(webhook: Webhook): void;
}

/**
 * Turns what the loops report, and what rounds find, into notices to the accounts that have registered. Whatever fails
 * here stays here: it is logged, and the chain has the record.
 */
export function createNotices(deps: NoticeDeps): NoticeDesk {
  const { plans, guards, funds, registrations, deliveries, chainId, clock, timers, log } = deps;
  const listed = new Set(deps.assets.map(({ address }) => address.toLowerCase()));
  const waiting: PlanEvent[] = [];
  let isWorking = false;
  const told = new Set<string>();
  /** Degrees of the lasting troubles as last told or less, by registration and permission: a new one knows of none. */
  const troubles = new WeakMap<Webhook, Map<string, bigint>>();
  /** By plan: the record with which its deferrals began. */
  const streaks = new Map<bigint, number>();
  let serial = 0;

  /** @returns whether it waits to be delivered. */
  const queue = (webhook: Webhook, { data, ...notice }: Notice): boolean =>
    deliveries.send(webhook, { ...notice, data: { ...data, chain_id: chainId, account: webhook.owner } });

  const webhooksOf = (owners: readonly Address[]): readonly Webhook[] =>
    [...new Set(owners.map((owner) => owner.toLowerCase() as Address))].flatMap((owner) => registrations.of(owner));

  function send(owners: readonly Address[], notice: Notice): void {
    const isTold = told.delete(notice.id);
    keep(told.add(notice.id));
    if (isTold) return;
    for (const webhook of webhooksOf(owners)) queue(webhook, notice);
  }

  /** Tells each webhook of a trouble when it begins and each time it grows. */
  function follow(owners: readonly Address[], key: string, trouble: Trouble | undefined): void {
    serial += 1;
    for (const webhook of webhooksOf(owners)) {
      const degrees = troubles.get(webhook) ?? new Map<string, bigint>();
      troubles.set(webhook, degrees);
      const before = degrees.get(key);
      if (trouble === undefined) {
        degrees.delete(key);
        continue;
      }
      const { type, degree, data } = trouble;
      const isNews = before === undefined || degree < before;
      // What found no room is told in the next round.
      if (isNews && !queue(webhook, { id: `${type}:${key}:${clock()}-${serial}`, type, data })) continue;
      degrees.set(key, degree);
    }
  }

  const checkGuard = (guard: Guard, held: Funds, now: bigint) =>
    follow([guard.borrower, guard.funder], `guard:${guard.id}`, guardTrouble(guard, held, now));

  /** By token in lower case: what the owner has of each listed one that its plans pay. */
  async function fundsOf(owned: readonly BarePlan[]): Promise<ReadonlyMap<string, Funds>> {
    const running = owned.filter(({ status, tokenIn }) => status === 'active' && listed.has(tokenIn.toLowerCase()));
    const one = new Map(running.map((plan) => [plan.tokenIn.toLowerCase(), plan.id]));
    const read = [...one].map(async ([token, id]) => {
      const { ownerBalance, ownerAllowance } = (await plans.planWithFunds(id)).plan;
      return [token, { balance: ownerBalance, allowance: ownerAllowance }] as const;
    });
    return new Map(await Promise.all(read));
  }

  /** Looks at all plans of an owner, which share its funds. @returns their number, and the chain's time. */
  async function checkPlans(owner: Address): Promise<{ readonly count: number; readonly now: bigint }> {
    const { block, plans: owned } = await plansOfOwner(plans, owner);
    const held = await fundsOf(owned);
    const each = (what: keyof Funds) => Object.fromEntries([...held].map(([token, funds]) => [token, funds[what]]));
    const funded = fundedRuns(
      { plans: owned, balances: each('balance'), allowances: each('allowance') },
      block.timestamp,
    );
    for (const plan of owned) {
      const of = held.get(plan.tokenIn.toLowerCase());
      follow([owner], `plan:${plan.id}`, of && planTrouble(plan, funded.get(plan.id), of));
    }
    return { count: owned.length, now: block.timestamp };
  }

  function tellRescue({ guard, hash, block, rescue }: RescueEvent): void {
    const data: NoticeData = rescueData(guard, hash, block, rescue);
    send([guard.borrower, guard.funder], { id: `rescue_made:${guard.id}:${hash}`, type: 'rescue_made', data });
  }

  async function look({ kind, plan }: PlanEvent): Promise<void> {
    if (kind === 'run_executed') return void (await checkPlans(plan.owner));
    const records = await plans.runs(plan.id, Math.max(0, plan.records - MAX_STREAK), plan.records + 5);
    const streak = streakOf(plan, records, streaks.get(plan.id));
    streaks.delete(plan.id);
    if (streak === undefined) return;
    keep(streaks.set(plan.id, streak.first));
    send([plan.owner], streak.notice);
  }

  async function work(): Promise<void> {
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      try {
        await look(event);
      } catch (error) {
        log.warn('notice.not_made', { kind: event.kind, error });
      }
    }
    isWorking = false;
  }

  async function lookAt(owner: Address, stopping: AbortSignal): Promise<number> {
    const { count, now } = await checkPlans(owner);
    if (stopping.aborted) return 0;
    const own = await guards.guardsFor(owner, MAX_EACH);
    const held = await funds.guardFunds(own.guards);
    for (const [at, guard] of own.guards.entries()) {
      const of = held[at];
      if (of !== undefined) checkGuard(guard, of, now);
    }
    return count + own.guards.length;
  }

  return {
    tell(event) {
      try {
        const owners = event.kind === 'rescue_made' ? [event.guard.borrower, event.guard.funder] : [event.plan.owner];
        if (!owners.some((owner) => registrations.of(owner).length > 0)) return;
        // It reads nothing, so it waits for nobody's plans.
        if (event.kind === 'rescue_made') return tellRescue(event);
        if (waiting.length >= MAX_WAITING) return log.warn('notice.dropped', { type: event.kind });
        waiting.push(event);
        if (isWorking) return;
        isWorking = true;
        timers.after(0, () => void work());
      } catch (error) {
        log.warn('notice.not_made', { kind: event.kind, error });
      }
    },
    welcome(webhook) {
      const { owner, expiresAt } = webhook;
      const data = { account: owner, chain_id: chainId, expires_at: Number(expiresAt) };
      deliveries.send(webhook, { id: `webhook_registered:${owner}:${clock()}`, type: 'webhook_registered', data });
    },
    async round(stopping) {
      const counts = { watched: 0, chain_unavailable: 0 };
      await pLimit(OWNERS_AT_ONCE).map(registrations.owners(), async (owner) => {
        if (stopping.aborted) return;
        try {
          counts.watched += await lookAt(owner, stopping);
        } catch (error) {
          if (!(error instanceof BowlineError) || error.code !== 'chain_unavailable') throw error;
          counts.chain_unavailable += 1;
        }
      });
      const { watched, chain_unavailable } = counts;
      return { counts: { watched, ...(chain_unavailable > 0 && { chain_unavailable }) } };
    },
  };
}

/** Forgets the oldest. */
function keep(what: Set<unknown> | Map<unknown, unknown>): void {
  for (const oldest of what.keys()) {
    if (what.size <= MAX_TOLD) return;
    what.delete(oldest);
  }
}
