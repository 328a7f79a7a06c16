// The two contracts that hold guards number them each from 1 on.

import type { Funding, Sale } from './permissions.ts';

/** Names a guard among those of both contracts: LoanGuard's by its number alone. */
export type GuardKey = bigint | `collateral-${bigint}`;

type Keyed = { readonly id: bigint; readonly sale?: object | undefined };

export const guardKey = ({ id, sale }: Keyed): GuardKey => (sale === undefined ? id : `collateral-${id}`);

/** "3" or "collateral-3", in any case; undefined for anything else. */
export function readGuardKey(text: string): GuardKey | undefined {
  const [, isOfCollateral, digits] = /^(collateral-)?(\d{1,20})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return isOfCollateral === undefined ? BigInt(digits) : `collateral-${BigInt(digits)}`;
}

/** The number that its contract knows it by. */
export const numberOf = (key: GuardKey): bigint =>
  typeof key === 'bigint' ? key : BigInt(key.slice('collateral-'.length));

export const fundingOf = ({ sale }: { readonly sale?: Pick<Sale, 'funding'> | undefined }): Funding =>
  sale?.funding ?? 'wallet';

/** Which guard of a loan acts first: idle tokens before deposits, and the collateral that secures the loan last. */
export const fundingOrder: readonly Funding[] = ['wallet', 'savings', 'collateral'];
