import { type Hex, hexToBigInt, toHex } from 'viem';
import type { Chain } from '../chain.ts';
import type { Pool } from './pools.ts';

// A pool remembers its past in a ring of observations. This changes the ring in the pool's storage, since no transaction
// makes a pool forget.

/** Storage slots: the price with the ring's position, the liquidity, and the first observation. */
const stateSlot = 0n;
const liquiditySlot = 5n;
const ringSlot = 9n;

/** Where each part starts, and its length, in bits. */
const tickAt = { from: 160n, bits: 24n };
const indexAt = { from: 184n, bits: 16n };
const cardinalityAt = { from: 200n, bits: 16n };
const nextAt = { from: 216n, bits: 16n };
const timeAt = { from: 0n, bits: 32n };
const ticksAt = { from: 32n, bits: 56n };
const secondsAt = { from: 88n, bits: 160n };
const writtenAt = { from: 248n, bits: 8n };

type Part = typeof tickAt;

/** What a pool remembered before it was shortened. */
export interface Memory {
  readonly index: bigint;
  readonly cardinality: bigint;
  readonly next: bigint;
  /** Every observation that the ring has room for. */
  readonly ring: readonly bigint[];
}

/** Leaves the pool one observation, of now, and room for no other: the memory of a pool that was just created. */
export async function shorten(chain: Chain, pool: Pool): Promise<Memory> {
  const { read, write } = storageOf(chain, pool);
  const { timestamp } = await chain.getBlock();
  const [state, liquidity] = await Promise.all([read(stateSlot), read(liquiditySlot)]);
  const next = part(state, nextAt);
  const slots = Array.from({ length: Number(next) }, (_, at) => ringSlot + BigInt(at));
  const memory = {
    index: part(state, indexAt),
    cardinality: part(state, cardinalityAt),
    next,
    ring: await inGroups(slots, read),
  };
  const last = await read(ringSlot + memory.index);
  const elapsed = timestamp - part(last, timeAt);
  const tick = BigInt.asIntN(Number(tickAt.bits), part(state, tickAt));
  await write(
    ringSlot,
    joined([
      [timeAt, timestamp],
      [ticksAt, part(last, ticksAt) + tick * elapsed],
      [secondsAt, part(last, secondsAt) + (elapsed << 128n) / (liquidity || 1n)],
      [writtenAt, 1n],
    ]),
  );
  await write(stateSlot, withRing(state, { index: 0n, cardinality: 1n, next: 1n }));
  return memory;
}

/**
 * Gives the pool its memory back. What happened since then is one observation of it. Somebody may have given the pool room
 * for more in the meantime, so every slot of the ring may have changed.
 */
export async function restore(chain: Chain, pool: Pool, { ring, ...before }: Memory): Promise<void> {
  const { read, write } = storageOf(chain, pool);
  const state = await read(stateSlot);
  const last = await read(ringSlot + part(state, indexAt));
  const index = (before.index + 1n) % before.cardinality;
  await inGroups(ring, async (observation, at) => {
    const slot = ringSlot + BigInt(at);
    const value = BigInt(at) === index ? last : observation;
    if ((await read(slot)) !== value) await write(slot, value);
  });
  await write(stateSlot, withRing(state, { ...before, index }));
}

/** A node resets connections when a thousand come at once. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  each: (item: Item, at: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += 50) {
    results.push(...(await Promise.all(items.slice(at, at + 50).map((item, place) => each(item, at + place)))));
  }
  return results;
}

function storageOf(chain: Chain, { address }: Pool) {
  return {
    read: async (slot: bigint) => hexToBigInt((await chain.getStorageAt({ address, slot: toHex(slot) })) as Hex),
    write: (slot: bigint, value: bigint) =>
      chain.setStorageAt({ address, index: toHex(slot, { size: 32 }), value: toHex(value, { size: 32 }) }),
  };
}

const withRing = (state: bigint, { index, cardinality, next }: Omit<Memory, 'ring'>): bigint => {
  const ring = [indexAt, cardinalityAt, nextAt].reduce((bits, { from, bits: length }) => bits | mask(length, from), 0n);
  return (
    (state & ~ring) |
    joined([
      [indexAt, index],
      [cardinalityAt, cardinality],
      [nextAt, next],
    ])
  );
};

const mask = (length: bigint, from: bigint): bigint => ((1n << length) - 1n) << from;
const part = (word: bigint, { from, bits }: Part): bigint => (word >> from) & mask(bits, 0n);
const joined = (parts: readonly (readonly [Part, bigint])[]): bigint =>
  parts.reduce((word, [{ from, bits }, value]) => word | (BigInt.asUintN(Number(bits), value) << from), 0n);
