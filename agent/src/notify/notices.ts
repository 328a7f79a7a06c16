import type { BalanceReader, GuardFundsReader, GuardReader, PlanReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Notices, PermissionEvent } from '@bowline/core/domain/notices';
import { BowlineError } from '@bowline/core/domain/result';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import type { Deliveries, Notice } from './deliveries.ts';
import type { Registrations, Webhook } from './registrations.ts';
import { type NoticeData, rescueData, streakOf } from './tell.ts';
import { createTroubles, type Found } from './troubles.ts';

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
  const { plans, registrations, deliveries, chainId, clock, timers, log } = deps;
  const troubleOf = createTroubles(deps);
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
  function follow({ owners, key, trouble }: Found): void {
    serial += 1;
    if (trouble === 'unknown') return;
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

  function followEach(found: readonly Found[]): void {
    for (const each of found) follow(each);
  }

  function tellRescue({ guard, hash, block, rescue }: RescueEvent): void {
    const data: NoticeData = rescueData(guard, hash, block, rescue);
    send([guard.borrower, guard.funder], { id: `rescue_made:${guardKey(guard)}:${hash}`, type: 'rescue_made', data });
  }

  async function look({ kind, plan }: PlanEvent): Promise<void> {
    if (kind === 'run_executed') return followEach((await troubleOf.ofPlans(plan.owner)).found);
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
    const { found, now } = await troubleOf.ofPlans(owner);
    followEach(found);
    if (stopping.aborted) return 0;
    const ofGuards = await troubleOf.ofGuards(owner, now);
    followEach(ofGuards);
    return found.length + ofGuards.length;
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
