import { pairingOf, routeMarket } from '@bowline/core/domain/route';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { routeLensAbi } from '../../../abis/index.ts';
import { routeLensCode } from '../../../abis/route-lens.ts';
import type { Trade } from '../../validate-offer.ts';
import { type Asset, assetAt, pooled, type Settings } from '../api/settings.ts';
import type { ChainClient } from './client.ts';

export type Route = Trade['route'];

/**
 * The route of the plan's next run, found by the same search that the agent uses (contracts/lens/RouteSearch.sol).
 * Empty if no pool trades the two tokens.
 * @throws if the node does not answer.
 */
export async function bestRoute(
  client: ChainClient,
  settings: Settings,
  { pay, buy, terms }: { readonly pay: Asset; readonly buy: Asset; readonly terms: { readonly amountPerRun: bigint } },
): Promise<Route> {
  const { contracts, hubs } = settings;
  const traded = pairingOf(pooled(settings), pay.address, buy.address)?.asset;
  if (traded === undefined) return [];
  const market = routeMarket({ ...contracts, hubs }, traded.class);
  const data = encodeFunctionData({
    ...{ abi: routeLensAbi, functionName: 'best' },
    args: [market, pay.address, buy.address, terms.amountPerRun],
  });
  const answer = await client.call({ code: routeLensCode, data });
  const legs = decodeFunctionResult({ abi: routeLensAbi, functionName: 'best', data: answer.data ?? '0x' });
  // The search names the pool with the best price even if it has no quote.
  if (!legs.at(-1)?.amountOut) return [];
  return legs.map(({ pool, tokenOut }) => {
    const token = assetAt(settings, tokenOut);
    if (token === undefined) throw new Error('The page does not list a token of the route.');
    return { feeMillionths: pool.fee, token };
  });
}
