import { type Abi, type Address, parseEther, toHex, zeroAddress } from 'viem';
import { mockFeedAbi } from './abis.ts';
import { binanceFeeds, feeds, spaceId, tokens, type VenusAsset, venus, venusFeeds } from './addresses.ts';
import { type Artifact, loadPackage } from './artifacts.ts';
import { type Chain, call, type EncodedCall } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { venusOracle } from './packages.ts';
import { priceUsd8 } from './prices.ts';

/** Lets the replica's owner grant itself a call that the access control manager guards. */
export type Permit = (...signatures: string[]) => Promise<void>;

// Venus refuses older prices. Feeds on a local chain change only when somebody moves a price. With BNB Chain's limits a
// chain left running overnight would have no prices, so they apply only where the market runs (`refuseOldAnswers`).
// Contracts of this project that read a feed directly apply their own limit.
const maxStalePeriodSeconds = 10n * 365n * 86_400n;

/** BNB Chain's limits, in seconds (VIP-586, VIP-605, VIP-642; Atlas's by the proposal that made it the fallback). */
const maxStaleOnBsc: Record<Source, Record<VenusAsset, bigint>> = {
  chainlink: { USDT: 1_200n, USDC: 1_200n, BTCB: 100n, ETH: 100n, WBNB: 60n },
  redStone: { USDT: 21_900n, USDC: 21_900n, BTCB: 100n, ETH: 21_900n, WBNB: 100n },
  atlas: { USDT: 86_700n, USDC: 86_700n, BTCB: 120n, ETH: 120n, WBNB: 120n },
};

/** Binance Oracle's limit on the local chain, because no known proposal states the real one. */
const maxBinanceStaleSeconds = 1_500n;

/** How far two sources may differ, as a ratio with 18 decimals. */
const bounds = { upperBoundRatio: parseEther('1.01'), lowerBoundRatio: parseEther('0.99') };

/** Venus's sources in its order: the main source, the pivot that it is compared with, and the fallback. */
export const sources = ['chainlink', 'redStone', 'atlas'] as const;
export type Source = (typeof sources)[number];

export const binanceRegistry: Compilation<Artifact> = {
  name: 'binance-feeds',
  sources: ['lab/world/ReplicaBinanceFeeds.sol', 'lab/tools/compile.mjs'],
  build: () => compile(new URL('ReplicaBinanceFeeds.sol', import.meta.url)),
};

/** Besides the resilient oracle: Binance's prices, which Venus configures but does not use where it has three others. */
async function deployBinanceFeeds(chain: Chain): Promise<void> {
  const named = Object.values(binanceFeeds);
  const args = [named.map(({ name }) => name), named.map(({ address }) => address)];
  await chain.place(spaceId, await compiledOf(binanceRegistry), args, venus.timelock);
  const { abi } = loadPackage(venusOracle).BinanceOracle;
  await chain.send(venus.timelock, venus.binanceOracle, {
    ...{ abi, functionName: 'setSymbolOverride', args: ['WBNB', binanceFeeds.WBNB.name] },
  });
  for (const { to, data } of binanceLimits(maxStalePeriodSeconds)) await chain.sendRaw(venus.timelock, to, data);
}

/** Calls that set the maximum age of a Binance Oracle answer for Venus. */
function binanceLimits(seconds: bigint): EncodedCall[] {
  const { abi } = loadPackage(venusOracle).BinanceOracle;
  return Object.values(binanceFeeds).map(({ name }) =>
    call(venus.binanceOracle, abi, 'setMaxStalePeriod', [name, seconds]),
  );
}

/**
 * Deploys the prices: feeds → one oracle per operator (staleness) → ResilientOracle and BoundValidator (which of them
 * counts) → DeviationBoundedOracle (prices for borrowing). All oracles are proxies with one admin.
 * @returns the addresses to configure in the comptroller.
 */
export async function deployOracle(chain: Chain, permit: Permit) {
  const oracle = loadPackage(venusOracle);
  const { timelock } = venus;
  const { DefaultProxyAdmin } = oracle;
  await chain.place(DefaultProxyAdmin.address, DefaultProxyAdmin, DefaultProxyAdmin.args, timelock);
  const proxied = [
    [oracle.BoundValidator, oracle.BoundValidatorProxy],
    [oracle.ResilientOracle, oracle.ResilientOracleProxy],
    [oracle.ChainlinkOracle, oracle.ChainlinkOracleProxy],
    [oracle.RedStoneOracle, oracle.RedStoneOracleProxy],
    [oracle.AtlasOracle, oracle.AtlasOracleProxy],
    [oracle.BinanceOracle, oracle.BinanceOracleProxy],
    [oracle.DeviationBoundedOracle, oracle.DeviationBoundedOracleProxy],
  ] as const;
  for (const [logic, proxy] of proxied) {
    await chain.place(logic.address, logic, logic.args, timelock);
    // The proxy's recorded first implementation has been upgraded since; admin and initialiser are unchanged.
    await chain.place(proxy.address, proxy, [logic.address, ...proxy.args.slice(1)], timelock);
  }

  await permit(
    ...['setTokenConfig(TokenConfig)', 'setDirectPrice(address,uint256)', 'setOracle(address,address,uint8)'],
    ...['enableOracle(address,uint8,bool)', 'setValidateConfig(ValidateConfig)'],
    ...['setMaxStalePeriod(string,uint256)', 'setSymbolOverride(string,string)'],
  );
  const send = (to: Address, abi: Abi, functionName: string, config: object) =>
    chain.send(timelock, to, { abi, functionName, args: [config] });
  /** Undefined for a source that the asset does not have. */
  const configure = async (asset: Address, feedBySource: Readonly<Record<Source, Address | undefined>>) => {
    for (const source of sources) {
      const feed = feedBySource[source];
      if (feed === undefined) continue;
      const config = { asset, feed, maxStalePeriod: maxStalePeriodSeconds };
      await send(venus.oracles[source], oracle.ChainlinkOracle.abi, 'setTokenConfig', config);
    }
    await send(oracle.BoundValidatorProxy.address, oracle.BoundValidator.abi, 'setValidateConfig', {
      asset,
      ...bounds,
    });
    await send(oracle.ResilientOracleProxy.address, oracle.ResilientOracle.abi, 'setTokenConfig', {
      asset,
      oracles: sources.map((source) => (feedBySource[source] ? venus.oracles[source] : zeroAddress)),
      enableFlagsForOracles: sources.map((source) => feedBySource[source] !== undefined),
      cachingEnabled: false,
    });
  };
  for (const symbol of symbols) {
    for (const feed of feedsOf(symbol))
      await chain.place(feed, oracle.MockV3Aggregator, [8, priceUsd8[symbol]], timelock);
  }
  const feedsOfVenus = (symbol: VenusAsset) => ({
    chainlink: venusFeeds.chainlink[symbol],
    redStone: venusFeeds.redStone[symbol],
    atlas: venusFeeds.atlas[symbol],
  });
  for (const symbol of symbols.filter(isOnVenus)) await configure(tokens[symbol], feedsOfVenus(symbol));
  await configure(venus.nativeAsset, feedsOfVenus('WBNB'));
  await deployBinanceFeeds(chain);
  await configure(tokens.VAI, { chainlink: feeds.VAI, redStone: undefined, atlas: undefined });

  return {
    resilient: oracle.ResilientOracleProxy.address,
    deviationBounded: oracle.DeviationBoundedOracleProxy.address,
  };
}

/** The storage slot of MockV3Aggregator's latest round number. */
const latestRoundSlot = 3;

const HOUR = 3_600n;

/**
 * Resets every feed to a round dated now, in one block: anvil keeps each block's state. Feeds that verdicts read also gave
 * the same answer an hour ago and two hours ago.
 */
export async function answerAnew(chain: Chain): Promise<void> {
  const value = toHex(0, { size: 32 });
  const all = symbols.flatMap(feedsOf);
  await Promise.all(all.map((address) => chain.setStorageAt({ address, index: latestRoundSlot, value })));
  const { timestamp } = await chain.getBlock();
  const past = symbols.flatMap((symbol) =>
    [2n, 1n].map((hours) => {
      const then = timestamp - hours * HOUR;
      return call(feeds[symbol], mockFeedAbi, 'updateRoundData', [3n - hours, priceUsd8[symbol], then, then]);
    }),
  );
  const now = symbols.flatMap((symbol) => feedsOf(symbol).map((feed) => answering(feed, priceUsd8[symbol])));
  await chain.sendInOneBlock(venus.timelock, [...past, ...now]);
}

type PricedSymbol = keyof typeof feeds;
const symbols = Object.keys(feeds) as PricedSymbol[];
const isOnVenus = (symbol: PricedSymbol): symbol is VenusAsset => symbol in venusFeeds.redStone;

/** Every feed of the asset, Chainlink's standard one last. */
export const feedsOf = (symbol: PricedSymbol): Address[] => [
  ...(isOnVenus(symbol) ? sources.map((source) => venusFeeds[source][symbol]) : []),
  ...(isOnVenus(symbol) ? [binanceFeeds[symbol].address] : []),
  feeds[symbol],
];

/** Sets Venus's limits on the age of a price to those of BNB Chain, on a chain whose feeds answer by themselves. */
export async function refuseOldAnswers(chain: Chain): Promise<void> {
  const { timelock } = venus;
  const { ChainlinkOracle } = loadPackage(venusOracle);
  const calls = symbols.filter(isOnVenus).flatMap((symbol) =>
    sources.flatMap((source) =>
      [tokens[symbol], ...(symbol === 'WBNB' ? [venus.nativeAsset] : [])].map((asset) => {
        const config = { asset, feed: venusFeeds[source][symbol], maxStalePeriod: maxStaleOnBsc[source][symbol] };
        return call(venus.oracles[source], ChainlinkOracle.abi, 'setTokenConfig', [config]);
      }),
    ),
  );
  await chain.impersonateAccount({ address: timelock });
  await chain.sendAll(timelock, [...calls, ...binanceLimits(maxBinanceStaleSeconds)]);
  await chain.stopImpersonatingAccount({ address: timelock });
}

/** Changes an asset's price in every feed, as a market move does; pools keep their prices. USD with 8 decimals. */
export async function setPrice(chain: Chain, from: Address, symbol: PricedSymbol, usd8: bigint): Promise<void> {
  await chain.sendAll(
    from,
    feedsOf(symbol).map((feed) => answering(feed, usd8)),
  );
}

/** Changes the answer of one feed alone. USD with 8 decimals. */
export async function setAnswer(chain: Chain, from: Address, feed: Address, usd8: bigint): Promise<void> {
  await chain.sendAll(from, [answering(feed, usd8)]);
}

export const answering = (feed: Address, usd8: bigint): EncodedCall => call(feed, mockFeedAbi, 'updateAnswer', [usd8]);
