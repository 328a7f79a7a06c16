// Each of the two contracts that hold guards numbers its guards from 1.

import type { Funding, Guard, Sale } from './permissions.ts';
import { sameAddress } from './same-address.ts';
import type { Address } from './units.ts';

/** Identifies a guard across both contracts. A guard of LoanGuard is its number alone. */
export type GuardKey = bigint | `collateral-${bigint}`;

type Keyed = { readonly id: bigint; readonly sale?: object | undefined };

export const guardKey = ({ id, sale }: Keyed): GuardKey => (sale === undefined ? id : `collateral-${id}`);

/** "3" or "collateral-3", in any case; undefined for anything else. */
export function readGuardKey(text: string): GuardKey | undefined {
  const [, isOfCollateral, digits] = /^(collateral-)?(\d{1,20})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return isOfCollateral === undefined ? BigInt(digits) : `collateral-${BigInt(digits)}`;
}

/** The guard's number in its contract. */
export const numberOf = (key: GuardKey): bigint =>
  typeof key === 'bigint' ? key : BigInt(key.slice('collateral-'.length));

export const fundingOf = ({ sale }: { readonly sale?: Pick<Sale, 'funding'> | undefined }): Funding =>
  sale?.funding ?? 'wallet';

/** Which guard of a loan acts first: idle tokens before deposits, and the collateral that secures the loan last. */
export const fundingOrder: readonly Funding[] = ['wallet', 'savings', 'collateral'];

export interface GuardContracts {
  readonly loanGuard: Address;
  /** Absent where it is not deployed. */
  readonly collateralGuard?: Address;
}

/** The contract that holds a guard. */
export function contractOf({ loanGuard, collateralGuard }: GuardContracts, { sale }: Pick<Guard, 'sale'>): Address {
  if (sale === undefined) return loanGuard;
  if (collateralGuard === undefined) throw new Error('CollateralGuard is not deployed here.');
  return collateralGuard;
}

/** The same, by the guard's key. */
export const guardContractAt = (own: GuardContracts, key: GuardKey): Address =>
  contractOf(own, typeof key === 'bigint' ? {} : { sale: anySale });

/** The guard with this number in one of the two contracts; undefined if the address is neither contract's. */
export const keyAt = (own: GuardContracts, address: Address, id: bigint): GuardKey | undefined => {
  if (sameAddress(address, own.loanGuard)) return id;
  return sameAddress(address, own.collateralGuard) ? guardKey({ id, sale: anySale }) : undefined;
};
const anySale = {} as NonNullable<Guard['sale']>;
