// Simulates rescues, sends what the contract would allow, and remembers and logs what came of it.

import type { BalanceReader, BatchPreviewer, HealthReader, JudgedRescue, SaleRouter } from '@bowline/chain/readers';

import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Notices } from '@bowline/core/domain/notices';
import type { Guard, Rescue, Sale } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { listedAt, sameAddress } from '@bowline/core/domain/same-address';
import type { Calls, Sender, Sent } from '@bowline/core/domain/sending';
import type { Turns } from '@bowline/core/domain/turns';
import { type Address, formatUnits, withSymbol } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { type Confirmed, createSend, isChainUnavailable, type Settled, type Tally } from '../runner.ts';
import { type Endangered, type GuardServingPolicy, whyNotWorth } from './plan.ts';
import type { WaitingRescues } from './waiting.ts';
import { restSeconds, retrySeconds, type Watch } from './watch.ts';
import type { Worth } from './worth.ts';

/** They are many after a crash, and no rescue waits for them. */
const REPORTS_AT_ONCE = 8;

export interface RescueDeps {
  readonly reader: BalanceReader;
  readonly loans: Pick<HealthReader, 'changed'>;
  /** Assets that may be repaid; also gives symbols and decimals for log lines. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
  readonly calls: Calls;
  readonly previewer: Pick<BatchPreviewer, 'rescues'>;
  readonly sender: Sender;
  /** Absent where no guard leaves the pools to the caller. */
  readonly router?: SaleRouter;
  readonly watch: Watch;
  readonly worth: Worth;
  /** Receives which rescues are due. */
  readonly waiting?: WaitingRescues;
  /** Absent: every rescue is this worker's. */
  readonly turns?: Turns<Endangered>;
  /** Absent: nobody is told. */
  readonly notices?: Notices;
  readonly log: Log;
}

export interface Rescuer {
  /**
   * Simulates a list and sends those of its rescues that are due, without waiting for their outcome. Returns whether the
   * node answered for any of them.
   */
  rescue(list: readonly Endangered[], tally: Tally, stopping: AbortSignal): Promise<boolean>;
  /** Whether a rescue by this guard was sent and its outcome is open. */
  isUnderWay(guardId: GuardKey): boolean;
  /** Whether a rescue by another guard of the same borrower is. */
  isLoanUnderWay(guard: Guard): boolean;
  /** Guards whose last attempt the contract refused, the longest untried first. */
  refusals(): Iterable<GuardKey>;
  /** Forgets the refusals of all others. */
  keepOnly(guardIds: readonly GuardKey[]): void;
  isBusy(): boolean;
  /** Resolves when no rescue is under way. */
  settled(): Promise<void>;
}

/** @param outcomes counts what became of rescues that were sent. */
export function createRescuer(deps: RescueDeps, outcomes: Tally): Rescuer {
  const { calls, previewer, router, watch, worth, waiting, turns, serving, loans, notices, log } = deps;
  const sendCall = createSend(deps);
  /** Rescues on the way, and whose loans they are for. */
  const underWay = new Map<GuardKey, { readonly count: number; readonly borrower: Address }>();
  /** In the order of their last attempts. */
  const refused = new Set<GuardKey>();
  /** To its end. */
  const refuse = (guardId: GuardKey): void => {
    refused.delete(guardId);
    refused.add(guardId);
  };
  /** Reverted in a block since their last rescue. */
  const reverted = new Set<GuardKey>();
  const works = new Set<Promise<void>>();
  const reporting = pLimit(REPORTS_AT_ONCE);

  const callOf = (list: readonly Endangered[]) => {
    const guards = list.map(({ guard }) => guard);
    const [guard] = guards;
    return guards.length === 1 && guard ? calls.rescue(guard) : calls.rescueMany(guards);
  };

  /** What its simulation says of each; undefined if the node does not say. */
  async function judge(list: readonly Endangered[], tally: Tally): Promise<readonly JudgedRescue[] | undefined> {
    try {
      const judged = await previewer.rescues(callOf(list));
      return judged.length === list.length ? judged : undefined;
    } catch (error) {
      for (const each of list.length === 1 ? list : []) unanswered(each, error, tally);
      return undefined;
    }
  }

  /** Before the simulation, so that what is sent is what was simulated. */
  const routed = async (each: Endangered): Promise<Endangered> => {
    const guard = await router?.routed(each.guard).catch(() => undefined);
    return guard ? { ...each, guard } : each;
  };

  async function rescue(asked: readonly Endangered[], tally: Tally, stopping: AbortSignal): Promise<boolean> {
    const list = await Promise.all(asked.map(async (each) => (each.guard.sale ? routed(each) : each)));
    const judged = await judge(list, tally);
    if (judged === undefined) return list.length > 1 && rescueEachAlone(list, tally, stopping);
    const due = list.filter((each, at) => isDue(each, judged[at] as JudgedRescue, tally));
    tally.add('due', due.length);
    if (due.length > 0 && !stopping.aborted) send(due, due.length === list.length, stopping);
    return true;
  }

  /**
   * What would revert as a list, or got no answer, is tried one by one: a single rescue harms no other. Returns whether
   * the node answered for any.
   */
  async function rescueEachAlone(list: readonly Endangered[], tally: Tally, stopping: AbortSignal): Promise<boolean> {
    const judged = await Promise.all(list.map((each) => judge([each], tally)));
    for (const [at, each] of list.entries()) {
      const [of] = judged[at] ?? [];
      if (of === undefined || !isDue(each, of, tally)) continue;
      tally.add('due');
      if (!stopping.aborted) send([each], true, stopping);
    }
    return judged.some((each) => each !== undefined);
  }

  function isDue(each: Endangered, judged: JudgedRescue, tally: Tally): boolean {
    const { guard } = each;
    const key = guardKey(guard);
    const skip = 'error' in judged ? judged.error : whyNotWorth(worth.repayUsdWad(guard, judged.repay), serving);
    refused.delete(key);
    if (skip === undefined) {
      waiting?.add(key);
      return true;
    }
    tally.add(`skipped.${skip}`);
    waiting?.remove(key);
    turns?.restart(each);
    // A loan whose rescue the contract refuses is not simulated at every block.
    if (!changesAtOnce.has(skip)) {
      // Without a named reason the node may be at fault.
      watch.rest(key, skip === 'unknown_error' ? retrySeconds : restSeconds);
      refused.add(key);
    }
    return false;
  }

  function unanswered({ guard, healthWad }: Endangered, error: unknown, tally: Tally): void {
    const key = guardKey(guard);
    tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
    log.error('guard.failed', { guardId: key, error });
    // The loan is below its trigger and no reason to refuse the rescue is known. An unreadable account may never be due.
    if (healthWad !== undefined) waiting?.add(key);
    // An answer that cannot be read is the node's fault, too.
    watch.rest(key, retrySeconds);
  }

  /** @param isSimulated whether these exact bytes were. */
  function send(due: readonly Endangered[], isSimulated: boolean, stopping: AbortSignal): void {
    const work = async () => {
      try {
        const call = callOf(due);
        const settled = await sendCall(isSimulated ? { ...call, isSimulated } : call, outcomes);
        const guards = due.map(({ guard }) => guard);
        const [guard] = guards;
        if (guards.length === 1 && guard) concludeAlone(guard, settled);
        // Alone, each would cost as much.
        else if (isTooDear(settled.sent)) for (const each of guards) concludeAlone(each, settled);
        else if (isRefusal(settled)) await rescueEachAlone(due, outcomes, stopping);
        else concludeList(guards, settled);
      } catch (error) {
        outcomes.add('failed');
        for (const { guard } of due) {
          log.error('guard.failed', { guardId: guardKey(guard), error });
          watch.rest(guardKey(guard), restSeconds);
        }
      } finally {
        for (const { guard } of due) count(guard, -1);
      }
    };
    for (const { guard } of due) count(guard, 1);
    start(work);
  }

  function count(guard: Guard, more: 1 | -1): void {
    const { borrower } = guard;
    const now = (underWay.get(guardKey(guard))?.count ?? 0) + more;
    if (now === 0) underWay.delete(guardKey(guard));
    else underWay.set(guardKey(guard), { count: now, borrower });
  }

  function start(work: () => Promise<unknown>): void {
    const running: Promise<void> = work().then(() => void works.delete(running));
    works.add(running);
  }

  function concludeList(guards: readonly Guard[], settled: Settled): void {
    if (settled.state !== 'confirmed') {
      // No single guard's fault, and perhaps done: each loan is read again before it is tried again.
      for (const guard of guards) watch.rest(guardKey(guard), settled.sent.outcome === 'not_sent' ? 0n : retrySeconds);
      if (settled.sent.outcome === 'consumed') watch.mistrust();
      return;
    }
    const { sent } = settled;
    const failed = calls.failedRescues(sent.events);
    for (const guard of guards) {
      const id = guardKey(guard);
      if (!failed.has(id)) {
        conclude(guard, sent);
        continue;
      }
      outcomes.add('reverted');
      const reason = failed.get(id);
      log.warn('rescue.failed', { guardId: id, reason, hash: sent.hash, block: sent.block });
      watch.rest(id, restAfterRevert(id));
      waiting?.refuse(id);
      // Another keeper may have been faster.
      if (reason === undefined || !changesAtOnce.has(reason)) refuse(id);
    }
  }

  function concludeAlone(guard: Guard, settled: Settled): void {
    const id = guardKey(guard);
    if (settled.state === 'confirmed') {
      conclude(guard, settled.sent);
      return;
    }
    watch.rest(id, settled.sent.outcome === 'reverted' ? restAfterRevert(id) : restAfter(settled.sent));
    const { sent } = settled;
    waiting?.tooDear(id, sent.outcome === 'not_allowed' ? sent.price : undefined);
    if (refusals.has(settled.sent.outcome) && !isUnexplained(settled)) {
      waiting?.refuse(id);
      refuse(id);
    }
    // It may have been made: the next chain read decides whether another is due.
    if (settled.sent.outcome === 'consumed') watch.mistrust();
  }

  /**
   * The contract allowed it a moment before: blocks may have been undone since, and the next simulation decides. Only once,
   * because whoever can bring it about again makes us pay for each.
   */
  function restAfterRevert(guardId: GuardKey): bigint {
    const seconds = reverted.has(guardId) ? restSeconds : 0n;
    reverted.add(guardId);
    return seconds;
  }

  function conclude(guard: Guard, sent: Confirmed): void {
    const id = guardKey(guard);
    watch.rest(id, restSeconds);
    waiting?.remove(id);
    refused.delete(id);
    reverted.delete(id);
    outcomes.add('rescued');
    // The last read state is outdated.
    watch.forget(id);
    loans.changed(guard);
    // The loan may fall again before the next regular round. A rescue by its source does not even hold back one by the
    // protocol's prices, which may fall in the next block.
    watch.mistrust(guard.priceSource === undefined ? restSeconds : 0n);
    const made = calls.rescuesMade(sent.events).get(id);
    const { hash, block } = sent;
    notices?.tell({ kind: 'rescue_made', guard, hash, block, ...(made && { rescue: made }) });
    start(() => reporting(() => reportRescue(deps, guard, sent, made)));
  }

  return {
    rescue,
    isUnderWay: (guardId) => underWay.has(guardId),
    isLoanUnderWay: (guard) =>
      [...underWay].some(([key, { borrower }]) => key !== guardKey(guard) && sameAddress(borrower, guard.borrower)),
    refusals: () => refused,
    keepOnly(guardIds) {
      const kept = new Set(guardIds);
      for (const ids of [refused, reverted]) for (const id of ids) if (!kept.has(id)) ids.delete(id);
    },
    isBusy: () => works.size > 0,
    async settled() {
      while (works.size > 0) await Promise.all(works);
    },
  };
}

/** Skips that the next block may change. */
const changesAtOnce: ReadonlySet<string> = new Set(['health_not_below_trigger', 'health_at_target', 'cooling_down']);

/** Before anything was signed. A cancelled list has waited for a block in vain, and so would each of its rescues. */
const isRefusal = ({ state, sent }: Settled): boolean => state === 'refused' && sent.outcome !== 'cancelled';

/** How long to skip a guard after this outcome. What was never signed is tried again at the next block. */
function restAfter(sent: Sent): bigint {
  if (sent.outcome === 'not_sent') return 0n;
  const isSoon = undone.has(sent.outcome) || isUnexplained({ sent }) || isTooDear(sent);
  return isSoon ? retrySeconds : restSeconds;
}
/** The contract allowed it a moment before, so the node probably failed, or lags behind the one that was read. */
const isUnexplained = ({ sent }: { readonly sent: Sent }): boolean =>
  sent.outcome === 'would_revert' && (sent.error === 'unknown_error' || sent.error === 'health_not_below_trigger');
const undone: ReadonlySet<Sent['outcome']> = new Set(['cancelled', 'consumed', 'unknown']);

/** Such a rescue stays due. */
const isTooDear = (sent: Sent): boolean => sent.outcome === 'not_allowed' && sent.rule === 'gas_price';
const refusals: ReadonlySet<Sent['outcome']> = new Set(['would_revert', 'reverted']);

/** Logs a rescue. Runs after the fact and never throws: a failed report does not undo the rescue. */
async function reportRescue(
  { reader, log, assets }: Pick<RescueDeps, 'reader' | 'log' | 'assets'>,
  guard: Guard,
  { hash, block }: Confirmed,
  made: Rescue | undefined,
): Promise<void> {
  const known = { guardId: guardKey(guard), borrower: guard.borrower, hash };
  try {
    const token = listedAt(assets, guard.repayToken);
    const at = (number: bigint) => held(reader, guard, token, number);
    if (made === undefined)
      throw new BowlineError('internal', `The receipt has no rescue by guard ${guardKey(guard)}.`);
    // A deposit is in another token than the loan, as a rule.
    const [funderBefore, funderAfter] = guard.sale ? [] : await Promise.all([at(block - 1n), at(block)]);
    log.info('rescue.done', {
      ...known,
      repaid: token === undefined ? made.repaid : withSymbol(made.repaid, token),
      outcome: made.outcome,
      healthBefore: formatUnits(made.healthBeforeWad, 18),
      healthAfter: made.healthAfterWad === undefined ? 'no debt left' : formatUnits(made.healthAfterWad, 18),
      ...(guard.sale ? soldBy(guard.sale, made, assets) : { funderBefore, funderAfter }),
    });
  } catch (error) {
    log.info('rescue.done', known);
    log.warn('report.failed', { guardId: guardKey(guard), error });
  }
}

function soldBy({ collateralToken }: Sale, { sold = 0n, isCutShort }: Rescue, assets: readonly Asset[]) {
  const token = listedAt(assets, collateralToken);
  return { sold: token === undefined ? sold : withSymbol(sold, token), ...(isCutShort && { isCutShort }) };
}

/** The funder's holdings of the repaid token, keyed by its symbol; empty if the token is not listed. */
async function held(reader: BalanceReader, { funder }: Guard, token: Asset | undefined, block: bigint) {
  if (token === undefined) return {};
  const [amount = 0n] = await reader.balances(funder, [token.address], block);
  return { [token.symbol]: formatUnits(amount, token.decimals) };
}
