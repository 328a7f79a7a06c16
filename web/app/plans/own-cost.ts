import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { BPS, mulDivUp } from '@bowline/core/domain/units';
import { largestWithin } from '@bowline/core/verdict/largest-go';
import { limitsOf, stricter } from '@bowline/core/verdict/limits';
import { chainlinkPriceSourceAbi } from '../../../abis/index.ts';
import { marketAbi } from '../../read-market.ts';
import { pathOver } from '../../validate-offer.ts';
import { type Asset, assetAt, type Settings } from '../api/settings.ts';
import { bestRoute } from '../chain/best-route.ts';
import type { ChainClient } from '../chain/client.ts';

/** Number of quoted sizes. Each is two thirds of the previous one, as in the agent's own reading. */
const SIZES = 17;

/** What one run of a plan would lose now, according to only the pools and Chainlink. */
export interface OwnCost {
  readonly bps: bigint;
  /** What the agent's rules and the plan's own slippage allow. */
  readonly limitBps: bigint;
  /** The largest smaller amount within the limit, in base units of the paid token; undefined if none is. */
  readonly passes: bigint | undefined;
}

/** Rounded up. Prices of 1e18 base units. */
const costBps = (amountIn: bigint, amountOut: bigint, payWad: bigint, buyWad: bigint): bigint => {
  const [paid, received] = [amountIn * payWad, amountOut * buyWad];
  return received >= paid ? 0n : mulDivUp(paid - received, BPS, paid);
};

/** @throws if the node does not answer, or the source has no price. Undefined without a route. */
export async function readCost(client: ChainClient, settings: Settings, plan: Plan): Promise<OwnCost | undefined> {
  const [pay, buy] = [assetAt(settings, plan.tokenIn), assetAt(settings, plan.tokenOut)];
  if (pay === undefined || buy === undefined) return undefined;
  const route = await bestRoute(client, settings, { pay, buy, terms: plan });
  if (route.length === 0) return undefined;
  const path = pathOver(pay, route);
  const amounts = Array.from({ length: SIZES }, (_, at) => (plan.amountPerRun * 2n ** BigInt(at)) / 3n ** BigInt(at));
  const { quoter: address, priceSource } = settings.contracts;
  const ofSize = (amount: bigint) =>
    ({ address, abi: marketAbi, functionName: 'quoteExactInput', args: [path, amount] }) as const;
  const [[payWad, buyWad], quotes] = await Promise.all([
    client.readContract({
      ...{ address: priceSource, abi: chainlinkPriceSourceAbi, functionName: 'prices' },
      args: [pay.address, buy.address],
    }),
    client.multicall({ deployless: true, batchSize: 0, contracts: amounts.map(ofSize) }),
  ]);
  const points = quotes.flatMap(({ result }, at) => {
    const amountIn = amounts[at] ?? 0n;
    return result && amountIn > 0n ? [{ amountIn, amountOut: result[0] }] : [];
  });
  const [first] = points;
  if (first?.amountIn !== plan.amountPerRun) return undefined;
  const limitBps = stricter(limitsOf[tradedOf(pay, buy).class], plan).costBps.caution;
  const costOf = ({ amountIn, amountOut }: typeof first) => costBps(amountIn, amountOut, payWad, buyWad);
  const bps = costOf(first);
  const passes = bps <= limitBps ? undefined : largestWithin(points, (point) => costOf(point) <= limitBps);
  return { bps, limitBps, passes };
}

const tradedOf = (pay: Asset, buy: Asset): Asset => (buy.quote === pay.symbol ? buy : pay);
