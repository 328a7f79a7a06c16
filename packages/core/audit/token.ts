import { shortAddress } from '../domain/readable.ts';
import { sameAddress } from '../domain/same-address.ts';
import type { Address } from '../domain/units.ts';

interface Listed {
  readonly symbol: string;
  readonly address: string;
}

/**
 * The name that an audit shows for a token: its listed symbol, or else its own. A stranger's contract can call itself
 * anything, so a name that is not a plain symbol or that resembles a listed token's is replaced by the address.
 * @param own the symbol that the contract reports; empty if it reports none.
 */
export function tokenName(address: Address, own: string, listed: readonly Listed[]): string {
  const known = listed.find((each) => sameAddress(each.address, address));
  if (known !== undefined) return known.symbol;
  const isTaken = listed.some(({ symbol }) => plain(symbol) === plain(own));
  return isTaken || !/^[\w.$-]{1,20}$/.test(own) ? shortAddress(address) : own;
}

const plain = (symbol: string): string => symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
