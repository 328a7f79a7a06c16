import type { Address } from 'viem';

// Addresses on BNB Chain, and therefore on the replica. Deployment records in packages.ts carry their own address; this
// file has the rest.

/** Tokens, all with 18 decimals on BNB Chain, USDT and USDC included. */
export const tokens = {
  USDT: '0x55d398326f99059fF775485246999027B3197955',
  USDC: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  BTCB: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
  ETH: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
  WBNB: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
  XVS: '0xcF6BB5389c92Bdda8a3747Ddb454cB7a64626C63',
  VAI: '0x4BD17003473389A42DAF6a0a729f6Fdb328BbBd7',
  /** A stand-in (share.ts) at an address that is unused on BNB Chain. The same applies to its feed. */
  ACMEX: '0x00000000000000000000000000000000ac3E0001',
} as const satisfies Record<string, Address>;

export type TokenSymbol = keyof typeof tokens;

/** Chainlink's standard proxies of `<asset> / USD`, 8 decimals. This project's contracts and agent read these. */
export const feeds = {
  USDT: '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
  USDC: '0x51597f405303C4377E36123cBc172b13269EA163',
  BTCB: '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
  ETH: '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e',
  WBNB: '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
  VAI: '0x058316f8Bb13aCD442ee7A216C7b60CFB4Ea1B53',
  ACMEX: '0x00000000000000000000000000000000ac3E0002',
} as const satisfies Partial<Record<TokenSymbol, Address>>;

/**
 * The feeds that Venus's oracles read, 8 decimals. Chainlink's are proxies of their own, for which a liquidator may buy the
 * right to update a price first (OEV: VIP-586, VIP-642); VAI has none.
 */
export const venusFeeds = {
  chainlink: {
    USDT: '0xb631F3Cb6B3a5EebF72C97e30c377de061C6a87c',
    USDC: '0x4641327e9aD5df9568AF01363D9E7aEdDDEb33e9',
    BTCB: '0x8ECF7dE377F788A813F5215668E282556b35f300',
    ETH: '0xe48a5Fd74d4A5524D76960ef3B52204C0e11fCD1',
    WBNB: '0xA59395678BB6a010a7206f46b6dab8A1e7aC7221',
  },
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

/** The assets that Venus prices by three sources. */
export type VenusAsset = keyof (typeof venusFeeds)['chainlink'];

export const venus = {
  /** Owns everything. On BNB Chain it is a timelock behind a vote. */
  timelock: '0x939bD8d64c0A9583A7Dcea9933f7b21697ab6396',
  accessControl: '0x4788629ABc6cFCA10F9f969efdEAa1cF70c23555',
  comptroller: '0xfD36E2c2a6789Db23113685031d7F16329158384',
  vaiController: '0x004065D34C6b18cE4370ced1CeBDE94865DbFAFE',
  liquidator: '0x0870793286aaDA55D39CE7f82fb2766e8004cF43',
  protocolShareReserve: '0xCa01D5A9A248a830E9D93231e791B1afFed7c446',
  treasury: '0xF322942f644A996A617BD29c16bd7d231d9F35E9',
  /** Each reads the feeds of one operator; the resilient oracle compares them. */
  oracles: {
    chainlink: '0x1B2103441A0A108daD8848D8F5d790e4D402921F',
    redStone: '0x8455EFA4D7Ff63b8BFD96AdD889483Ea7d39B70a',
    atlas: '0x9E6928Ec418948ceb9f1cd9872fD312b13D841D0',
  },
  /** The oracles' name for BNB itself. */
  nativeAsset: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  markets: {
    vUSDT: '0xfD5840Cd36d94D7229439859C0112a4185BC0255',
    vUSDC: '0xecA88125a5ADbe82614ffC12D0DB554E2e2867C8',
    vBTC: '0x882C173bC7Ff3b7786CA16dfeD3DFFfb9Ee7847B',
    vETH: '0xf508fCD89b8bd15579dc79A6827cB4686A3592c8',
    vWBNB: '0x6bCa74586218dB34cdB402295796b79663d816e9',
    vBNB: '0xA07c5b74C9B40447a954e1466938b865b6BBea36',
  },
} as const;

export const pancake = {
  poolDeployer: '0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9',
  factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
  router: '0x1b81D678ffb9C0263b24A97847620C99d213eB14',
  quoter: '0xB048Bbc1Ee6b733FFfCFb9e9CeF7375518e25997',
  positionManager: '0x46A15B0b27311cedF172AB29E4f4766fbE7F4364',
} as const satisfies Record<string, Address>;

export const accountAbstraction = {
  entryPoint: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  simpleAccountFactory: '0x13E9ed32155810FDbd067D4522C492D6f68E5944',
} as const satisfies Record<string, Address>;
