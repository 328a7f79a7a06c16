import { BaseError, ContractFunctionRevertedError, decodeFunctionData, type PublicClient, parseAbi } from 'viem';
import { quoteDeskAbi } from '../abis/index.ts';
import type { Market, Trade } from './sound-offer.ts';
import type { PageConfig } from './wire.ts';

// `view` is said of what an eth_call can ask without changing anything.
const abi = parseAbi([
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) order) view returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
  'function multiplier() view returns (uint256 wad, uint256 beforeWad, uint256 changedAt, bool isHalted)',
  'function balanceOf(address account) view returns (uint256)',
]);

type Asset = PageConfig['assets'][number];

/** The quietest feeds of the book answer once a day. */
const MAX_AGE_SECONDS = 26n * 3_600n;
/** How far a feed's time may lie ahead of the block's. */
const MAX_AHEAD_SECONDS = 60n;

/**
 * What the chain says of a trade, from the pinned contracts alone.
 * @throws when the node does not answer. What a contract does not answer is undefined.
 */
export async function readMarket(client: PublicClient, { contracts }: PageConfig, trade: Trade): Promise<Market> {
  const { owner, pay, receive, amountIn, fee } = trade;
  const order = { tokenIn: pay.address, tokenOut: receive.address, amountIn, fee, sqrtPriceLimitX96: 0n };
  const [{ timestamp: time }, [quote, payRound, receiveRound, payShare, receiveShare, held], isQuoteRefused] =
    await Promise.all([
      client.getBlock({ blockTag: 'latest' }),
      client.multicall({
        deployless: true,
        batchSize: 0,
        contracts: [
          { address: contracts.quoter, abi, functionName: 'quoteExactInputSingle', args: [order] },
          { address: pay.feed, abi, functionName: 'latestRoundData' },
          { address: receive.feed, abi, functionName: 'latestRoundData' },
          // A token without one is asked all the same, and its answer is not used.
          { address: pay.multiplier ?? pay.address, abi, functionName: 'multiplier' },
          { address: receive.multiplier ?? receive.address, abi, functionName: 'multiplier' },
          { address: pay.address, abi, functionName: 'balanceOf', args: [owner] },
        ],
      }),
      isRefusedByDesk(client, trade),
    ]);
  if (held.status === 'failure') throw held.error;
  const [quoted] = quote.result ?? [];
  return {
    time,
    quoted: quoted === 0n ? undefined : quoted,
    payUsdWad: usdWad(pay, time, payRound.result, payShare.result),
    receiveUsdWad: usdWad(receive, time, receiveRound.result, receiveShare.result),
    held: held.result,
    isQuoteRefused,
  };
}

/** roundId, answer, startedAt, updatedAt, answeredInRound. */
type Round = readonly [bigint, bigint, bigint, bigint, bigint];
/** In 18 decimals how many of what it stands for a token is, and more that is not used here. */
type Share = readonly [bigint, ...unknown[]];

function usdWad(asset: Asset, time: bigint, round?: Round, share?: Share): bigint | undefined {
  const [, answer = 0n, , updatedAt = 0n] = round ?? [];
  const isDated = updatedAt >= time - MAX_AGE_SECONDS && updatedAt <= time + MAX_AHEAD_SECONDS;
  if (!isDated || answer <= 0n) return undefined;
  const wad = answer * 10n ** BigInt(18 - asset.feedDecimals);
  const price = asset.multiplier === null ? wad : (wad * (share?.[0] ?? 0n)) / 10n ** 18n;
  return price > 0n ? price : undefined;
}

/** What the desk says of a quote before it takes anything. */
const refusals = ['NotBuyer', 'QuoteExpired', 'SameToken', 'QuoteUsedUp', 'SignatureRefused'];

/**
 * Whether the desk refuses the quote itself, its signature above all. Redeeming is tried by the buyer, who has not approved it
 * yet: what the token says to that is no refusal.
 */
async function isRefusedByDesk(client: PublicClient, { owner, calls }: Trade): Promise<boolean> {
  const call = calls.at(-1);
  if (call?.kind !== 'redeem') return false;
  const { functionName, args } = decodeFunctionData({ abi: quoteDeskAbi, data: call.data });
  if (functionName !== 'redeem') return true;
  try {
    await client.simulateContract({ account: owner, address: call.to, abi: quoteDeskAbi, functionName, args });
    return false;
  } catch (error) {
    const revert = error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionRevertedError);
    if (!(revert instanceof ContractFunctionRevertedError)) throw error;
    return refusals.includes(revert.data?.errorName ?? '');
  }
}
