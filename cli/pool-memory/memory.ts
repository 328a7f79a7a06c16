import type { ChainClient } from '@bowline/chain/chain-client';
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { minedBy } from '../sending/send.ts';

// A PancakeSwap v3 pool remembers its price in a ring of observations, and is created with room for one. Anybody may pay for
// more room; a verdict looks back 20 minutes. A pool writes at most one observation a second, so that 1,300 always suffice.

export const enoughSlots = 1_300;

/** Maximum gas of a transaction on BNB Chain (EIP-7825). */
const maxTransactionGas = 2n ** 24n;
/** A new slot costs 22,100 gas, and the loop around it a little: 14.5 million in all. */
const slotsPerTransaction = 650;

const abi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint32 feeProtocol, bool unlocked)',
  'function increaseObservationCardinalityNext(uint16 cardinality)',
]);

export interface Room {
  /** Observations that the pool goes round in now. */
  readonly used: number;
  /** Those that it has been given room for. It goes round in all of them after its present round. */
  readonly bought: number;
}

/** A transaction to send. */
export interface Step {
  readonly to: Address;
  readonly data: Hex;
  /** Room after it. */
  readonly slots: number;
  /** Slots that it adds. */
  readonly added: number;
}

export async function roomOf(client: ChainClient, pool: Address): Promise<Room> {
  const [, , , used, bought] = await client.readContract({ address: pool, abi, functionName: 'slot0' });
  return { used, bought };
}

/** The transactions that give a pool that much room, in order; none if it has it. */
export function stepsTo(pool: Address, { bought }: Room, slots: number): Step[] {
  const steps: Step[] = [];
  for (let has = bought; has < slots; ) {
    const next = Math.min(has + slotsPerTransaction, slots);
    const data = encodeFunctionData({ abi, functionName: 'increaseObservationCardinalityNext', args: [next] });
    steps.push({ to: pool, data, slots: next, added: next - has });
    has = next;
  }
  return steps;
}

export interface Cost {
  readonly gas: bigint;
  readonly gasPriceWei: bigint;
  readonly wei: bigint;
}

/**
 * What the steps cost at the node's gas price. The node measures the first; the others cost as much a slot.
 * @throws viem's error if the node does not answer, or if the pool refuses.
 */
export async function costOf(client: ChainClient, steps: readonly Step[], payer: Address): Promise<Cost> {
  const [first] = steps;
  if (first === undefined) return { gas: 0n, gasPriceWei: 0n, wei: 0n };
  const [measured, gasPriceWei] = await Promise.all([
    client.estimateGas({ account: payer, to: first.to, data: first.data }),
    client.getGasPrice(),
  ]);
  const slots = steps.reduce((sum, { added }) => sum + added, 0);
  const gas = (measured * BigInt(slots) + BigInt(first.added) - 1n) / BigInt(first.added);
  return { gas, gasPriceWei, wei: gas * gasPriceWei };
}

/** Sends one transaction and answers its hash. */
export type Send = (transaction: { to: Address; data: Hex; gas: bigint }) => Promise<Hex>;

/**
 * Sends the steps, each after the one before is in a block.
 * @param told is called with a sentence for each.
 * @throws one line. After an unknown outcome nothing more is sent: what the pool has by then is where the next call goes on.
 */
export async function buy(
  client: ChainClient,
  steps: readonly Step[],
  { payer, send, told }: { readonly payer: Address; readonly send: Send; readonly told: (line: string) => void },
): Promise<void> {
  for (const { to, data, slots } of steps) {
    const measured = await client.estimateGas({ account: payer, to, data });
    const gas = (measured * 21n) / 20n;
    if (gas >= maxTransactionGas)
      throw new Error(`The step to ${slots} would take ${gas} gas, more than a transaction may.`);
    const hash = await send({ to, data, gas });
    const { gasUsed } = await minedBy(client, hash);
    told(`Room for ${slots}: ${hash}, ${gasUsed} gas.`);
  }
}
