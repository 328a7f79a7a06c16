import type { GuardKey } from '@bowline/core/domain/guard-key';
import type { Heads } from '@bowline/core/domain/heads';
import { type Look, Unready } from '@bowline/core/domain/readiness';
import type { Timers } from '@bowline/core/domain/time';
import { formatUnits, largest } from '@bowline/core/domain/units';
import type { GasPrices } from './plan.ts';

export type WaitingRescues = ReturnType<typeof createWaitingRescues>;

interface Lateness {
  readonly rescues: number;
  /** Blocks from the newest one when a rescue was first due to the one that made it: the sum, and the maximum. */
  readonly blocks: bigint;
  readonly maxBlocks: bigint;
}

interface Due {
  readonly since: number;
  readonly sinceBlock: bigint | undefined;
  readonly tooDear?: GasPrices | undefined;
  /** `believed`: it may not be due. `again`: it became due again after a refusal. */
  readonly refusal?: 'believed' | 'again';
}

/**
 * Tracks rescues that are due but not made: since when each is due and why, and when loans were last read. A rescue
 * that the contract refuses or the serving policy excludes is not due. An unreachable node changes nothing: a rescue
 * stays due until it is read again.
 * @param heads absent: the block in which a rescue was due is not known.
 */
export function createWaitingRescues({ now }: Pick<Timers, 'now'>, heads?: Pick<Heads, 'newest'>) {
  const head = () => heads?.newest()?.number;
  const due = new Map<GuardKey, Due>();
  let lateness: Lateness = { rescues: 0, blocks: 0n, maxBlocks: 0n };
  let readAt = now();
  let isRead = false;
  const counting = () => [...due.values()].filter(({ refusal }) => refusal !== 'believed');
  const oldestFirst = () => counting().toSorted((a, b) => a.since - b.since);
  return {
    /** Starts the clock. Later calls do not restart it, but they void a refusal in between. */
    add(guardId: GuardKey) {
      const known = due.get(guardId);
      if (known === undefined) due.set(guardId, { since: now(), sinceBlock: head() });
      else if (known.refusal === 'believed') due.set(guardId, { ...known, refusal: 'again' });
    },
    /**
     * The rescue was refused although it was due a moment before. It stops counting until it is due again, and then
     * counts from its first time regardless of later refusals.
     */
    refuse(guardId: GuardKey) {
      const known = due.get(guardId);
      if (known !== undefined && known.refusal === undefined) due.set(guardId, { ...known, refusal: 'believed' });
    },
    /** A due rescue was refused because its gas costs too much; undefined: it no longer is. */
    tooDear(guardId: GuardKey, gas: GasPrices | undefined) {
      const known = due.get(guardId);
      if (known !== undefined) due.set(guardId, { ...known, tooDear: gas });
    },
    /** The rescue was made in this block. Returns how many blocks after it was first due, if that is known. */
    made(guardId: GuardKey, block: bigint) {
      const { sinceBlock } = due.get(guardId) ?? {};
      due.delete(guardId);
      if (sinceBlock === undefined) return undefined;
      // A node may have shown the block of a rescue before it was told of that block.
      const blocks = largest([0n, block - sinceBlock]);
      const { rescues, blocks: all, maxBlocks } = lateness;
      lateness = { rescues: rescues + 1, blocks: all + blocks, maxBlocks: largest([maxBlocks, blocks]) };
      return blocks;
    },
    /** Of rescues made since the start. */
    lateness: () => lateness,
    /** The rescue is no longer due. */
    remove: (guardId: GuardKey) => void due.delete(guardId),
    /** Removes all others. */
    keepOnly(isKept: (guardId: GuardKey) => boolean) {
      for (const id of due.keys()) if (!isKept(id)) due.delete(id);
    },
    /** Number of rescues that are due and not made. */
    count: () => counting().length,
    /** Wait of the oldest rescue in milliseconds; undefined if none waits. */
    oldestMs() {
      const [{ since } = {}] = oldestFirst();
      return since === undefined ? undefined : now() - since;
    },
    /** Gas prices of the oldest rescue that was refused as too expensive; undefined if there is none. */
    tooDearFor: () => oldestFirst().find(({ tooDear }) => tooDear !== undefined)?.tooDear,
    /** Records that guards and loans were read. */
    loansRead() {
      [readAt, isRead] = [now(), true];
    },
    /** Milliseconds since the last read, or since the start if there was none. */
    unreadMs: () => now() - readAt,
    /** Whether they were read at all. */
    isRead: () => isRead,
  };
}

/** Longer than a rescue takes in normal operation, which is one or two blocks. */
const maxWaitMs = 10_000;
/** Many blocks; loans are read at each of them. */
const maxUnreadMs = 15_000;

/**
 * Not ready while a due rescue has waited more than ten seconds, or while loans have not been read for too long, so
 * that due rescues are unknown.
 * @param unreadMs maximum age of the last read. More than the time between two rounds.
 * @param gas for a rescue that was signed before its gas became too expensive.
 */
export const rescuesLook = (
  waiting: WaitingRescues,
  unreadMs = maxUnreadMs,
  gas: () => GasPrices | undefined = () => undefined,
): Look => ({
  name: 'rescues',
  look: async () => {
    const waited = waiting.oldestMs();
    if (waited !== undefined && waited > maxWaitMs) {
      const why = inWords(waiting.tooDearFor() ?? gas());
      const because = why === undefined ? '' : `: ${why}`;
      throw new Unready('rescue_waiting', `A rescue has waited ${inSeconds(waited)} s${because}.`);
    }
    const sinceRead = waiting.unreadMs();
    if (sinceRead > unreadMs) {
      throw new Unready('guards_unread', `The guarded loans have not been read for ${inSeconds(sinceRead)} s.`);
    }
    return waited === undefined ? 'No rescue is waiting.' : `A rescue has been due for ${inSeconds(waited)} s.`;
  },
});

/** Says in words that a rescue's gas costs more than the keeper pays; undefined if it does not. */
function inWords(gas: GasPrices | undefined): string | undefined {
  if (gas === undefined || gas.askedWei <= gas.maxWei) return undefined;
  return `gas_price (gas ${formatUnits(gas.askedWei, 9)} gwei > ${formatUnits(gas.maxWei, 9)})`;
}

const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** @param blockPollMs 0: loans are read every `intervalSeconds` only. */
export const maxUnreadMsOf = (blockPollMs: number, intervalSeconds: number): number =>
  blockPollMs === 0 ? intervalSeconds * 1000 + 10_000 : maxUnreadMs + blockPollMs;
