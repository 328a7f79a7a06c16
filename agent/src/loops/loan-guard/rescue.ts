// Simulates rescues, sends what the contract would allow, and remembers and logs the outcomes.

import type {
  BalanceReader,
  BatchPreviewer,
  HealthReader,
  JudgedRescue,
  SaleRouter,
  Word,
} from '@bowline/chain/readers';

import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Log } from '@bowline/core/domain/log';
import type { Notices } from '@bowline/core/domain/notices';
import type { Guard, Rescue, Sale } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { listedAt, sameAddress } from '@bowline/core/domain/same-address';
import type { Call, Calls, Sender, Sent } from '@bowline/core/domain/sending';
import { whyNotProfitable } from '@bowline/core/domain/served';
import type { Clock } from '@bowline/core/domain/time';
import type { Turns } from '@bowline/core/domain/turns';
import { type Address, formatUnits, withSymbol } from '@bowline/core/domain/units';
import pLimit from 'p-limit';
import { type Confirmed, createSend, isChainUnavailable, type Send, type Tally } from '../runner.ts';
import {
  type Attempt,
  type AttemptEffect,
  type AttemptEvent,
  BorrowerGas,
  type Endangered,
  firstAttempt,
  type GuardServingPolicy,
  isTooDear,
  maxGasPriceOf,
  stepAttempt,
} from './plan.ts';
import type { WaitingRescues } from './waiting.ts';
import type { Profitability, Watch } from './watch.ts';

/** There are many reports after a crash, and no rescue waits for them. */
const REPORTS_AT_ONCE = 8;
/** A trial is mined within this time even if its price is raised once. The others wait no longer: they may be due. */
const TRIAL_SECONDS = 3n;

export interface RescueDeps {
  readonly reader: BalanceReader;
  readonly loans: Pick<HealthReader, 'changed'>;
  /** Assets that may be repaid; also gives symbols and decimals for log lines. */
  readonly assets: readonly Asset[];
  readonly serving: GuardServingPolicy;
  readonly calls: Calls;
  readonly previewer: Pick<BatchPreviewer, 'rescues'>;
  readonly sender: Sender;
  /** Absent if no guard leaves the choice of pools to the caller. */
  readonly router?: SaleRouter;
  readonly watch: Watch;
  readonly profitability: Profitability;
  /** What the rescues of one borrower's loans may cost in a UTC day. Absent: any amount. */
  readonly borrowerDayWei?: bigint;
  /** Receives which rescues are due. */
  readonly waiting?: WaitingRescues;
  /** Absent: every rescue is this worker's. */
  readonly turns?: Turns<Endangered>;
  /** Absent: no notices. */
  readonly notices?: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/** A rescue that its simulation allows. */
interface Due extends Endangered {
  /** The liquidation penalty that it saves, in BNB; undefined if that is not known. */
  readonly savedWei: bigint | undefined;
  /** The nodes that the simulation relies on, if not all. */
  readonly word: Word | undefined;
}

export type Rescuer = Pick<Driver, Public>;
type Public = 'rescue' | 'isUnderWay' | 'isLoanUnderWay' | 'refusals' | 'keepOnly' | 'isBusy' | 'settled';

/** Whether the chain shows that the rescues of a call were due; undefined if it shows nothing. */
function rightness(sent: Sent, { failedRescues }: Calls): boolean | undefined {
  if (sent.outcome === 'confirmed') return failedRescues(sent.events).size === 0;
  return sent.outcome === 'reverted' ? false : undefined;
}

/** @param outcomes counts the outcomes of rescues that were sent. */
export const createRescuer = (deps: RescueDeps, outcomes: Tally): Rescuer => new Driver(deps, outcomes);

class Driver {
  readonly #deps: RescueDeps;
  readonly #outcomes: Tally;
  readonly #send: Send;
  readonly #reporting = pLimit(REPORTS_AT_ONCE);
  readonly #gas = new BorrowerGas();
  /** In the order in which they were last refused. */
  readonly #attempts = new Map<GuardKey, Attempt>();
  /** Rescues in flight, and their borrowers. */
  readonly #underWay = new Map<GuardKey, { readonly count: number; readonly borrower: Address }>();
  readonly #works = new Set<Promise<void>>();
  /** Guards whose rescue was doubtful the last time. */
  readonly #doubted = new Set<GuardKey>();
  /** When the trial rescue was sent that tests an unproven word; undefined if no trial is under way. */
  #triedAt: bigint | undefined;

  constructor(deps: RescueDeps, outcomes: Tally) {
    [this.#deps, this.#outcomes, this.#send] = [deps, outcomes, createSend(deps)];
  }

  /**
   * Simulates a list and sends its due rescues, without waiting for their outcome. Returns whether the node answered
   * for any of them.
   */
  async rescue(asked: readonly Endangered[], tally: Tally, stopping: AbortSignal): Promise<boolean> {
    this.#deps.sender.prepare?.();
    const list = await Promise.all(asked.map((each) => (each.guard.sale ? this.#routed(each) : each)));
    const judged = await this.#judge(list, tally);
    if (judged === undefined) return list.length > 1 && this.#rescueEachAlone(list, tally, stopping);
    const due = list.flatMap((each, at) => this.#due(each, judged[at] as JudgedRescue, tally) ?? []);
    tally.add('due', due.length);
    for (const [word, of] of Map.groupBy(due, (one) => one.word)) {
      const some = this.#isTrial(word) ? of.slice(0, 1) : of;
      if (!stopping.aborted) this.#begin(some, some.length === list.length, stopping);
    }
    return true;
  }

  /** Whether a rescue by this guard was sent and its outcome is open. */
  isUnderWay(guardId: GuardKey): boolean {
    return this.#underWay.has(guardId);
  }

  /** Whether a rescue by another guard of the same borrower is under way. */
  isLoanUnderWay(guard: Guard): boolean {
    return [...this.#underWay].some(
      ([key, { borrower }]) => key !== guardKey(guard) && sameAddress(borrower, guard.borrower),
    );
  }

  /** Guards whose last attempt the contract refused, least recently tried first. */
  refusals(): readonly GuardKey[] {
    return [...this.#attempts].flatMap(([key, { isRefused }]) => (isRefused ? key : []));
  }

  /** Forgets the attempts of all others. */
  keepOnly(isKept: (guardId: GuardKey) => boolean): void {
    for (const id of this.#attempts.keys()) if (!isKept(id)) this.#attempts.delete(id);
  }

  isBusy(): boolean {
    return this.#works.size > 0;
  }

  /** Resolves when no rescue is under way. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works);
  }

  /** Routes the sale before the simulation, so that exactly what was simulated is sent. */
  async #routed(each: Endangered): Promise<Endangered> {
    const guard = await this.#deps.router?.routed(each.guard).catch(() => undefined);
    return guard ? { ...each, guard } : each;
  }

  /** The simulation's result for each rescue; undefined if the node gives none. */
  async #judge(list: readonly Endangered[], tally: Tally): Promise<readonly JudgedRescue[] | undefined> {
    try {
      const judged = await this.#deps.previewer.rescues(this.#callOf(list));
      return judged.length === list.length ? judged : undefined;
    } catch (error) {
      for (const { guard, healthWad } of list.length === 1 ? list : []) {
        tally.add(isChainUnavailable(error) ? 'chain_unavailable' : 'failed');
        this.#deps.log.error('guard.failed', { guardId: guardKey(guard), error });
        this.#post(guard, { type: 'unanswered', isRead: healthWad !== undefined });
      }
      return undefined;
    }
  }

  #callOf(list: readonly Endangered[]): Call {
    const { calls } = this.#deps;
    const [guard, ...others] = list.map((each) => each.guard);
    return guard && others.length === 0 ? calls.rescue(guard) : calls.rescueMany(list.map((each) => each.guard));
  }

  /**
   * A list that would revert, or got no answer, is retried one by one: a single rescue harms no other. Returns whether
   * the node answered for any.
   */
  async #rescueEachAlone(list: readonly Endangered[], tally: Tally, stopping: AbortSignal): Promise<boolean> {
    const judged = await Promise.all(list.map((each) => this.#judge([each], tally)));
    for (const [at, each] of list.entries()) {
      const [of] = judged[at] ?? [];
      const due = of && this.#due(each, of, tally);
      if (due === undefined) continue;
      tally.add('due');
      if (!stopping.aborted) this.#begin([due], true, stopping);
    }
    return judged.some((each) => each !== undefined);
  }

  /** Undefined if the rescue is not due. */
  #due(each: Endangered, judged: JudgedRescue, tally: Tally): Due | undefined {
    const { guard } = each;
    const { profitability, turns } = this.#deps;
    const skip = 'error' in judged ? judged.error : this.#whyNotPaid(guard, judged);
    if (skip !== undefined) tally.add(`skipped.${skip}`);
    this.#post(guard, { type: 'judged', skip });
    if (skip === undefined && 'repay' in judged)
      return { ...each, savedWei: profitability.savedWei(guard, judged.repay), word: judged.word };
    turns?.restart(each);
    return undefined;
  }

  #whyNotPaid(guard: Guard, { repay, word }: { readonly repay: bigint; readonly word?: Word }): string | undefined {
    const { profitability, serving, watch, borrowerDayWei } = this.#deps;
    const doubt = this.#whyDoubted(guard, word?.isDoubtful === true);
    if (doubt !== undefined) return doubt;
    const paidWei = this.#gas.paidWei(guard, watch.known().now);
    if (borrowerDayWei !== undefined && paidWei >= borrowerDayWei) return 'borrower_gas_day';
    return whyNotProfitable(profitability.repayUsdWad(guard, repay), serving);
  }

  /** Doubted once only: the nodes that contradict may just have been a block behind. */
  #whyDoubted(guard: Guard, isDoubtful: boolean): 'nodes_disagree' | undefined {
    const wasDoubted = this.#doubted.delete(guardKey(guard));
    if (!isDoubtful || wasDoubted) return undefined;
    this.#doubted.add(guardKey(guard));
    return 'nodes_disagree';
  }

  /** Whether one rescue must go first, as a trial. The others wait no longer than its outcome should take. */
  #isTrial(word: Word | undefined): boolean {
    const isLate = this.#triedAt !== undefined && this.#deps.clock() - this.#triedAt >= TRIAL_SECONDS;
    return word?.isUnproven === true && !isLate;
  }

  /** @param isSimulated whether these exact bytes were simulated. */
  #begin(due: readonly Due[], isSimulated: boolean, stopping: AbortSignal): void {
    const word = due[0]?.word;
    const isTrial = this.#isTrial(word);
    if (isTrial && this.#triedAt !== undefined) return;
    if (isTrial) this.#triedAt = this.#deps.clock();
    for (const { guard } of due) this.#count(guard, 1);
    this.#start(async () => {
      try {
        const maxGasPriceWei = maxGasPriceOf(due);
        const marks = {
          ...(isSimulated && { isSimulated }),
          ...(word?.isDoubtful && ({ isDoubtful: true } as const)),
          ...(maxGasPriceWei !== undefined && { maxGasPriceWei }),
        };
        const sent = await this.#send({ ...this.#callOf(due), ...marks }, this.#outcomes);
        this.#notePaid(due, sent);
        const isRight = rightness(sent, this.#deps.calls);
        if (isRight !== undefined) word?.judge(isRight);
        await this.#conclude(due, sent, stopping);
      } catch (error) {
        this.#outcomes.add('failed');
        for (const { guard } of due) {
          this.#deps.log.error('guard.failed', { guardId: guardKey(guard), error });
          this.#post(guard, { type: 'broken' });
        }
      } finally {
        for (const { guard } of due) this.#count(guard, -1);
        if (isTrial) this.#triedAt = undefined;
      }
    });
  }

  #notePaid(due: readonly Due[], sent: Sent): void {
    const paidWei = 'paidWei' in sent ? sent.paidWei : undefined;
    const guards = due.map(({ guard }) => guard);
    if (paidWei !== undefined) this.#gas.add(guards, paidWei, this.#deps.watch.known().now);
  }

  async #conclude(due: readonly Endangered[], sent: Sent, stopping: AbortSignal): Promise<void> {
    if (sent.outcome === 'confirmed') return this.#concludeMined(due, sent);
    // If a list is too expensive, each of its rescues alone costs as much.
    const isAlone = due.length === 1 || isTooDear(sent);
    // Before anything was signed. A cancelled list never got into a block, and neither would its single rescues.
    const isRefusal = sent.outcome === 'would_revert' || sent.outcome === 'not_allowed';
    if (isRefusal && !isAlone) await this.#rescueEachAlone(due, this.#outcomes, stopping);
    else for (const { guard } of due) this.#post(guard, { type: 'ended', sent, isAlone });
  }

  #concludeMined(due: readonly Endangered[], sent: Confirmed): void {
    const { calls, log } = this.#deps;
    const { hash, block } = sent;
    const failed = due.length === 1 ? new Map<GuardKey, string>() : calls.failedRescues(sent.events);
    for (const { guard } of due) {
      const guardId = guardKey(guard);
      if (!failed.has(guardId)) {
        this.#made(guard, sent);
        continue;
      }
      const reason = failed.get(guardId);
      this.#outcomes.add('reverted');
      log.warn('rescue.failed', { guardId, reason, hash, block });
      this.#post(guard, { type: 'failed', reason });
    }
  }

  #made(guard: Guard, sent: Confirmed): void {
    const { watch, loans, calls, notices, waiting } = this.#deps;
    const { hash, block } = sent;
    this.#outcomes.add('rescued');
    const blocks = waiting?.made(guardKey(guard), block);
    this.#post(guard, { type: 'made', isBySource: guard.priceSource !== undefined });
    // The last read state is outdated.
    watch.forget(guardKey(guard));
    loans.changed(guard);
    const made = calls.rescuesMade(sent.events).get(guardKey(guard));
    notices?.tell({ kind: 'rescue_made', guard, hash, block, ...(made && { rescue: made }) });
    this.#start(() => this.#reporting(() => reportRescue(this.#deps, guard, sent, made, blocks)));
  }

  #post(guard: Guard, event: AttemptEvent): void {
    const key = guardKey(guard);
    const [attempt, effects] = stepAttempt(this.#attempts.get(key) ?? firstAttempt, event);
    if (attempt.isRefused) this.#attempts.delete(key);
    this.#attempts.set(key, attempt);
    for (const effect of effects) this.#perform(key, effect);
  }

  #perform(key: GuardKey, effect: AttemptEffect): void {
    const { watch, waiting } = this.#deps;
    if (effect.do === 'back_off') watch.backOff(key, effect.seconds);
    else if (effect.do === 'mistrust') watch.mistrust(effect.seconds);
    else if (effect.do === 'too_dear') waiting?.tooDear(key, effect.gas);
    else waiting?.[effect.do](key);
  }

  #count(guard: Guard, more: 1 | -1): void {
    const key = guardKey(guard);
    const count = (this.#underWay.get(key)?.count ?? 0) + more;
    if (count === 0) this.#underWay.delete(key);
    else this.#underWay.set(key, { count, borrower: guard.borrower });
  }

  #start(work: () => Promise<unknown>): void {
    const running: Promise<void> = work().then(() => void this.#works.delete(running));
    this.#works.add(running);
  }
}

/** Logs a rescue. Runs after the fact and never throws: a failed report does not undo the rescue. */
async function reportRescue(
  { reader, log, assets }: Pick<RescueDeps, 'reader' | 'log' | 'assets'>,
  guard: Guard,
  { hash, block }: Confirmed,
  made: Rescue | undefined,
  blocks: bigint | undefined,
): Promise<void> {
  const late = blocks === undefined ? {} : { blocks };
  const known = { guardId: guardKey(guard), borrower: guard.borrower, hash, ...late };
  try {
    const token = listedAt(assets, guard.repayToken);
    const at = (number: bigint) => held(reader, guard, token, number);
    if (made === undefined)
      throw new BowlineError('internal', `The receipt has no rescue by guard ${guardKey(guard)}.`);
    // A deposit is usually in another token than the loan.
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
