// The two contracts that hold guards, without their ABIs: the page loads this with every section.

import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import type { Guard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';

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
