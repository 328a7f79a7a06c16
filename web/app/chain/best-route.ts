import { pairingOf, routeMarket } from '@bowline/core/domain/route';
import { decodeFunctionResult, encodeFunctionData } from 'viem';
import { routeLensAbi } from '../../../abis/index.ts';
import { routeLensCode } from '../../../abis/route-lens.ts';
import type { Trade } from '../../validate-offer.ts';
import { type Asset, assetAt, pooled, type Settings } from '../api/settings.ts';
import type { ChainClient } from './client.ts';

export type Route = Trade['route'];

/**
 * The route of the plan's next run, by the search that the agent's own reading makes (contracts/lens/RouteSearch.sol).
 * Empty if no pool trades the two.
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
  // Without a quote, the search names the pool of the best price all the same.
  if (!legs.at(-1)?.amountOut) return [];
  return legs.map(({ pool, tokenOut }) => {
    const token = assetAt(settings, tokenOut);
    if (token === undefined) throw new Error('The page does not list a token of the route.');
    return { feeMillionths: pool.fee, token };
  });
}
