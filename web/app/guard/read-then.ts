import { readAssets } from '@bowline/chain/lending/loan';
import { atBlock } from '@bowline/chain/reads';
import { blocksLate, rescueBlock } from '@bowline/chain/rescue-lateness';
import { contractOf } from '@bowline/core/domain/guard-key';
import { protocolAt } from '@bowline/core/domain/lending';
import { perToken } from '@bowline/core/domain/loan-prices';
import { sameAddress } from '@bowline/core/domain/same-address';
import { assetAt, type Settings } from '../api/settings.ts';
import type { ChainClient } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { LoanMarket } from '../chain/read-loan.ts';
import type { TimedRescue } from './use-loan.ts';

/** What the chain's states at the time of a rescue tell. */
export interface Then {
  /** Undefined if the node does not have those states. */
  readonly block: bigint | undefined;
  /** Blocks since the loan's fall; undefined if not known. */
  readonly late: bigint | undefined;
  /** The protocol's oracle prices of the debt and each collateral in that block: US dollars with 18 decimals. */
  readonly prices: readonly { readonly symbol: string; readonly usdWad: bigint }[];
}

interface Of {
  readonly rescue: TimedRescue;
  /** The previous rescue; undefined for the first. */
  readonly before: TimedRescue | undefined;
  /** The rescue's number, from 0. */
  readonly number: number;
  /** The loan's markets, as they are now. */
  readonly markets: readonly LoanMarket[];
}

export async function readThen(
  client: ChainClient,
  settings: Settings,
  guard: Guard,
  { rescue, before, number, markets }: Of,
): Promise<Then> {
  const { id, sale, adapter, borrower, market, triggerHealthWad } = guard;
  const terms = { adapter, borrower, market, triggerHealthWad };
  // The previous rescue ended an earlier fall. Rescues before it are not looked at.
  const rescues = Array.from({ length: number + 1 }, (_, at) => (at < number ? before : rescue) ?? rescue).map(
    ({ time, healthBeforeWad }) => ({ time: Number(time), healthBeforeWad }),
  );
  const history = { id, ...(sale && { sale }), terms, rescues };
  const contract = contractOf(settings.contracts, guard);
  const block = await rescueBlock(client, contract, history, number);
  if (block === undefined) return { block, late: undefined, prices: [] };
  const [late, prices] = await Promise.all([
    blocksLate(client, contract, history, number, block),
    pricesAt(client, settings, guard, markets, block).catch(() => []),
  ]);
  return { block, late, prices };
}

/** Prices of tokens that are listed or that the loan still has. */
async function pricesAt(
  client: ChainClient,
  settings: Settings,
  guard: Guard,
  markets: readonly LoanMarket[],
  block: bigint,
): Promise<Then['prices']> {
  const protocol = protocolAt(settings.lending, guard);
  const assets = protocol && (await readAssets(atBlock(client, block), protocol, guard.borrower));
  return (assets ?? []).flatMap(({ market, token, priceWad, supplied }) => {
    if (token === undefined || !(sameAddress(market, guard.market) || supplied > 0n)) return [];
    const of = assetAt(settings, token) ?? markets.find((each) => sameAddress(each.token, token));
    return of ? [{ symbol: of.symbol, usdWad: perToken(priceWad, of) }] : [];
  });
}
