import { deepStrictEqual as same } from 'node:assert';
import { readFileSync } from 'node:fs';
import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { entryPoint09Address } from 'viem/account-abstraction';
import { accountAbstraction, feeds, pancake, tokens, venus } from '../../lab/world/addresses.ts';

// A step of `npm run check`. Solidity and TypeScript each have a list of addresses, since neither can read the other's.

/** @returns the constants of a Solidity file of addresses */
function namedIn(file: string): Record<string, string> {
  const source = readFileSync(new URL(`../../script/${file}`, import.meta.url), 'utf8');
  return Object.fromEntries(
    [...source.matchAll(/constant (\w+) = (0x[0-9a-fA-F]+);/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

const { lista } = othersAddresses(isAddress, bscChainId);
const market = lista?.markets.find(({ collateral, loan }) => collateral === 'BTCB' && loan === 'USDT');
same(
  namedIn('Bsc.sol'),
  {
    ...{ USDT: tokens.USDT, USDC: tokens.USDC, BTCB: tokens.BTCB, ETH: tokens.ETH, WBNB: tokens.WBNB },
    ...{ USDT_FEED: feeds.USDT, USDC_FEED: feeds.USDC, BTC_FEED: feeds.BTCB },
    ...{ ETH_FEED: feeds.ETH, BNB_FEED: feeds.WBNB },
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
  },
  'script/Bsc.sol names other addresses than the replica',
);

const assets = readAssetRegistry(bscTestnetChainId, isAddress);
const others = othersAddresses(isAddress, bscTestnetChainId);
const of = (symbol: string) => assets.find((each) => each.symbol === symbol);
const place = (symbol: string) => of(symbol)?.address;
const feed = (symbol: string) => of(symbol)?.feed;
same(
  namedIn('BscTestnet.sol'),
  {
    ...{ USDT: place('USDT'), USDC: place('USDC'), BTCB: place('BTCB'), ETH: place('ETH'), WBNB: place('WBNB') },
    ...{ USDT_FEED: feed('USDT'), USDC_FEED: feed('USDC'), BTC_FEED: feed('BTCB') },
    ...{ ETH_FEED: feed('ETH'), BNB_FEED: feed('WBNB') },
    ...{ COMPTROLLER: others.venus.comptroller, RESILIENT_ORACLE: others.venus.resilientOracle },
    ...{ V_USDT: others.venus.vUsdt, V_BNB: others.venus.vBnb, PANCAKE_POOL_DEPLOYER: others.pancake.poolDeployer },
  },
  'script/BscTestnet.sol names other addresses than the registry has of the test network',
);
same(
  assets.map(({ symbol, decimals }) => [symbol, decimals]),
  [
    ['BTCB', 18],
    ['ETH', 18],
    ['WBNB', 18],
    ['USDC', 6],
    ['USDT', 6],
  ],
  'the registry has other assets of the test network',
);

for (const chainId of [bscChainId, bscTestnetChainId, localChainId])
  same(
    othersAddresses(isAddress, chainId).accountAbstraction,
    { entryPoint: entryPoint09Address },
    `the registry names another EntryPoint on chain ${chainId} than viem publishes as 0.9, or a factory`,
  );
same(accountAbstraction.entryPoint, entryPoint09Address, 'the replica has another EntryPoint');
