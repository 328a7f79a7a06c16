import { maxUint256 } from 'viem';
import { thief } from '../mutants.ts';

// Hostile changes to any JSON value. The same seed gives the same changes.

export interface Random {
  /** From 0 up to, but not including, `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** A copy with one to three values changed at any depth. */
export function changed(random: Random, value: unknown): unknown {
  const copy = structuredClone(value);
  for (let times = random.below(3) + 1; times > 0; times--) {
    const places = placesIn(copy);
    if (places.length === 0) return hostile(random, copy);
    const { holder, key } = random.pick(places);
    if (random.below(12) === 0) delete holder[key];
    else holder[key] = hostile(random, holder[key]);
  }
  return copy;
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(holder[key])]);
}

const words = ['', 'GO', 'NO_GO', 'CAUTION', 'BTCB', 'USDT', 'ETH', 'approve', 'swap', '<img src=x onerror=alert(1)>'];

function hostile(random: Random, value: unknown): unknown {
  const others = [null, 0, '0', '0x', [], {}, true, -1, '-1', String(maxUint256), 2 ** 53, thief, random.pick(words)];
  if (random.below(3) === 0) return random.pick(others);
  if (Array.isArray(value)) return random.pick([[], [...value].reverse(), [...value, ...value], value.slice(1)]);
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return random.pick([value + 1, value - 1, value * 10, -value, 0]);
  if (typeof value !== 'string') return random.pick(others);
  if (/^-?\d+$/.test(value)) {
    const number = BigInt(value);
    return String(random.pick([number + 1n, number - 1n, number * 10n, number / 10n, -number, number + 86_400n]));
  }
  if (/^0x[0-9a-f]{2,}$/i.test(value))
    return random.pick([flipped(random, value), value.slice(0, -2), `${value}00`, thief]);
  return random.pick([...words, `${value}${value}`, value.toLowerCase()]);
}

/** Hex with one digit changed. */
export function flipped(random: Random, hex: string): string {
  const at = 2 + random.below(hex.length - 2);
  const digit = ((Number.parseInt(hex[at] ?? '0', 16) + 1 + random.below(15)) % 16).toString(16);
  return hex.slice(0, at) + digit + hex.slice(at + 1);
}
