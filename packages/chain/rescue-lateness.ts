import type { GuardHistory } from '@bowline/core/audit/history';
import { healthWadOf } from '@bowline/core/domain/loan-health';
import { type Address, largest } from '@bowline/core/domain/units';
import { refusalOf } from './errors.ts';
import { guardCall } from './guard.ts';
import { readPosition } from './lending/loan.ts';
import { atBlock, type BlockReads } from './reads.ts';

// How late rescues were. No record says when a loan fell: earlier states show it, on nodes that keep them.

/** Half an hour: a loan that was low for longer, for example without an approval, was not just missed. */
const MAX_BLOCKS = 4_096n;

/** A guard with its rescues from the first on. */
interface Rescued extends Pick<GuardHistory, 'id' | 'sale'> {
  readonly terms: Pick<GuardHistory['terms'], 'adapter' | 'borrower' | 'market' | 'triggerHealthWad'>;
  readonly rescues: readonly Pick<GuardHistory['rescues'][number], 'time' | 'healthBeforeWad'>[];
}

/** The block of a guard's rescue of this number, from 0 on. Undefined where the node does not have the states. */
export async function rescueBlock(
  client: BlockReads,
  contract: Address,
  { id, sale, rescues }: Pick<Rescued, 'id' | 'sale' | 'rescues'>,
  rescue: number,
): Promise<bigint | undefined> {
  async function rescuesAt(block: bigint): Promise<number> {
    try {
      return (await atBlock(client, block).readContract(guardCall(contract, id, sale !== undefined))).state.rescues;
    } catch (error) {
      // There was no such guard, or no contract.
      if (refusalOf(error) === undefined) throw error;
      return 0;
    }
  }
  try {
    const time = BigInt(rescues[rescue]?.time ?? 0);
    const [second, next] = [await firstSince(client, time), await firstSince(client, time + 1n)];
    return await between(second - 1n, next, async (block) => (await rescuesAt(block)) > rescue);
  } catch {
    return undefined;
  }
}

/**
 * Blocks from the first with the guard's loan below its trigger to that of its rescue with this number, from 0 on.
 * Undefined where the node does not have the states, the price source triggered it, or the loan was low for half an hour.
 * @param block the rescue's, if it is known.
 */
export async function blocksLate(
  client: BlockReads,
  contract: Address,
  guard: Rescued,
  rescue: number,
  block?: bigint,
): Promise<bigint | undefined> {
  const { adapter, borrower, market, triggerHealthWad } = guard.terms;
  if ((guard.rescues[rescue]?.healthBeforeWad ?? 0n) >= triggerHealthWad) return undefined;

  async function isLow(at: bigint): Promise<boolean> {
    const { debtValue, weightedCollateralValue } = await readPosition(atBlock(client, at), {
      ...{ adapter, borrower, market },
    });
    return (healthWadOf(weightedCollateralValue, debtValue) ?? triggerHealthWad) < triggerHealthWad;
  }

  try {
    const made = block ?? (await rescueBlock(client, contract, guard, rescue));
    if (made === undefined) return undefined;
    // A rescue before this one ended an earlier fall.
    const before = guard.rescues[rescue - 1];
    const from = before === undefined ? 0n : (await firstSince(client, BigInt(before.time) + 1n)) - 1n;
    let [high, low] = [made - 1n, made];
    for (let step = 1n; high > from && (await isLow(high)); step *= 2n) {
      if (made - high > MAX_BLOCKS) return undefined;
      [high, low] = [largest([high - step, from]), high];
    }
    return made - (await between(high, low, isLow));
  } catch {
    return undefined;
  }
}

/** The first block of this time or a later one; the newest if there is none. */
async function firstSince(client: BlockReads, seconds: bigint): Promise<bigint> {
  const { number } = await client.getBlock({ blockTag: 'latest' });
  return between(-1n, number, async (blockNumber) => (await client.getBlock({ blockNumber })).timestamp >= seconds);
}

/** The first number after `not` for which `isSo` holds. It must also hold from there on, up to `is`. */
async function between(not: bigint, is: bigint, isSo: (number: bigint) => Promise<boolean>): Promise<bigint> {
  let [before, from] = [not, is];
  while (from - before > 1n) {
    const middle = (before + from) / 2n;
    if (await isSo(middle)) from = middle;
    else before = middle;
  }
  return from;
}
