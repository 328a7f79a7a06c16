import { localAccountFactory } from '@bowline/core/registry/address-book';
import { type Address, parseUnits } from 'viem';

// Addresses on BNB Chain, and therefore on the replica. Deployment records in packages.ts carry their own address; this
// file has the rest.

/**
 * Whether the replica is one of BNB Chain's test network, with that network's addresses and decimals. For rehearsals: the
 * environment decides, since a process has one replica.
 */
export const isTestnet = process.env.LOCAL_REPLICA_OF === 'bsc-testnet';

/** Whether the local chain has BNB Chain's own ID, for `npm run lab -- day`. Its replica is the usual one. */
const isOperatorsDay = process.env.LOCAL_REPLICA_OF === 'bsc';

/** The agent's and the page's name for the chain. */
export const chainName = isTestnet ? 'bsc-testnet' : isOperatorsDay ? 'bsc' : 'local';

const here = (onBsc: Address, onTestnet: Address): Address => (isTestnet ? onTestnet : onBsc);

const tokensOnBsc = {
  USDT: '0x55d398326f99059fF775485246999027B3197955',
  USDC: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  BTCB: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
  ETH: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
  WBNB: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  XVS: '0xcF6BB5389c92Bdda8a3747Ddb454cB7a64626C63',
  VAI: '0x4BD17003473389A42DAF6a0a729f6Fdb328BbBd7',
} as const satisfies Record<string, Address>;

export type TokenSymbol = keyof typeof tokensOnBsc;

export const tokens: Readonly<Record<TokenSymbol, Address>> = {
  ...tokensOnBsc,
  // Venus's own on the test network, which anybody can mint.
  ...(isTestnet && {
    USDT: '0xA11c8D9DC9b66E209Ef60F0C8D969D3CD988782c',
    USDC: '0x16227D60f7a0e586C66B005219dfc887D13C9531',
    BTCB: '0xA808e341e8e723DC6BA0Bb5204Bafc2330d7B8e4',
    ETH: '0x98f7A83361F7Ac8765CcEBAB1425da6b341958a7',
    WBNB: '0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd',
    XVS: '0xB9e0E753630434d7863528cc73CB7AC638a7c8ff',
    VAI: '0x5fFbE5302BadED40941A403228E6AD03f93752d9',
  }),
};

/** On BNB Chain all have 18, USDT and USDC included. */
export const decimalsOf = (symbol: TokenSymbol): number => (isTestnet && ['USDT', 'USDC'].includes(symbol) ? 6 : 18);

/** What a price of base units is multiplied by, so that those of all tokens have one scale. */
export const unitScaleOf = (symbol: TokenSymbol): bigint => 10n ** BigInt(18 - decimalsOf(symbol));

/** Base units of whole tokens. */
export const wholeTokens = (symbol: TokenSymbol, amount: string): bigint => parseUnits(amount, decimalsOf(symbol));

const feedsOnBsc = {
  USDT: '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
  USDC: '0x51597f405303C4377E36123cBc172b13269EA163',
  BTCB: '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
  ETH: '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e',
  WBNB: '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
  VAI: '0x058316f8Bb13aCD442ee7A216C7b60CFB4Ea1B53',
} as const satisfies Partial<Record<TokenSymbol, Address>>;

/** Chainlink's standard proxies of `<asset> / USD`, 8 decimals. This project's contracts and agent read these. */
export const feeds: Readonly<Record<keyof typeof feedsOnBsc, Address>> = {
  ...feedsOnBsc,
  ...(isTestnet && {
    USDT: '0xEca2605f0BCF2BA5966372C99837b1F182d3D620',
    USDC: '0x90c069C4538adAc136E051052E14c1cD799C41B7',
    BTCB: '0x5741306c21795FdCBb9b265Ea0255F499DFe515C',
    ETH: '0x143db3CEEfbdfe5631aDD3E50f7614B6ba708BA7',
    WBNB: '0x2514895c72f50D8bd4B4F9b1110F0D6bD2c97526',
  }),
};

const chainlinkForVenus: Readonly<Record<VenusAsset, Address>> = {
  USDT: '0xb631F3Cb6B3a5EebF72C97e30c377de061C6a87c',
  USDC: '0x4641327e9aD5df9568AF01363D9E7aEdDDEb33e9',
  BTCB: '0x8ECF7dE377F788A813F5215668E282556b35f300',
  ETH: '0xe48a5Fd74d4A5524D76960ef3B52204C0e11fCD1',
  WBNB: '0xA59395678BB6a010a7206f46b6dab8A1e7aC7221',
};

/**
 * The feeds that Venus's oracles read, 8 decimals. Chainlink's are proxies of their own, for which a liquidator may buy the
 * right to update a price first (OEV: VIP-586, VIP-642); on the test network they are the standard ones. VAI has none.
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
 * Binance Oracle's feeds by the coin's name, at addresses of the local chain's own: on BNB Chain a registry that Space ID names
 * leads to them. Venus has them beside its three sources.
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

/** The assets that Venus prices by three sources. */
export type VenusAsset = 'USDT' | 'USDC' | 'BTCB' | 'ETH' | 'WBNB';

export const venus = {
  /** Owns everything. On BNB Chain it is a timelock behind a vote. */
  timelock: here('0x939bD8d64c0A9583A7Dcea9933f7b21697ab6396', '0xce10739590001705F7FF231611ba4A48B2820327'),
  accessControl: here('0x4788629ABc6cFCA10F9f969efdEAa1cF70c23555', '0x45f8a08F534f34A97187626E05d4b6648Eeaa9AA'),
  comptroller: here('0xfD36E2c2a6789Db23113685031d7F16329158384', '0x94d1820b2D1c7c7452A163983Dc888CEC546b77D'),
  vaiController: here('0x004065D34C6b18cE4370ced1CeBDE94865DbFAFE', '0xf70C3C6b749BbAb89C081737334E74C9aFD4BE16'),
  liquidator: '0x0870793286aaDA55D39CE7f82fb2766e8004cF43',
  maximillion: here('0x5efA1e46F4Fd738FF721F5AebC895b970F13E8A1', '0xF3a34e06015e019D6154a0f1089f695B27122f50'),
  protocolShareReserve: '0xCa01D5A9A248a830E9D93231e791B1afFed7c446',
  treasury: '0xF322942f644A996A617BD29c16bd7d231d9F35E9',
  /** Each reads the feeds of one operator; the resilient oracle compares them. */
  oracles: {
    chainlink: here('0x1B2103441A0A108daD8848D8F5d790e4D402921F', '0xCeA29f1266e880A1482c06eD656cD08C148BaA32'),
    redStone: here('0x8455EFA4D7Ff63b8BFD96AdD889483Ea7d39B70a', '0x0Af51d1504ac5B711A9EAFe2fAC11A51d32029Ad'),
    atlas: here('0x9E6928Ec418948ceb9f1cd9872fD312b13D841D0', '0x7F00af2f30a55e79311392C98fBBfA629D19b3A5'),
  },
  /** Beside them: Binance Oracle's prices, by the names of coins. */
  binanceOracle: here('0x594810b741d136f1960141C0d8Fb4a91bE78A820', '0xB58BFDCE610042311Dc0e034a80Cc7776c1D68f5'),
  /** The oracles' name for BNB itself. */
  nativeAsset: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  markets: {
    vUSDT: here('0xfD5840Cd36d94D7229439859C0112a4185BC0255', '0xb7526572FFE56AB9D7489838Bf2E18e3323b441A'),
    vUSDC: here('0xecA88125a5ADbe82614ffC12D0DB554E2e2867C8', '0xD5C4C2e2facBEB59D0216D0595d63FcDc6F9A1a7'),
    vBTC: here('0x882C173bC7Ff3b7786CA16dfeD3DFFfb9Ee7847B', '0xb6e9322C49FD75a367Fcb17B0Fcd62C5070EbCBe'),
    vETH: here('0xf508fCD89b8bd15579dc79A6827cB4686A3592c8', '0x162D005F0Fff510E54958Cfc5CF32A3180A84aab'),
    vWBNB: here('0x6bCa74586218dB34cdB402295796b79663d816e9', '0xd9E77847ec815E56ae2B9E69596C69b6972b0B1C'),
    vBNB: here('0xA07c5b74C9B40447a954e1466938b865b6BBea36', '0x2E7222e51c0f6e98610A1543Aa3836E092CDe62c'),
  },
} as const;

export const pancake = {
  poolDeployer: '0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9',
  factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
  router: '0x1b81D678ffb9C0263b24A97847620C99d213eB14',
  quoter: here('0xB048Bbc1Ee6b733FFfCFb9e9CeF7375518e25997', '0xbC203d7f83677c7ed3F7acEc959963E7F4ECC5C2'),
  positionManager: '0x46A15B0b27311cedF172AB29E4f4766fbE7F4364',
} as const satisfies Record<string, Address>;

export const accountAbstraction = {
  entryPoint: '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
  simpleAccountFactory: localAccountFactory,
} as const satisfies Record<string, Address>;
