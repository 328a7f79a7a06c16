import { shortAddress } from '../domain/readable.ts';
import { sameAddress } from '../domain/same-address.ts';
import type { Address } from '../domain/units.ts';

interface Listed {
  readonly symbol: string;
  readonly address: string;
}

/**
 * What an audit calls a token: a listed one as it is listed, any other by its own symbol. Its contract may be a stranger's
 * and call itself anything: a name that is not a plain symbol, or that resembles a listed token's, is replaced by the address.
 * @param own what the contract calls itself; empty if it does not.
 */
export function tokenName(address: Address, own: string, listed: readonly Listed[]): string {
  const known = listed.find((each) => sameAddress(each.address, address));
  if (known !== undefined) return known.symbol;
  const isTaken = listed.some(({ symbol }) => plain(symbol) === plain(own));
  return isTaken || !/^[\w.$-]{1,20}$/.test(own) ? shortAddress(address) : own;
}

const plain = (symbol: string): string => symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
