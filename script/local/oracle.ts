import { type Address, toHex, zeroAddress } from 'viem';
import { mockFeedAbi } from './abis.ts';
import { feeds, tokens, venus } from './addresses.ts';
import { loadPackage } from './artifacts.ts';
import type { Chain } from './chain.ts';
import { venusOracle } from './packages.ts';
import { priceUsd8 } from './prices.ts';

/** The replica's owner gives itself the permission for a call that the access control manager guards. */
export type Permit = (...signatures: string[]) => Promise<void>;

// Venus refuses a price that is older than this. Feeds on a local chain are updated only when somebody moves a price, so
// with BNB Chain's limits every chain that was left running overnight would have no prices. Contracts of this project
// that read a feed themselves apply their own limit.
const maxStalePeriodSeconds = 10n * 365n * 86_400n;

/**
 * Prices: one Chainlink feed for each asset → ChainlinkOracle (staleness) → ResilientOracle (which sources count) →
 * DeviationBoundedOracle (what a borrow is judged by). The three oracles are proxies of one admin.
 * @returns the addresses that the comptroller is told.
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
    // The proxy's recorded first implementation was upgraded since; the admin and the initialiser still hold.
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
          // Main source, pivot and fallback: the second and third are what the main one is checked against.
          oracles: [oracle.ChainlinkOracleProxy.address, zeroAddress, zeroAddress],
          enableFlagsForOracles: [true, false, false],
          cachingEnabled: false,
        },
      ],
    });
  };
  for (const [symbol, feed] of entries(feeds)) {
    await chain.place(feed, oracle.MockV3Aggregator, [8, priceUsd8[symbol]], timelock);
    // No market of Venus is in shares.
    if (symbol !== 'ACMEX') await configure(tokens[symbol], feed);
  }
  await configure(venus.nativeAsset, feeds.WBNB);

  return {
    resilient: oracle.ResilientOracleProxy.address,
    deviationBounded: oracle.DeviationBoundedOracleProxy.address,
  };
}

/** Where MockV3Aggregator keeps the number of its newest round. */
const latestRoundSlot = 3;

/** Every feed answers as if it had just been placed: with its first round, of this moment. */
export async function answerAnew(chain: Chain): Promise<void> {
  for (const [symbol, feed] of entries(feeds)) {
    await chain.setStorageAt({ address: feed, index: latestRoundSlot, value: toHex(0, { size: 32 }) });
    await setPrice(chain, venus.timelock, symbol, priceUsd8[symbol]);
  }
}

/** Moves the price of an asset, for the lending side only: pools keep theirs. USD with 8 decimals. */
export async function setPrice(chain: Chain, from: Address, symbol: keyof typeof feeds, usd8: bigint): Promise<void> {
  await chain.send(from, feeds[symbol], { abi: mockFeedAbi, functionName: 'updateAnswer', args: [usd8] });
}

function entries<key extends string, value>(record: Record<key, value>): [key, value][] {
  return Object.entries(record) as [key, value][];
}
