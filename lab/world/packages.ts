import { compiled, deployed, type Pinned, sources } from './artifacts.ts';

// Other protocols' published code, for the replica and for tests. Not dependencies of this project, because theirs would
// come along: hardhat, ethers and the like. Version and sha512 are pinned together, so nobody, not even the registry, can
// put other code at these addresses without a change to this file.

/**
 * Core pool v10.3.0: the contracts behind the comptroller, the markets, VAI and the liquidator, and its test tokens.
 */
export const venusProtocol = {
  spec: '@venusprotocol/venus-protocol@10.3.0',
  sha512: 'qGvjvUgYhK5REF/Cj4Lg4FNBMrEscnSSxr4sHL4WDlb2woPucvqLfGkw/f3XKFanf+lWD1G4K0Gzpdc430+BeQ==',
  files: {
    Diamond: deployed('Unitroller_Implementation'),
    MarketFacet: deployed('MarketFacet'),
    PolicyFacet: deployed('PolicyFacet'),
    RewardFacet: deployed('RewardFacet'),
    SetterFacet: deployed('SetterFacet'),
    FlashLoanFacet: deployed('FlashLoanFacet'),
    ComptrollerLens: deployed('ComptrollerLens'),
    VBep20Delegate: deployed('VBep20Delegate'),
    VBep20Delegator: deployed('vWBNB'),
    VAIController: deployed('VaiUnitroller_Implementation'),
    Liquidator: deployed('Liquidator_Implementation'),
    StablecoinRates: deployed('JumpRateModel_base0bps_slope1000bps_jump25000bps_kink8000bps_bpy70080000'),
    VolatileRates: deployed('JumpRateModel_base0bps_slope900bps_jump20000bps_kink5000bps_bpy70080000'),
    Unitroller: compiled('artifacts/contracts/Comptroller/Unitroller.sol/Unitroller.json'),
    VBNB: compiled('artifacts/contracts/Tokens/VTokens/VBNB.sol/VBNB.json'),
    VAI: compiled('artifacts/contracts/Tokens/VAI/VAI.sol/VAI.json'),
    VAIUnitroller: compiled('artifacts/contracts/Tokens/VAI/VAIUnitroller.sol/VAIUnitroller.json'),
    FaucetToken: compiled('artifacts/contracts/test/FaucetToken.sol/FaucetToken.json'),
  },
} as const satisfies Pinned;

/** Price oracles v2.16.0, with the mock of a Chainlink feed that the package's own tests use. */
export const venusOracle = {
  spec: '@venusprotocol/oracle@2.16.0',
  sha512: 'glqLXVBTL5zTSZsdw71aE3UZrH8CeRZfv5tKapZhP5Yi1in8HfKoNoWMqEji4lgBGCUArZJ85jVG9SesNDi8PA==',
  files: {
    DefaultProxyAdmin: deployed('DefaultProxyAdmin'),
    BoundValidator: deployed('BoundValidator_Implementation'),
    BoundValidatorProxy: deployed('BoundValidator'),
    ResilientOracle: deployed('ResilientOracle_Implementation'),
    ResilientOracleProxy: deployed('ResilientOracle'),
    ChainlinkOracle: deployed('ChainlinkOracle_Implementation'),
    ChainlinkOracleProxy: deployed('ChainlinkOracle'),
    RedStoneOracle: deployed('RedStoneOracle_Implementation'),
    RedStoneOracleProxy: deployed('RedStoneOracle'),
    BinanceOracle: deployed('BinanceOracle_Implementation'),
    BinanceOracleProxy: deployed('BinanceOracle'),
    AtlasOracle: deployed('AtlasOracle_Implementation'),
    AtlasOracleProxy: deployed('AtlasOracle'),
    DeviationBoundedOracle: deployed('DeviationBoundedOracle_Implementation'),
    DeviationBoundedOracleProxy: deployed('DeviationBoundedOracle'),
    MockV3Aggregator: compiled('artifacts/contracts/test/MockV3Aggregator.sol/MockV3Aggregator.json'),
  },
} as const satisfies Pinned;

export const venusGovernance = {
  spec: '@venusprotocol/governance-contracts@2.9.0',
  sha512: 'rnNVFULAtHAVrORtvcB5LygC1rHxdIEnCeZp8IzRPVRBENPkQIvR+NUZCsWOT4c17qwIALZgY5qaV4jgaVaQUA==',
  files: {
    AccessControlManager: compiled('artifacts/contracts/Governance/AccessControlManager.sol/AccessControlManager.json'),
  },
} as const satisfies Pinned;

export const pancakeCore = {
  spec: '@pancakeswap/v3-core@1.0.2',
  sha512: '9aZU8I1J6SbZOSW7NcNxuyaAC17tGkOaZJM9aJgvl6MMUOExpq0i0EC/jc3HxWbpC8sbZL+8eG544NEJs8CS+w==',
  files: {
    Factory: compiled('artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json'),
    Pool: compiled('artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'),
  },
} as const satisfies Pinned;

/** 1.0.2, because 1.0.3 dropped the artifacts. */
export const pancakePeriphery = {
  spec: '@pancakeswap/v3-periphery@1.0.2',
  sha512: 'kWQhJsAG5Ij1cubKlX0JuJ3GEPFiPBR+NQt77SxHNjk62eallLyfbWJYk2NMnTO0crbjBFO5GKKQAXfp2n76vg==',
  files: {
    SwapRouter: compiled('artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
    QuoterV2: compiled('artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json'),
    PositionManager: compiled('artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
  },
} as const satisfies Pinned;

export const canonicalWeth = {
  spec: 'canonical-weth@1.4.0',
  sha512: '9rkLfAFndWALLhxd5lpyTX4RkV36WmVBZ92NYtYr1kWdAUmclRp7I5KkK4wvogzDcCI++yw53TLwx/GCPcocMg==',
  files: { WETH9: compiled('build/contracts/WETH9.json') },
} as const satisfies Pinned;

/**
 * Morpho Blue, as sources (morpho.ts), for the tests of test/fork alone. Licensed under BUSL-1.1: downloaded for tests only, and not
 * part of this project.
 */
export const morphoBlue = {
  spec: '@morpho-org/morpho-blue@1.0.0',
  sha512: 'MKtzYMRE65B1hVJYAPtml3ecHPY2e/SL3JRvM7XWjtbnWQX6U/C3beSdxr7v+rHaVJ0ri/dUPxvNfWtr0NZdGw==',
  files: sources(
    'src/Morpho.sol',
    'src/interfaces/IERC20.sol',
    'src/interfaces/IIrm.sol',
    'src/interfaces/IMorpho.sol',
    'src/interfaces/IMorphoCallbacks.sol',
    'src/interfaces/IOracle.sol',
    'src/libraries/ConstantsLib.sol',
    'src/libraries/ErrorsLib.sol',
    'src/libraries/EventsLib.sol',
    'src/libraries/MarketParamsLib.sol',
    'src/libraries/MathLib.sol',
    'src/libraries/SafeTransferLib.sol',
    'src/libraries/SharesMathLib.sol',
    'src/libraries/UtilsLib.sol',
    'src/mocks/IrmMock.sol',
  ),
} as const satisfies Pinned;

/** The compiler version that Morpho's sources require. */
export const morphoCompiler = {
  spec: 'solc@0.8.19',
  sha512: 'yqurS3wzC4LdEvmMobODXqprV4MYJcVtinuxgrp61ac8K2zz40vXA0eSAskSHPgv8dQo7Nux39i3QBsHx4pqyA==',
  // Without its package.json, Node would load the script as a module of this project's kind.
  files: sources('soljson.js', 'package.json'),
} as const satisfies Pinned;

/** Uniswap's script that puts Permit2 on a test chain. Contains the code that Permit2's constructor made for chain 31337. */
export const permit2Script = 'lib/permit2/test/utils/DeployPermit2.sol';

export const uniswapPeriphery = {
  spec: '@uniswap/v4-periphery@1.0.3',
  sha512: 'JxLL0Djv9XcMvI2PatEnWrCrxuEaYNVhHxstndBOP+aJfh1XLg5ec8SDZ0xyoVfg2ElJTvuKpBgnu90bNValsg==',
  files: sources(permit2Script),
} as const satisfies Pinned;

/** Everything that fetch.ts downloads. */
export const packages: readonly Pinned[] = [
  venusProtocol,
  venusOracle,
  venusGovernance,
  pancakeCore,
  pancakePeriphery,
  canonicalWeth,
  morphoBlue,
  morphoCompiler,
  uniswapPeriphery,
];
