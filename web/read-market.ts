import type { poolFees } from '@bowline/core/domain/bounds';
import { type PublicClient, parseAbi } from 'viem';
import { type Market, pathOver, type Trade } from './validate-offer.ts';
import type { PageConfig } from './wire.ts';

/** PancakeSwap's quoter, a Chainlink feed and a token. `view` marks functions that the page only reads by eth_call. */
export const marketAbi = parseAbi([
  'function quoteExactInput(bytes path, uint256 amountIn) view returns (uint256 amountOut, uint160[] sqrtPriceX96After, uint32[] initializedTicksCrossed, uint256 gasEstimate)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function balanceOf(address account) view returns (uint256)',
]);

type Asset = PageConfig['assets'][number];
export type Reader = Pick<PublicClient, 'getBlock' | 'multicall'>;

/** The slowest feeds in the address book update once a day. */
const MAX_AGE_SECONDS = 26n * 3_600n;
/** How far a feed may be ahead of the block. */
const MAX_AHEAD_SECONDS = 60n;

/**
 * The chain's view of a trade, from the pinned contracts only.
 * @throws if the node does not answer. Values that a contract does not return are undefined.
 */
export async function readMarket(client: Reader, { contracts }: PageConfig, trade: Trade): Promise<Market> {
  const { owner, pay, receive, amountIn, route } = trade;
  const quoter = { address: contracts.quoter, abi: marketAbi, functionName: 'quoteExactInput' } as const;
  const along = (by: Trade['route']) => [pathOver(pay, by), amountIn] as const;
  const direct = (feeMillionths: (typeof poolFees)[number]) => [{ feeMillionths, token: receive }];
  const [{ timestamp: time }, [q0, q1, q2, q3, q4, payRound, receiveRound, held, part]] = await Promise.all([
    client.getBlock({ blockTag: 'latest' }),
    client.multicall({
      deployless: true,
      batchSize: 0,
      contracts: [
        { ...quoter, args: along(route) },
        { ...quoter, args: along(direct(100)) },
        { ...quoter, args: along(direct(500)) },
        { ...quoter, args: along(direct(2_500)) },
        { ...quoter, args: along(direct(10_000)) },
        { address: pay.feed, abi: marketAbi, functionName: 'latestRoundData' },
        { address: receive.feed, abi: marketAbi, functionName: 'latestRoundData' },
        { address: pay.address, abi: marketAbi, functionName: 'balanceOf', args: [owner] },
        { ...quoter, args: [pathOver(pay, route), amountIn / 1_000n] },
      ],
    }),
  ]);
  if (held.status === 'failure') throw held.error;
  if (typeof time !== 'bigint') throw new Error("The node's answer does not match the request.");
  const [ofRoute = 0n, ...others] = [q0, q1, q2, q3, q4].map(({ result }) => result?.[0] ?? 0n);
  const best = [ofRoute, ...others].reduce((most, each) => (each > most ? each : most));
  return {
    time,
    quoted: ofRoute === 0n ? undefined : ofRoute,
    best: best === 0n ? undefined : best,
    payUsdWad: usdWad(pay, time, payRound.result),
    receiveUsdWad: usdWad(receive, time, receiveRound.result),
    held: held.result,
    unmoved: (part.result?.[0] ?? 0n) * 1_000n,
  };
}

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
type Round = readonly [bigint, bigint, bigint, bigint, bigint];

/** The feed's USD price per whole token, 18 decimals; undefined without a price above zero from the last day. */
export function usdWad(asset: Asset, time: bigint, round?: Round): bigint | undefined {
  const [, answer = 0n, , updatedAt = 0n] = round ?? [];
  const isDated = updatedAt >= time - MAX_AGE_SECONDS && updatedAt <= time + MAX_AHEAD_SECONDS;
  if (!isDated || answer <= 0n) return undefined;
  return answer * 10n ** BigInt(18 - asset.feedDecimals);
}
