import type { ChainFacts, Side, Size } from '@bowline/core/domain/facts';
import { routeMarket } from '@bowline/core/domain/route';
import type { Timers } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Hex, hexToBigInt, isHex } from 'viem';
import { feedAbi, poolAbi } from './chain-abis.ts';
import { asking, type ChainClient, nobody } from './chain-client.ts';
import {
  chainlinkPast,
  chainlinkReference,
  type HopAnswers,
  present,
  routeFacts,
  simulationOf,
} from './market-facts.ts';
import { callLens, createBalanceStorage, decoded } from './market-lens.ts';
import { oraclesOf, type PriceBook, priceFacts, readsOf, tokenOf } from './price-facts.ts';
import type { MarketReader } from './readers.ts';

const TWAP_SECONDS = 600n;

/**
 * Reads all on-chain price facts at one block. A source that fails, reverts or returns nonsense is an absent fact.
 * @param client batches requests, so that all reads are one request. The first read of a token adds one.
 */
export function createMarketReader(
  client: ChainClient,
  book: PriceBook & Pick<AddressBook, 'pancake'>,
  timers: Pick<Timers, 'now'>,
): MarketReader {
  const balances = createBalanceStorage(client, timers);
  return {
    facts: (asset, quoteAsset, side, size) =>
      asking(async () => {
        const [paid, received] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
        const trade = {
          ...{ paid: tokenOf(paid), received: tokenOf(received), isBuy: side === 'buy', ...amountOf(size, side) },
          ...{ market: routeMarket(book.pancake, asset.class), router: book.pancake.router, oracles: oraclesOf(book) },
        };
        const at = nobody();
        const supposed = await balances.plentyOf(paid.address, at);
        const [snapshot, finalBlock] = await Promise.all([
          callLens(client, 'read', [trade, readsOf(asset, book)], at, supposed),
          newestFinal(client),
        ]);
        const simulation = simulationOf(snapshot);
        // A failed simulation may mean that the token moved its balance slot, unless there was nothing to simulate.
        if (simulation === undefined && snapshot.route.length > 0) balances.forget(paid.address);

        const { amountIn, amountOut, number, timestamp, parentHash, smaller, direct } = snapshot;
        const before = chainlinkReference(decoded(feedAbi, 'latestRoundData', snapshot.roundBefore), asset);
        const past = snapshot.roundsPast.map((each) =>
          chainlinkReference(decoded(feedAbi, 'latestRoundData', each), asset),
        );
        const route = snapshot.route.map(({ pool, fee, tokenOut }) => ({ pool, feeMillionths: fee, tokenOut }));
        const hops = snapshot.route.map(hopAnswers);
        const quote = { side, tokenIn: paid.address, tokenOut: received.address, amountIn, amountOut };
        return {
          block: { number, timestamp, parentHash },
          ...priceFacts(snapshot, asset, quoteAsset, book),
          ...(route.length > 0 && { route, ...routeFacts({ asset, quoteAsset, side }, hops, TWAP_SECONDS) }),
          ...present('quote', amountOut > 0n ? quote : undefined),
          ...present('directOut', direct > 0n ? direct : undefined),
          twapSeconds: TWAP_SECONDS,
          ...present('smallerQuotes', smaller.length > 0 ? smallerQuotes(amountIn, smaller) : undefined),
          ...present('chainlinkBeforeWad', before?.usdWad),
          ...present('chainlinkPast', chainlinkPast(past)),
          // A final block ahead of the facts' block comes from another node, possibly on another fork.
          ...present('finalBlock', finalBlock !== undefined && finalBlock <= number ? finalBlock : undefined),
          ...present('play', simulation),
        } satisfies ChainFacts;
      }),
  };
}

/** Encoding of contracts/lens/MarketLens.sol. */
function hopAnswers(hop: { readonly tokenOut: Address; readonly slot0: Hex; readonly observed: Hex }): HopAnswers {
  return {
    tokenOut: hop.tokenOut,
    slot0: decoded(poolAbi, 'slot0', hop.slot0),
    observed: decoded(poolAbi, 'observe', hop.observed),
  };
}

/** The amounts are those of contracts/lens/MarketLens.sol. */
function smallerQuotes(amountIn: bigint, amountsOut: readonly bigint[]) {
  let amount = amountIn;
  return amountsOut.map((amountOut) => {
    amount = (amount * 2n) / 3n;
    return { amountIn: amount, amountOut };
  });
}

/** Encoding of contracts/lens/MarketLens.sol. */
const sizeIn = { paid: 0, usd: 1, received: 2 } as const;

/** A route quotes the amount paid; only feeds convert it to dollars or to the other token. */
function amountOf(size: Size, side: Side): { readonly sizeIn: number; readonly size: bigint } {
  if ('paid' in size) return { sizeIn: sizeIn.paid, size: size.paid };
  if ('usdWad' in size) return { sizeIn: sizeIn.usd, size: size.usdWad };
  return { sizeIn: side === 'sell' ? sizeIn.paid : sizeIn.received, size: size.asset };
}

/** Undefined if the node does not support it. The parallel request shows whether the node answers at all. */
async function newestFinal(client: ChainClient): Promise<bigint | undefined> {
  const params: ['finalized', false] = ['finalized', false];
  const block = await client.request({ method: 'eth_getBlockByNumber', params }).catch(() => null);
  return isHex(block?.number) ? hexToBigInt(block.number) : undefined;
}
