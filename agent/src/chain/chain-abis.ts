import { parseAbi } from 'viem';

// What is asked of contracts that are not this project's. `view` is said of what an eth_call can ask without changing
// anything, also where the contract does not promise it.

export const erc20Abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
]);

export const feedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
]);

export const oracleAbi = parseAbi([
  'function getPrice(address asset) view returns (uint256)',
  // The struct goes on; what follows is not read.
  'function getTokenConfig(address asset) view returns ((address asset, address[3] oracles, bool[3] enabled) config)',
]);

/** Of what Venus asks when it wants to know what a feed says. */
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

export const quoterAbi = parseAbi([
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) order) view returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
]);

/** Of what a token's issuer says: how many of what it stands for one token is. */
export const multiplierAbi = parseAbi([
  'function multiplier() view returns (uint256 wad, uint256 beforeWad, uint256 changedAt, bool isHalted)',
]);
