import type { BalanceReader, GuardFundsReader, GuardReader, PlanReader, RescueReader } from '@bowline/chain/readers';
import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Notices, PermissionEvent } from '@bowline/core/domain/notices';
import type { BarePlan, Guard } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { isRunning, nextSlot } from '@bowline/core/domain/slots';
import type { Clock, Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import type { Deliveries, Notice } from './deliveries.ts';
import type { Registrations, Webhook } from './registrations.ts';
import { rescueData, streakOf, wrongRescue } from './tell.ts';
import { createTroubles, type Found } from './troubles.ts';

export interface NoticeDeps {
  readonly plans: PlanReader & BalanceReader;
  readonly guards: GuardReader;
  readonly funds: GuardFundsReader;
  readonly rescues: RescueReader;
  readonly registrations: Registrations;
  readonly deliveries: Deliveries;
  /** The only tokens for which an owner's balance is known. */
  readonly assets: readonly Asset[];
  readonly chainId: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Maximum runs that wait to be checked. */
const MAX_WAITING = 1_000;
/** Maximum of each kind: ids of sent notices, plans whose deferrals were checked, guards whose rescues were checked. */
const MAX_TOLD = 10_000;
const OWNERS_AT_ONCE = 4;
/** Records of one plan that are searched for the start of its deferrals. */
const MAX_STREAK = 50;

type RescueEvent = Extract<PermissionEvent, { kind: 'rescue_made' }>;
type PlanEvent = Exclude<PermissionEvent, RescueEvent>;

type NoticeDesk = Pick<Desk, 'tell' | 'round' | 'welcome'>;

export const createNotices = (deps: NoticeDeps): NoticeDesk => new Desk(deps);

/**
 * Turns what the loops report, and what rounds find, into notices to the accounts that have registered. A failure here
 * stays here: it is logged, and the chain has the record.
 */
class Desk implements Notices {
  readonly #deps: NoticeDeps;
  readonly #troubleOf: ReturnType<typeof createTroubles>;
  readonly #looking = pLimit(1);
  readonly #notified = new Set<string>();
  /** Degrees of ongoing troubles as last reported (or less), by registration and permission: a new registration has none. */
  readonly #troubles = new WeakMap<Webhook, Map<string, bigint>>();
  /** By plan: the state at which its deferrals were last checked, and their first record if its owner was told. */
  readonly #looked = new Map<bigint, { readonly with: string; readonly first: number | undefined }>();
  /** By guard: how many rescues it had when it was last checked. */
  readonly #rescues = new Map<GuardKey, number>();
  #serial = 0;

  constructor(deps: NoticeDeps) {
    [this.#deps, this.#troubleOf] = [deps, createTroubles(deps)];
  }

  tell(event: PermissionEvent): void {
    const { registrations, timers, log } = this.#deps;
    const failed = (error: unknown) => log.warn('notice.not_made', { kind: event.kind, error });
    try {
      const owners = event.kind === 'rescue_made' ? [event.guard.borrower, event.guard.funder] : [event.plan.owner];
      if (!owners.some((owner) => registrations.of(owner).length > 0)) return;
      // A rescue's notice reads nothing, so it need not wait for plans to be read.
      if (event.kind === 'rescue_made') this.#tellRescue(event);
      else if (this.#looking.pendingCount >= MAX_WAITING) log.warn('notice.dropped', { type: event.kind });
      else timers.after(0, () => void this.#looking(() => this.#look(event)).catch(failed));
    } catch (error) {
      failed(error);
    }
  }

  /** Confirms to an account that its webhook works. */
  welcome(webhook: Webhook): void {
    const { deliveries, chainId, clock } = this.#deps;
    const { owner, expiresAt } = webhook;
    const data = { account: owner, chain_id: chainId, expires_at: Number(expiresAt) };
    deliveries.send(webhook, { id: `webhook_registered:${owner}:${clock()}`, type: 'webhook_registered', data });
  }

  /** Looks at the funds of every registered account's plans and guards. */
  async round(stopping: AbortSignal): Promise<{ readonly counts: Readonly<Record<string, number>> }> {
    const counts = { watched: 0, chain_unavailable: 0 };
    await pLimit(OWNERS_AT_ONCE).map(this.#deps.registrations.owners(), async (owner) => {
      if (stopping.aborted) return;
      try {
        counts.watched += await this.#lookAt(owner, stopping);
      } catch (error) {
        if (!(error instanceof BowlineError) || error.code !== 'chain_unavailable') throw error;
        counts.chain_unavailable += 1;
      }
    });
    const { watched, chain_unavailable } = counts;
    return { counts: { watched, ...(chain_unavailable > 0 && { chain_unavailable }) } };
  }

  /** @returns whether it waits to be delivered. */
  #queue(webhook: Webhook, { data, ...notice }: Notice): boolean {
    const { deliveries, chainId } = this.#deps;
    return deliveries.send(webhook, { ...notice, data: { ...data, chain_id: chainId, account: webhook.owner } });
  }

  #webhooksOf(owners: readonly Address[]): readonly Webhook[] {
    const all = new Set(owners.map((owner) => owner.toLowerCase() as Address));
    return [...all].flatMap((owner) => this.#deps.registrations.of(owner));
  }

  #send(owners: readonly Address[], notice: Notice): void {
    const wasNotified = this.#notified.delete(notice.id);
    keep(this.#notified.add(notice.id));
    if (!wasNotified) for (const webhook of this.#webhooksOf(owners)) this.#queue(webhook, notice);
  }

  #followEach(found: readonly Found[]): void {
    for (const each of found) this.#follow(each);
  }

  /** Notifies each webhook of a trouble when it begins and each time it grows. */
  #follow({ owners, key, trouble }: Found): void {
    this.#serial += 1;
    if (trouble === 'unknown') return;
    for (const webhook of this.#webhooksOf(owners)) {
      const degrees = this.#troubles.get(webhook) ?? new Map<string, bigint>();
      this.#troubles.set(webhook, degrees);
      const before = degrees.get(key);
      if (trouble === undefined) {
        degrees.delete(key);
        continue;
      }
      const { type, degree, data } = trouble;
      const isNews = before === undefined || degree < before;
      const id = `${type}:${key}:${this.#deps.clock()}-${this.#serial}`;
      // A notice for which the queue had no room is sent in the next round.
      if (!isNews || this.#queue(webhook, { id, type, data })) degrees.set(key, degree);
    }
  }

  #tellRescue({ guard, hash, block, rescue }: RescueEvent): void {
    const data = { ...rescueData(guard, rescue), transaction: hash, block: String(block) };
    const id = `rescue_made:${guardKey(guard)}:${hash}`;
    this.#send([guard.borrower, guard.funder], { id, type: 'rescue_made', data });
  }

  async #look({ plan }: PlanEvent): Promise<void> {
    this.#followEach((await this.#troubleOf.ofPlans(plan.owner)).found);
  }

  /** A closing slot turns its deferrals into a skipped buy, so no event reports the last one. */
  async #lookForSkips(plan: BarePlan, now: bigint): Promise<void> {
    const { id, records, lastReason } = plan;
    const before = this.#looked.get(id);
    const state = `${records} ${nextSlot(plan, now)}`;
    if (lastReason === 0 || !isRunning(plan, now) || before?.with === state) return;
    const newest = await this.#deps.plans.runs(id, Math.max(0, records - MAX_STREAK), records);
    const streak = streakOf(plan, newest, now, before?.first);
    this.#looked.delete(id);
    keep(this.#looked.set(id, { with: state, first: streak?.first }));
    if (streak) this.#send([plan.owner], streak.notice);
  }

  /** Looks at rescues no matter who sent them: the chain's records say what they did. */
  async #lookAtRescues(guard: Guard): Promise<void> {
    const key = guardKey(guard);
    const before = this.#rescues.get(key) ?? guard.rescues;
    const made = guard.rescues > before ? await this.#deps.rescues.rescuesSince(guard, before) : [];
    this.#rescues.delete(key);
    keep(this.#rescues.set(key, guard.rescues));
    for (const [at, rescue] of made.entries()) {
      const notice = wrongRescue(guard, before + at, rescue);
      if (notice) this.#send([guard.borrower, guard.funder], notice);
    }
  }

  async #lookAt(owner: Address, stopping: AbortSignal): Promise<number> {
    const { found, plans, now } = await this.#troubleOf.ofPlans(owner);
    this.#followEach(found);
    for (const plan of plans) {
      if (stopping.aborted) return 0;
      await this.#lookForSkips(plan, now);
    }
    if (stopping.aborted) return 0;
    const ofGuards = await this.#troubleOf.ofGuards(owner, now);
    this.#followEach(ofGuards);
    for (const { guard } of ofGuards) if (guard) await this.#lookAtRescues(guard);
    return found.length + ofGuards.length;
  }
}

/** Forgets the oldest. */
function keep(what: Set<unknown> | Map<unknown, unknown>): void {
  for (const oldest of what.keys()) {
    if (what.size <= MAX_TOLD) return;
    what.delete(oldest);
  }
}
