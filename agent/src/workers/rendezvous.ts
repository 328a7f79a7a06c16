/** Spreads 32 bits over 32 bits: the finalizer of MurmurHash3. */
function mix(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return (second ^ (second >>> 16)) >>> 0;
}

/** An address is a hash: its last 32 bits are as good as any. */
export const bitsOf = (address: string): number => Number.parseInt(address.slice(-8), 16);

/**
 * Rendezvous hashing (highest random weight): every worker computes the same order of workers for a permission from their
 * addresses alone, and a worker that joins or leaves changes the first of no permission but its own.
 * @param permission 32 bits.
 * @returns how many of `others` come before `self`: 0 if the permission is its own.
 */
export function rankOf(permission: number, self: string, others: readonly string[]): number {
  const mixed = mix(permission);
  const weightOf = (worker: string) => mix(mixed ^ bitsOf(worker));
  const own = weightOf(self);
  return others.filter((other) => weightOf(other) > own).length;
}
