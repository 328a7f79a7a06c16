import { readFileSync } from 'node:fs';
import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { entryPoint09Address } from 'viem/account-abstraction';
import { expect, test } from 'vitest';
import { accountAbstraction, feeds, pancake, tokens, venus } from '../../lab/world/addresses.ts';

// Solidity and TypeScript each have a list, since neither can read the other's.
test('script/Bsc.sol names only addresses of the replica', () => {
  const source = readFileSync(new URL('../../script/Bsc.sol', import.meta.url), 'utf8');
  const named = [...source.matchAll(/constant (\w+) = (0x[0-9a-fA-F]+);/g)].map(([, name, address]) => [name, address]);
  expect(named.length).toBeGreaterThan(15);
  const { lista } = othersAddresses(isAddress, bscChainId);
  const market = lista?.markets.find(({ collateral, loan }) => collateral === 'BTCB' && loan === 'USDT');
  expect(Object.fromEntries(named)).toEqual({
    ...{ USDT: tokens.USDT, USDC: tokens.USDC, BTCB: tokens.BTCB, ETH: tokens.ETH, WBNB: tokens.WBNB },
    ...{
      USDT_FEED: feeds.USDT,
      USDC_FEED: feeds.USDC,
      BTC_FEED: feeds.BTCB,
      ETH_FEED: feeds.ETH,
      BNB_FEED: feeds.WBNB,
    },
    VENUS_TIMELOCK: venus.timelock,
    VENUS_ACCESS_CONTROL: venus.accessControl,
    COMPTROLLER: venus.comptroller,
    RESILIENT_ORACLE: '0x6592b5DE802159F3E74B2486b091D11a8256ab8A',
    VAI_CONTROLLER: venus.vaiController,
    ...{ V_USDT: venus.markets.vUSDT, V_USDC: venus.markets.vUSDC, V_BTC: venus.markets.vBTC },
    ...{ V_ETH: venus.markets.vETH, V_BNB: venus.markets.vBNB },
    ...{ PANCAKE_POOL_DEPLOYER: pancake.poolDeployer, PANCAKE_FACTORY: pancake.factory },
    ...{ PANCAKE_QUOTER: pancake.quoter, PANCAKE_ROUTER: pancake.router },
    ENTRY_POINT: accountAbstraction.entryPoint,
    ...{ MOOLAH: lista?.moolah, MOOLAH_BTCB_USDT: market?.id },
  });
});

test('the registry names the EntryPoint that viem publishes as 0.9, and no factory, on every network', () => {
  for (const chainId of [bscChainId, bscTestnetChainId, localChainId]) {
    expect(othersAddresses(isAddress, chainId).accountAbstraction).toEqual({ entryPoint: entryPoint09Address });
  }
  expect(accountAbstraction.entryPoint).toBe(entryPoint09Address);
});

// DP-3
test('script/BscTestnet.sol names the addresses that the registry has of the test network', () => {
  const source = readFileSync(new URL('../../script/BscTestnet.sol', import.meta.url), 'utf8');
  const named = [...source.matchAll(/constant (\w+) = (0x[0-9a-fA-F]+);/g)].map(([, name, address]) => [name, address]);
  const assets = Object.fromEntries(readAssetRegistry(bscTestnetChainId, isAddress).map((each) => [each.symbol, each]));
  const others = othersAddresses(isAddress, bscTestnetChainId);
  const place = (symbol: string) => assets[symbol]?.address;
  const feed = (symbol: string) => assets[symbol]?.feed;
  expect(Object.fromEntries(named)).toEqual({
    ...{ USDT: place('USDT'), USDC: place('USDC'), BTCB: place('BTCB'), ETH: place('ETH'), WBNB: place('WBNB') },
    ...{ USDT_FEED: feed('USDT'), USDC_FEED: feed('USDC'), BTC_FEED: feed('BTCB') },
    ...{ ETH_FEED: feed('ETH'), BNB_FEED: feed('WBNB') },
    ...{ COMPTROLLER: others.venus.comptroller, RESILIENT_ORACLE: others.venus.resilientOracle },
    ...{ V_USDT: others.venus.vUsdt, V_BNB: others.venus.vBnb, PANCAKE_POOL_DEPLOYER: others.pancake.poolDeployer },
  });
  expect(Object.values(assets).map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['BTCB', 18],
    ['ETH', 18],
    ['WBNB', 18],
    ['USDC', 6],
    ['USDT', 6],
  ]);
});
