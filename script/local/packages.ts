import { isTestnet } from './addresses.ts';
import { compiled, deployed, type Package } from './artifacts.ts';

/** The packages' folder of deployment records. */
const network = isTestnet ? 'bsctestnet' : 'bscmainnet';

// The published artifacts that make up the replica. Version and sha512 are pinned together, so nobody, not even the
// registry, can put other code at these addresses without a change to this file.

/**
 * Core pool v10.3.0: the contracts behind the comptroller, the markets, VAI and the liquidator, and its test tokens.
 */
export const venusProtocol = {
  spec: '@venusprotocol/venus-protocol@10.3.0',
  sha512: 'qGvjvUgYhK5REF/Cj4Lg4FNBMrEscnSSxr4sHL4WDlb2woPucvqLfGkw/f3XKFanf+lWD1G4K0Gzpdc430+BeQ==',
  files: {
    Diamond: deployed(`deployments/${network}/Unitroller_Implementation.json`),
    MarketFacet: deployed(`deployments/${network}/MarketFacet.json`),
    PolicyFacet: deployed(`deployments/${network}/PolicyFacet.json`),
    RewardFacet: deployed(`deployments/${network}/RewardFacet.json`),
    SetterFacet: deployed(`deployments/${network}/SetterFacet.json`),
    FlashLoanFacet: deployed(`deployments/${network}/FlashLoanFacet.json`),
    ComptrollerLens: deployed(`deployments/${network}/ComptrollerLens.json`),
    VBep20Delegate: deployed(`deployments/${network}/VBep20Delegate.json`),
    VBep20Delegator: deployed(`deployments/${network}/vWBNB.json`),
    VAIController: deployed(`deployments/${network}/VaiUnitroller_Implementation.json`),
    Liquidator: deployed(`deployments/${network}/Liquidator_Implementation.json`),
    StablecoinRates: deployed(
      `deployments/${network}/JumpRateModel_base0bps_slope1000bps_jump25000bps_kink8000bps_bpy70080000.json`,
    ),
    VolatileRates: deployed(
      `deployments/${network}/JumpRateModel_base0bps_slope900bps_jump20000bps_kink5000bps_bpy70080000.json`,
    ),
    Unitroller: compiled('artifacts/contracts/Comptroller/Unitroller.sol/Unitroller.json'),
    VBNB: compiled('artifacts/contracts/Tokens/VTokens/VBNB.sol/VBNB.json'),
    VAI: compiled('artifacts/contracts/Tokens/VAI/VAI.sol/VAI.json'),
    VAIUnitroller: compiled('artifacts/contracts/Tokens/VAI/VAIUnitroller.sol/VAIUnitroller.json'),
    FaucetToken: compiled('artifacts/contracts/test/FaucetToken.sol/FaucetToken.json'),
  },
} as const satisfies Package;

/** Price oracles v2.16.0, with the mock of a Chainlink feed that the package's own tests use. */
export const venusOracle = {
  spec: '@venusprotocol/oracle@2.16.0',
  sha512: 'glqLXVBTL5zTSZsdw71aE3UZrH8CeRZfv5tKapZhP5Yi1in8HfKoNoWMqEji4lgBGCUArZJ85jVG9SesNDi8PA==',
  files: {
    DefaultProxyAdmin: deployed(`deployments/${network}/DefaultProxyAdmin.json`),
    BoundValidator: deployed(`deployments/${network}/BoundValidator_Implementation.json`),
    BoundValidatorProxy: deployed(`deployments/${network}/BoundValidator.json`),
    ResilientOracle: deployed(`deployments/${network}/ResilientOracle_Implementation.json`),
    ResilientOracleProxy: deployed(`deployments/${network}/ResilientOracle.json`),
    ChainlinkOracle: deployed(`deployments/${network}/ChainlinkOracle_Implementation.json`),
    ChainlinkOracleProxy: deployed(`deployments/${network}/ChainlinkOracle.json`),
    RedStoneOracle: deployed(`deployments/${network}/RedStoneOracle_Implementation.json`),
    RedStoneOracleProxy: deployed(`deployments/${network}/RedStoneOracle.json`),
    AtlasOracle: deployed(`deployments/${network}/AtlasOracle_Implementation.json`),
    AtlasOracleProxy: deployed(`deployments/${network}/AtlasOracle.json`),
    DeviationBoundedOracle: deployed(`deployments/${network}/DeviationBoundedOracle_Implementation.json`),
    DeviationBoundedOracleProxy: deployed(`deployments/${network}/DeviationBoundedOracle.json`),
    MockV3Aggregator: compiled('artifacts/contracts/test/MockV3Aggregator.sol/MockV3Aggregator.json'),
  },
} as const satisfies Package;

export const venusGovernance = {
  spec: '@venusprotocol/governance-contracts@2.9.0',
  sha512: 'rnNVFULAtHAVrORtvcB5LygC1rHxdIEnCeZp8IzRPVRBENPkQIvR+NUZCsWOT4c17qwIALZgY5qaV4jgaVaQUA==',
  files: {
    AccessControlManager: compiled('artifacts/contracts/Governance/AccessControlManager.sol/AccessControlManager.json'),
  },
} as const satisfies Package;

export const pancakeCore = {
  spec: '@pancakeswap/v3-core@1.0.2',
  sha512: '9aZU8I1J6SbZOSW7NcNxuyaAC17tGkOaZJM9aJgvl6MMUOExpq0i0EC/jc3HxWbpC8sbZL+8eG544NEJs8CS+w==',
  files: {
    Factory: compiled('artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json'),
    Pool: compiled('artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json'),
  },
} as const satisfies Package;

/** 1.0.2, because 1.0.3 dropped the artifacts. */
export const pancakePeriphery = {
  spec: '@pancakeswap/v3-periphery@1.0.2',
  sha512: 'kWQhJsAG5Ij1cubKlX0JuJ3GEPFiPBR+NQt77SxHNjk62eallLyfbWJYk2NMnTO0crbjBFO5GKKQAXfp2n76vg==',
  files: {
    SwapRouter: compiled('artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
    QuoterV2: compiled('artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json'),
    PositionManager: compiled('artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
  },
} as const satisfies Package;

export const canonicalWeth = {
  spec: 'canonical-weth@1.4.0',
  sha512: '9rkLfAFndWALLhxd5lpyTX4RkV36WmVBZ92NYtYr1kWdAUmclRp7I5KkK4wvogzDcCI++yw53TLwx/GCPcocMg==',
  files: { WETH9: compiled('build/contracts/WETH9.json') },
} as const satisfies Package;

/** All packages, so they can be fetched at once. */
export const packages: readonly Package[] = [
  venusProtocol,
  venusOracle,
  venusGovernance,
  pancakeCore,
  pancakePeriphery,
  canonicalWeth,
];
