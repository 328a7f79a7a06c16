import { parseAbi } from 'viem';

// Functions of third-party contracts. `view` marks whatever an eth_call can read without a state change, even if the
// contract does not declare it.

export const accountFactoryAbi = parseAbi(['function accountImplementation() view returns (address)']);
export const accountImplementationAbi = parseAbi(['function entryPoint() view returns (address)']);

export const feedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

export const oracleAbi = parseAbi([
  'function getPrice(address asset) view returns (uint256)',
  // Only the start of the struct; the rest is not read.
  'function getTokenConfig(address asset) view returns ((address asset, address[3] oracles, bool[3] enabled) config)',
]);

/** Which feed Venus reads for an asset. */
export const chainlinkOracleAbi = parseAbi([
  'function tokenConfigs(address asset) view returns (address asset, address feed, uint256 maxStalePeriod)',
]);

export const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint32 feeProtocol, bool unlocked)',
  'function liquidity() view returns (uint128)',
  'function observe(uint32[] secondsAgos) view returns (int56[] tickCumulatives, uint160[] secondsPerLiquidityCumulativeX128s)',
]);
