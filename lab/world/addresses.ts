import { bscChainId, bscTestnetChainId } from '@bowline/core/domain/chains';
import { localAccountFactory, othersAddresses } from '@bowline/core/registry/address-book';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, isAddress, parseUnits } from 'viem';

// Addresses on BNB Chain, and therefore on the replica: the registry's, and those that no agent reads. Deployment records in
// packages.ts carry their own address.

/**
 * Whether the replica is one of BNB Chain's test network, with that network's addresses and decimals, for rehearsals. The
 * environment decides, because a process has one replica.
 */
export const isTestnet = process.env.LOCAL_REPLICA_OF === 'bsc-testnet';

/** Whether the local chain has BNB Chain's own ID, for `npm run lab -- day`. The replica is the usual one. */
const isOperatorsDay = process.env.LOCAL_REPLICA_OF === 'bsc';

/** The agent's and the page's name for the chain. */
export const chainName = isTestnet ? 'bsc-testnet' : isOperatorsDay ? 'bsc' : 'local';

const here = (onBsc: Address, onTestnet: Address): Address => (isTestnet ? onTestnet : onBsc);

const chainId = isTestnet ? bscTestnetChainId : bscChainId;
const book = othersAddresses((text) => isAddress(text), chainId);
const assets = readAssetRegistry(chainId, (text) => isAddress(text));

/** The assets that Venus prices by three sources: the registry's. */
export type VenusAsset = 'USDT' | 'USDC' | 'BTCB' | 'ETH' | 'WBNB';
export type TokenSymbol = VenusAsset | 'XVS' | 'VAI';

const ofAssets = (of: 'address' | 'feed') =>
  Object.fromEntries(assets.map((asset) => [asset.symbol, asset[of]])) as Record<VenusAsset, Address>;

export const tokens: Readonly<Record<TokenSymbol, Address>> = {
  ...ofAssets('address'),
  XVS: here('0xcF6BB5389c92Bdda8a3747Ddb454cB7a64626C63', '0xB9e0E753630434d7863528cc73CB7AC638a7c8ff'),
  VAI: here('0x4BD17003473389A42DAF6a0a729f6Fdb328BbBd7', '0x5fFbE5302BadED40941A403228E6AD03f93752d9'),
};

/** On BNB Chain all tokens have 18, including USDT and USDC. */
export const decimalsOf = (symbol: TokenSymbol): number =>
  assets.find((asset) => asset.symbol === symbol)?.decimals ?? 18;

/** Factor for a price of base units that puts all tokens on one scale. */
export const unitScaleOf = (symbol: TokenSymbol): bigint => 10n ** BigInt(18 - decimalsOf(symbol));

/** Base units of whole tokens. */
export const wholeTokens = (symbol: TokenSymbol, amount: string): bigint => parseUnits(amount, decimalsOf(symbol));

/** Chainlink's standard `<asset> / USD` proxies, 8 decimals, which this project's contracts and agent read. */
export const feeds: Readonly<Record<VenusAsset | 'VAI', Address>> = {
  ...ofAssets('feed'),
  VAI: '0x058316f8Bb13aCD442ee7A216C7b60CFB4Ea1B53',
};

/** A test compares the registry's second feeds with these. */
const chainlinkForVenus: Readonly<Record<VenusAsset, Address>> = {
  USDT: '0xb631F3Cb6B3a5EebF72C97e30c377de061C6a87c',
  USDC: '0x4641327e9aD5df9568AF01363D9E7aEdDDEb33e9',
  BTCB: '0x8ECF7dE377F788A813F5215668E282556b35f300',
  ETH: '0xe48a5Fd74d4A5524D76960ef3B52204C0e11fCD1',
  WBNB: '0xA59395678BB6a010a7206f46b6dab8A1e7aC7221',
};

/**
 * The feeds that Venus's oracles read, 8 decimals. For Chainlink, Venus has its own proxies, on which a liquidator may buy
 * the right to update a price first (OEV: VIP-586, VIP-642); the test network has the standard ones. VAI has none.
 */
export const venusFeeds = {
  chainlink: isTestnet ? feeds : chainlinkForVenus,
  redStone: {
    USDT: '0xf57bA29437C130e155Ca4b65128630777638F05D',
    USDC: '0xeA2511205b959548459A01e358E0A30424dc0B70',
    BTCB: '0xa51738d1937FFc553d5070f43300B385AA2D9F55',
    ETH: '0x9cF19D284862A66378c304ACAcB0E857EBc3F856',
    WBNB: '0x8dd2D85C7c28F43F965AE4d9545189C7D022ED0e',
  },
  atlas: {
    USDT: '0x9Fc000FC9C17578b49853278A517e357201D01e4',
    USDC: '0x2Fd873e39e65B5F7f0E03e5079eCd4da7FC4067B',
    BTCB: '0x4f6c53fb9CdD46269d24bCa4E68bB680879132fc',
    ETH: '0x7942b8DD9f552c57Eb94D16ea8215aEf6CAc948f',
    WBNB: '0x9C0517F5b4c8657c7F18D68d2d79e2b3b1cd6438',
  },
} as const satisfies Record<string, Partial<Record<TokenSymbol, Address>>>;

/**
 * Binance Oracle's feeds with the coin's name, at the local chain's own addresses; on BNB Chain a registry that Space ID
 * names leads to them. Venus uses them besides its three sources.
 */
export const binanceFeeds: Readonly<Record<VenusAsset, { readonly name: string; readonly address: Address }>> = {
  USDT: { name: 'USDT', address: '0x00000000000000000000000000000000b1aA0001' },
  USDC: { name: 'USDC', address: '0x00000000000000000000000000000000B1AA0002' },
  BTCB: { name: 'BTCB', address: '0x00000000000000000000000000000000b1AA0003' },
  ETH: { name: 'ETH', address: '0x00000000000000000000000000000000B1aa0004' },
  WBNB: { name: 'BNB', address: '0x00000000000000000000000000000000B1aA0005' },
};

/** Space ID's registry, by which Venus's BinanceOracle finds the feeds. */
export const spaceId: Address = here(
  '0x08CEd32a7f3eeC915Ba84415e9C07a7286977956',
  '0xfFB52185b56603e0fd71De9de4F6f902f05EEA23',
);

const [vUSDT, vUSDC, vBTC, vETH, vWBNB] = book.venus.vTokens as [Address, Address, Address, Address, Address];

export const venus = {
  /** Owns everything. On BNB Chain it is a timelock behind a vote. */
  timelock: here('0x939bD8d64c0A9583A7Dcea9933f7b21697ab6396', '0xce10739590001705F7FF231611ba4A48B2820327'),
  accessControl: here('0x4788629ABc6cFCA10F9f969efdEAa1cF70c23555', '0x45f8a08F534f34A97187626E05d4b6648Eeaa9AA'),
  comptroller: book.venus.comptroller,
  vaiController: book.venus.vaiController,
  liquidator: '0x0870793286aaDA55D39CE7f82fb2766e8004cF43',
  maximillion: book.venus.maximillion,
  protocolShareReserve: '0xCa01D5A9A248a830E9D93231e791B1afFed7c446',
  treasury: '0xF322942f644A996A617BD29c16bd7d231d9F35E9',
  /** Each reads the feeds of one operator; the resilient oracle compares them. */
  oracles: {
    chainlink: book.venus.chainlinkOracle,
    redStone: book.venus.redStoneOracle,
    atlas: here('0x9E6928Ec418948ceb9f1cd9872fD312b13D841D0', '0x7F00af2f30a55e79311392C98fBBfA629D19b3A5'),
  },
  /** Besides them: Binance Oracle's prices, by coin name. */
  binanceOracle: book.venus.binanceOracle,
  /** The oracles' name for BNB itself. */
  nativeAsset: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  markets: { vUSDT, vUSDC, vBTC, vETH, vWBNB, vBNB: book.venus.vBnb },
} as const;

export const pancake = { ...book.pancake, positionManager: '0x46A15B0b27311cedF172AB29E4f4766fbE7F4364' } as const;

export const accountAbstraction = { ...book.accountAbstraction, simpleAccountFactory: localAccountFactory } as const;
