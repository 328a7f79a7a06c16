// The two contracts that hold guards number them each from 1 on.

import type { Funding, Guard, Sale } from './permissions.ts';
import { sameAddress } from './same-address.ts';
import type { Address } from './units.ts';

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

/** The same by the guard's key. */
export const guardContractAt = (own: GuardContracts, key: GuardKey): Address =>
  contractOf(own, typeof key === 'bigint' ? {} : { sale: anySale });

/** Whether an event or a call is of one of the two contracts, and the guard of this number in it. */
export const keyAt = (own: GuardContracts, address: Address, id: bigint): GuardKey | undefined => {
  if (sameAddress(address, own.loanGuard)) return id;
  return sameAddress(address, own.collateralGuard) ? guardKey({ id, sale: anySale }) : undefined;
};
const anySale = {} as NonNullable<Guard['sale']>;
