import { readAssets } from '@bowline/chain/lending/loan';
import { atBlock } from '@bowline/chain/reads';
import { blocksLate, rescueBlock } from '@bowline/chain/rescue-lateness';
import { contractOf } from '@bowline/core/domain/guard-key';
import { protocolAt } from '@bowline/core/domain/lending';
import { perToken } from '@bowline/core/domain/loan-prices';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Settings } from '../api/settings.ts';
import type { ChainClient } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import { readToken } from '../chain/use-token.ts';
import type { TimedRescue } from './use-loan.ts';

/** What the states of a rescue's time tell. */
export interface Then {
  /** Undefined where the node does not have them. */
  readonly block: bigint | undefined;
  /** Blocks from the fall of the loan; undefined if that cannot be told. */
  readonly late: bigint | undefined;
  /** What the protocol's oracle told it in that block of the debt and of each collateral, in US dollars with 18 decimals. */
  readonly prices: readonly { readonly symbol: string; readonly usdWad: bigint }[];
}

/** @param before the rescue before it. @param number its own, from 0 on. */
export async function readThen(
  client: ChainClient,
  settings: Settings,
  guard: Guard,
  {
    rescue,
    before,
    number,
  }: { readonly rescue: TimedRescue; readonly before: TimedRescue | undefined; readonly number: number },
): Promise<Then> {
  const { id, sale, adapter, borrower, market, triggerHealthWad } = guard;
  const terms = { adapter, borrower, market, triggerHealthWad };
  // The one before ended an earlier fall. Others are not asked for.
  const rescues = Array.from({ length: number + 1 }, (_, at) => (at < number ? before : rescue) ?? rescue).map(
    ({ time, healthBeforeWad }) => ({ time: Number(time), healthBeforeWad }),
  );
  const history = { id, ...(sale && { sale }), terms, rescues };
  const contract = contractOf(settings.contracts, guard);
  const block = await rescueBlock(client, contract, history, number);
  if (block === undefined) return { block, late: undefined, prices: [] };
  const [late, prices] = await Promise.all([
    blocksLate(client, contract, history, number, block),
    pricesAt(client, settings, guard, block).catch(() => []),
  ]);
  return { block, late, prices };
}

async function pricesAt(client: ChainClient, settings: Settings, guard: Guard, block: bigint): Promise<Then['prices']> {
  const protocol = protocolAt(settings.lending, guard);
  const assets = protocol && (await readAssets(atBlock(client, block), protocol, guard.borrower));
  const priced = (assets ?? []).flatMap(({ market, token, priceWad, supplied }) =>
    token !== undefined && (sameAddress(market, guard.market) || supplied > 0n) ? [{ token, priceWad }] : [],
  );
  return Promise.all(
    priced.map(async ({ token, priceWad }) => {
      const of = await readToken(client, settings, token);
      return { symbol: of.symbol, usdWad: perToken(priceWad, of) };
    }),
  );
}
