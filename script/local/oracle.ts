import { type Address, toHex, zeroAddress } from 'viem';
import { mockFeedAbi } from './abis.ts';
import { feeds, tokens, venus } from './addresses.ts';
import { loadPackage } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { venusOracle } from './packages.ts';
import { priceUsd8 } from './prices.ts';

/** Lets the replica's owner grant itself a call that the access control manager guards. */
export type Permit = (...signatures: string[]) => Promise<void>;

// Venus refuses older prices. Feeds on a local chain change only when somebody moves a price, so with BNB Chain's
// limits a chain left running overnight would have no prices. Contracts of this project that read a feed directly apply
// their own limit.
const maxStalePeriodSeconds = 10n * 365n * 86_400n;

/**
 * Deploys the prices: one Chainlink feed per asset → ChainlinkOracle (staleness) → ResilientOracle (which sources
 * count) → DeviationBoundedOracle (prices for borrowing). The three oracles are proxies with one admin.
 * @returns the addresses to configure in the comptroller.
 */
export async function deployOracle(chain: Chain, permit: Permit) {
  const oracle = await loadPackage(venusOracle);
  const { timelock } = venus;
  const { DefaultProxyAdmin } = oracle;
  await chain.place(DefaultProxyAdmin.address, DefaultProxyAdmin, DefaultProxyAdmin.args, timelock);
  const proxied = [
    [oracle.BoundValidator, oracle.BoundValidatorProxy],
    [oracle.ResilientOracle, oracle.ResilientOracleProxy],
    [oracle.ChainlinkOracle, oracle.ChainlinkOracleProxy],
    [oracle.DeviationBoundedOracle, oracle.DeviationBoundedOracleProxy],
  ] as const;
  for (const [logic, proxy] of proxied) {
    await chain.place(logic.address, logic, logic.args, timelock);
    // The proxy's recorded first implementation has been upgraded since; admin and initialiser are unchanged.
    await chain.place(proxy.address, proxy, [logic.address, ...proxy.args.slice(1)], timelock);
  }

  await permit('setTokenConfig(TokenConfig)', 'setDirectPrice(address,uint256)', 'setOracle(address,address,uint8)');
  const configure = async (asset: Address, feed: Address) => {
    await chain.send(timelock, oracle.ChainlinkOracleProxy.address, {
      abi: oracle.ChainlinkOracle.abi,
      functionName: 'setTokenConfig',
      args: [{ asset, feed, maxStalePeriod: maxStalePeriodSeconds }],
    });
    await chain.send(timelock, oracle.ResilientOracleProxy.address, {
      abi: oracle.ResilientOracle.abi,
      functionName: 'setTokenConfig',
      args: [
        {
          asset,
          // Main source, pivot and fallback. The main source is checked against the other two.
          oracles: [oracle.ChainlinkOracleProxy.address, zeroAddress, zeroAddress],
          enableFlagsForOracles: [true, false, false],
          cachingEnabled: false,
        },
      ],
    });
  };
  for (const [symbol, feed] of entries(feeds)) {
    await chain.place(feed, oracle.MockV3Aggregator, [8, priceUsd8[symbol]], timelock);
    // Venus has no market for shares.
    if (symbol !== 'ACMEX') await configure(tokens[symbol], feed);
  }
  await configure(venus.nativeAsset, feeds.WBNB);

  return {
    resilient: oracle.ResilientOracleProxy.address,
    deviationBounded: oracle.DeviationBoundedOracleProxy.address,
  };
}

/** The storage slot of MockV3Aggregator's latest round number. */
const latestRoundSlot = 3;

/** Resets every feed to a first round dated now. */
export async function answerAnew(chain: Chain): Promise<void> {
  for (const [symbol, feed] of entries(feeds)) {
    await chain.setStorageAt({ address: feed, index: latestRoundSlot, value: toHex(0, { size: 32 }) });
    await setPrice(chain, venus.timelock, symbol, priceUsd8[symbol]);
  }
}

/** Changes an asset's price on the lending side only: pools keep theirs. USD with 8 decimals. */
export async function setPrice(chain: Chain, from: Address, symbol: keyof typeof feeds, usd8: bigint): Promise<void> {
  await chain.send(from, feeds[symbol], { abi: mockFeedAbi, functionName: 'updateAnswer', args: [usd8] });
}

function entries<key extends string, value>(record: Record<key, value>): [key, value][] {
  return Object.entries(record) as [key, value][];
}
