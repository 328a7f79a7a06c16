import type { PriceReader, SourcePriceReader } from '@bowline/chain/readers';
import { waitsForPrice } from '@bowline/core/domain/deferrals';
import type { Call, Sender } from '@bowline/core/domain/sending';
import type { Turns } from '@bowline/core/domain/turns';
import { type Address, largest, smallest } from '@bowline/core/domain/units';
import { type Counts, createSend, isChainUnavailable, newTally, type Round, type Tally } from '../runner.ts';
import { type BatchDeps, servePlans } from './batch.ts';
import { gasToday, type Ledger, openLedger } from './ledger.ts';
import {
  type DuePlan,
  duePlans,
  nextRunStart,
  nextSlotStart,
  type PlansSnapshot,
  type ServingPolicy,
  type Skipped,
  servedPlans,
} from './plan.ts';
import { createReports } from './report.ts';
import { createOrderLooks, createTries, type OrderLooks, type Tries } from './tries.ts';

export interface ExecutorDeps extends BatchDeps {
  /** Values a run in USD. */
  readonly prices: PriceReader;
  /** Reads whether the price that a plan waits for has been reached. */
  readonly sourcePrices: SourcePriceReader;
  readonly sender: Sender;
  /** The contract that the sender operates. */
  readonly executor: Address;
  readonly policy: ServingPolicy;
  /** Price sources of this deployment. Plans with any other source are not served. */
  readonly priceSources: readonly Address[];
  /** Absent: every run is this worker's. */
  readonly turns?: Turns<DuePlan>;
}

/**
 * Minimum seconds between a round and an extra one outside the interval, whatever the plans: each round reads all of
 * them.
 */
const minSeconds = 15n;
/**
 * Seconds until a plan is judged again if it waits for a price, or if a silent source or a fault prevented a judgement:
 * its slot may close before the interval ends.
 */
const silentSeconds = 60n;
/** Whether a call failed although the contract did not refuse it: the next attempt may succeed. */
const isUndone = (counts: Counts): boolean => counts['would_revert.unknown_error'] !== undefined;
/** Whether something failed, or did not answer, for any plan. */
const isUnjudged = (counts: Counts): boolean =>
  counts['skipped.source_silent'] !== undefined || counts.failed !== undefined;
/** Whether any plan waits for a price: an order that is checked only every quarter of an hour misses it. */
const isWaiting = (counts: Counts): boolean =>
  ['trigger_not_reached', 'limit_not_reached', 'limit_looked_at_later'].some(
    (each) => counts[`skipped.${each}`] !== undefined,
  );
/** Seconds after a slot's start, so that a block of that time exists. */
const blockSeconds = 2n;

/**
 * One round of the executor: reads every plan, judges the due plans one by one, each with chain facts read just for it,
 * batches runs where possible, and records deferrals after them. Completed work is on chain and the next tick reads it
 * there. Memory holds only attempts: what each plan's last slot reverted, cancelled or missed, whose turn it is among
 * orders, the gas of reverts by owner and day, the slot of a reported silence, and until when no deferral is paid for.
 *
 * The next round is requested for the start of the next slot, or soon after the chain or a source did not answer,
 * nothing could be sent, a call was cancelled, or the price moved in between: a window may be shorter than the
 * interval. Both times are chain time, so a lagging node delays the start by at most its lag.
 */
export function executorTick(deps: ExecutorDeps): (stopping: AbortSignal) => Promise<Round> {
  const tries = createTries();
  const looks = createOrderLooks();
  const send = createSend(deps);
  const silentSlots = new Map<bigint, bigint>();
  const deferring = { againAt: 0n };
  return async (stopping) => {
    const tally = newTally();
    const reports = createReports(deps.reader, deps.log, stopping);
    let nextIn: bigint | undefined;
    try {
      const snapshot = await readPlans(deps, tries, tally);
      const start = nextSlotStart(snapshot);
      if (start !== undefined) nextIn = start + blockSeconds - snapshot.now;
      const { served, ledger, othersIn } = await plansToServe(deps, snapshot, { tries, looks }, tally);
      if (othersIn !== undefined) nextIn = smallest([othersIn, nextIn ?? othersIn]);
      const sending = async (call: Call) => {
        const sent = await send(call, tally);
        if (sent.outcome === 'confirmed' || sent.outcome === 'reverted') tries.included();
        return sent;
      };
      const serving = { deps, send: sending, tries, looks, silentSlots, deferring, ledger, reports, tally };
      const runStart = nextRunStart(snapshot);
      const runAt = runStart === undefined ? undefined : runStart + blockSeconds;
      const done = await servePlans(serving, served, runAt, stopping);
      if (tries.takeAgain() || done !== 'done' || isUndone(tally.counts())) nextIn = minSeconds;
      else if (isUnjudged(tally.counts()) || isWaiting(tally.counts()))
        nextIn = smallest([silentSeconds, nextIn ?? silentSeconds]);
    } catch (error) {
      if (!isChainUnavailable(error)) throw error;
      tally.add('chain_unavailable');
      nextIn = minSeconds;
    } finally {
      await reports.ended();
    }
    const counts = tally.counts();
    return nextIn === undefined ? { counts } : { counts, nextInSeconds: Number(largest([nextIn, minSeconds])) };
  };
}

async function readPlans(
  deps: ExecutorDeps,
  { revertedSlots, cancelledSlots }: Tries,
  tally: Tally,
): Promise<PlansSnapshot> {
  const { reader, executor, policy, priceSources, sources, tickets = [] } = deps;
  const { block, plans, unread } = await reader.plans();
  tally.add('plans', plans.length);
  if (unread > 0) tally.add('unread', unread);
  return {
    now: block.timestamp,
    plans,
    executor,
    assets: sources.assets,
    policy,
    priceSources,
    revertedSlots,
    cancelledSlots,
    verdictSigners: tickets.map(({ address }) => address),
  };
}

async function plansToServe(
  { reader, prices, sourcePrices, executor, policy, turns }: ExecutorDeps,
  snapshot: PlansSnapshot,
  { tries, looks }: { readonly tries: Tries; readonly looks: OrderLooks },
  tally: Tally,
): Promise<{ served: readonly DuePlan[]; ledger: Ledger; othersIn: bigint | undefined }> {
  const { now, plans } = snapshot;
  const count = (skipped: readonly Skipped[]) => {
    for (const { skip } of skipped) tally.add(`skipped.${skip}`);
  };
  const { due: open, skipped } = duePlans(snapshot);
  count(skipped);
  const { ours: due, left, nextMs } = turns?.split(open) ?? { ours: open, left: 0 };
  if (left > 0) tally.add('skipped.left_to_others', left);
  tally.add('due', due.length);
  const { served: profitable, skipped: notServed } = servedPlans(due, await pricesOfPaidTokens(prices, due), policy);
  count(notServed);
  const { due: priced, skipped: waiting } = await pricedPlans(sourcePrices, profitable);
  count(waiting);
  const { due: served, later } = looks.turn(priced);
  if (later > 0) tally.add('skipped.limit_looked_at_later', later);
  const owners = served.map(({ plan }) => plan.owner);
  const gas = await gasToday(reader, plans, executor, owners, now);
  for (const [owner, spent] of tries.gasToday(now)) gas.set(owner, (gas.get(owner) ?? 0n) + spent);
  const othersIn = nextMs === undefined ? undefined : BigInt(Math.ceil(nextMs / 1000));
  return { served, ledger: openLedger(gas, policy), othersIn };
}

/** USD of one whole token by its own feed, by lower-case address. Each feed is read once. */
async function pricesOfPaidTokens(reader: PriceReader, due: readonly DuePlan[]): Promise<Map<string, bigint>> {
  const prices = new Map<string, bigint>();
  const pairings = new Map(due.map(({ plan, pairing }) => [plan.tokenIn.toLowerCase(), pairing]));
  for (const [token, { asset, quoteAsset, side }] of pairings) {
    const { chainlink } = await reader.price(side === 'buy' ? quoteAsset : asset);
    if (chainlink !== undefined) prices.set(token, chainlink.usdWad);
  }
  return prices;
}

/** Plans that wait for no price, and those that do. Each source is read once. */
export async function pricedPlans(
  prices: SourcePriceReader,
  due: readonly DuePlan[],
): Promise<{ due: readonly DuePlan[]; skipped: readonly Skipped[] }> {
  const read = new Map<string, Promise<bigint | undefined>>();
  const priceOf = ({ plan }: DuePlan) => {
    const key = `${plan.priceSource}${plan.tokenIn}${plan.tokenOut}`.toLowerCase();
    // One source's failure must not end the round of all plans.
    const price = read.get(key) ?? prices.sourcePriceWad(plan).catch(() => undefined);
    read.set(key, price);
    return price;
  };
  const waits = await Promise.all(
    due.map(async (each) => {
      const { triggerPriceWad, limitPriceWad } = each.plan;
      return triggerPriceWad + limitPriceWad > 0n ? waitsForPrice(each.plan, await priceOf(each)) : undefined;
    }),
  );
  return {
    due: due.filter((_, at) => waits[at] === undefined),
    skipped: due.flatMap(({ plan }, at) => {
      const skip = waits[at];
      return skip === undefined ? [] : [{ planId: plan.id, skip }];
    }),
  };
}
