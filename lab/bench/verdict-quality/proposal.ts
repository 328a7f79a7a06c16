import type { Candle, Proposal, Reference, Simulation } from '@bowline/core/domain/facts';
import { WAD } from '@bowline/core/domain/units';
import { limitsOfAsset } from '@bowline/core/registry/asset-limits';
import { offChainFacts } from '../../../agent/src/sources/propose.ts';
import { hourOf } from './path.ts';
import { type Scene, tradeOf } from './scene.ts';

// The facts of a scene, as the adapters would deliver them. Candles go through the agent's own code, which decides what
// a history with a gap is worth.

const TWAP_SECONDS = 600n;
/** A hash that no block has on any chain. */
const noBlock = `0x${'00'.repeat(32)}` as const;

const wad = (value: number): bigint => BigInt(Math.round(value * 1e9)) * 10n ** 9n;
const whole = (value: number): bigint => BigInt(Math.round(value));

export function proposalOf(scene: Scene): Proposal {
  const { asset, quoteAsset, side, chainlink, quoteFeed, pool } = scene;
  const timestamp = whole(scene.blockAt);
  const readAt = whole(scene.readAt);
  const before = (age: number) => timestamp - whole(age);
  const { paid, quoted } = tradeOf(scene);
  const [from, to] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
  const limits = limitsOfAsset(asset);
  return {
    asset,
    quoteAsset,
    side,
    size: { usdWad: wad(scene.sizeUsd) },
    readAt,
    limits,
    ...offChainFacts(offChainOf(scene, readAt), readAt, limits),
    chain: {
      block: { number: 1_000n, timestamp, parentHash: noBlock },
      ...(chainlink && {
        chainlink: {
          source: 'chainlink',
          feed: asset.feed,
          usdWad: wad(chainlink.usd),
          updatedAt: before(chainlink.age),
        },
        chainlinkBeforeWad: wad(chainlink.before),
      }),
      ...(scene.feedPast && {
        chainlinkPast: scene.feedPast.map((usd, hours) => ({
          usdWad: wad(usd),
          updatedAt: before(3_600 * (hours + 1)),
        })),
      }),
      ...(scene.venusUsd !== undefined && {
        venus: { source: 'venus', feed: asset.feed, usdWad: wad(scene.venusUsd) },
      }),
      quoteToken: {
        source: 'chainlink',
        feed: quoteAsset.feed,
        usdWad: wad(quoteFeed.usd),
        updatedAt: before(quoteFeed.age),
      },
      spotWad: wad(pool.spot),
      twapWad: wad(pool.mean),
      twapSeconds: TWAP_SECONDS,
      quote: {
        side,
        tokenIn: from.address,
        tokenOut: to.address,
        amountIn: units(paid, from.decimals),
        amountOut: units(quoted, to.decimals),
      },
      finalBlock: 1_000n - BigInt(scene.finalLag),
      play: simulationOf(scene, from.decimals, to.decimals),
    },
  };
}

const units = (amount: number, decimals: number): bigint => (wad(amount) * 10n ** BigInt(decimals)) / WAD;

function simulationOf(scene: Scene, paidDecimals: number, receivedDecimals: number): Simulation {
  const { taxThere, taxBack } = scene.pool;
  if (taxThere === 1) return 'refused';
  const { received, returned } = tradeOf(scene);
  const got = { received: units(received, receivedDecimals) };
  return taxBack === 1 ? got : { ...got, returned: units(returned, paidDecimals) };
}

/** The exchange's and Pyth's answers. */
function offChainOf(scene: Scene, readAt: bigint): Parameters<typeof offChainFacts>[0] {
  const { asset, pyth } = scene;
  const ofPyth: Proposal['pyth'] =
    asset.pythId === undefined
      ? 'off'
      : pyth && {
          source: 'pyth',
          usdWad: wad(pyth.usd),
          confidenceWad: wad(pyth.confidence),
          updatedAt: readAt - whole(pyth.age),
        };
  return { ...ofExchange(scene, readAt), ...(ofPyth && { pyth: ofPyth }), quotePyth: ofQuoteCoin(scene, readAt) };
}

/** The quote coin's second source, honest in every scene: an attack lies through the feed. */
function ofQuoteCoin({ quoteUsd }: Scene, readAt: bigint): Reference {
  return { source: 'pyth', usdWad: wad(quoteUsd), confidenceWad: wad(quoteUsd * 0.000_3), updatedAt: readAt - 1n };
}

function ofExchange({ asset, exchange, closes, blockAt }: Scene, readAt: bigint) {
  if (exchange === undefined) return { past: undefined };
  if (asset.exchangePair === undefined) return { exchange: 'off', past: 'off' } as const;
  const { mid, halfSpread, offset } = exchange;
  const answeredAt = readAt + whole(offset);
  const [bidWad, askWad] = [wad(mid * (1 - halfSpread)), wad(mid * (1 + halfSpread))];
  const current = { at: hourOf(blockAt), close: mid };
  return {
    exchange: { bidWad, askWad, answeredAt },
    past: { candles: [...closes, current].map(candleOf), answeredAt },
  };
}

function candleOf({ at, close }: { readonly at: number; readonly close: number }): Candle {
  const closeWad = wad(close);
  return { openedAt: BigInt(at), openWad: closeWad, highWad: closeWad, lowWad: closeWad, closeWad, volumeWad: WAD };
}
