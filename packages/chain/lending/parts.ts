import type { LoanPart } from '@bowline/core/domain/gap';
import type { Address } from '@bowline/core/domain/units';
import { lendingMarketAbi } from '../../../abis/index.ts';
import { type ChainClient, inOneCall } from '../chain-client.ts';
import type { Account, PartsLens } from './lens.ts';

/** A loan by asset; undefined if that cannot be read. Never throws: a loan's health does not depend on it. */
export type PartsReader = (adapter: Address, account: Account) => Promise<readonly LoanPart[] | undefined>;

/** @param lenses by adapter in lower case. */
export function createPartsReader(client: ChainClient, lenses: ReadonlyMap<string, PartsLens>): PartsReader {
  return async (adapter, account) => {
    try {
      const parts = await lenses.get(adapter.toLowerCase())?.parts(account);
      if (parts === undefined) return undefined;
      const markets = parts.flatMap(({ market }) => market ?? []);
      const named = { address: adapter, abi: lendingMarketAbi, functionName: 'repayToken' } as const;
      const contracts = markets.map((market) => ({ ...named, args: [market] }) as const);
      const tokens = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
      const tokenOf = new Map(markets.map((market, at) => [market, tokens[at] as Address]));
      return parts.map(({ market, ...values }) => {
        const token = market && tokenOf.get(market);
        return { ...values, ...(token && { token }) };
      });
    } catch {
      return undefined;
    }
  };
}
