import { poolAbi as readPoolAbi } from '@bowline/chain/chain-abis';
import { parseAbi } from 'viem';

export { feedAbi } from '@bowline/chain/chain-abis';
export { erc20Abi } from 'viem';

// Typed calls for building, testing and moving the local chain. The full ABIs are in the artifacts.

export const wbnbAbi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)']);

/** Only on the replica: the real tokens have no faucet. */
export const faucetAbi = parseAbi(['function allocateTo(address to, uint256 amount)']);

/** Only on the replica: a real Chainlink feed gets its answers from its oracles. */
export const mockFeedAbi = parseAbi([
  'function updateAnswer(int256 answer)',
  'function updateRoundData(uint80 roundId, int256 answer, uint256 updatedAt, uint256 startedAt)',
]);

export const oracleAbi = parseAbi([
  'function getPrice(address asset) view returns (uint256)',
  'function getUnderlyingPrice(address vToken) view returns (uint256)',
]);

export const comptrollerAbi = parseAbi([
  'function enterMarkets(address[] vTokens) returns (uint256[])',
  'function getAssetsIn(address account) view returns (address[])',
  'function getAllMarkets() view returns (address[])',
  'function getAccountLiquidity(address account) view returns (uint256 code, uint256 liquidity, uint256 shortfall)',
  'function oracle() view returns (address)',
  'function setCollateralFactor(address vToken, uint256 collateralFactor, uint256 liquidationThreshold) returns (uint256)',
  'function setLiquidationIncentive(address vToken, uint256 incentive) returns (uint256)',
]);

const vTokenSignatures = [
  'function balanceOf(address) view returns (uint256)',
  'function borrow(uint256 amount) returns (uint256)',
  'function borrowBalanceCurrent(address account) returns (uint256)',
  'function borrowBalanceStored(address account) view returns (uint256)',
  'function exchangeRateStored() view returns (uint256)',
  'function getCash() view returns (uint256)',
  'function accrueInterest() returns (uint256)',
] as const;

export const vTokenAbi = parseAbi([
  ...vTokenSignatures,
  'function underlying() view returns (address)',
  'function mint(uint256 amount) returns (uint256)',
  'function repayBorrowBehalf(address borrower, uint256 amount) returns (uint256)',
  'function liquidateBorrow(address borrower, uint256 amount, address collateral) returns (uint256)',
]);

/** vBNB takes BNB itself, has no underlying(), and returns nothing on repayments. */
export const vBnbAbi = parseAbi([
  ...vTokenSignatures,
  'function mint() payable',
  'function repayBorrowBehalf(address borrower) payable',
]);

export const vaiControllerAbi = parseAbi([
  'function mintVAI(uint256 amount) returns (uint256)',
  'function repayVAIBehalf(address borrower, uint256 amount) returns (uint256 code, uint256 repaid)',
  'function getVAIRepayAmount(address account) view returns (uint256)',
  'function accrueVAIInterest()',
]);

export const liquidatorAbi = parseAbi([
  'function liquidateBorrow(address vToken, address borrower, uint256 amount, address collateral) payable',
  'error LiquidationFailed(uint256 code)',
]);

export const poolAbi = [
  ...readPoolAbi,
  ...parseAbi(['function increaseObservationCardinalityNext(uint16 cardinality)']),
] as const;

export const factoryAbi = parseAbi([
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
]);

export const positionManagerAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) position) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
]);

export const routerAbi = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) order) payable returns (uint256 amountOut)',
  'function exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) order) payable returns (uint256 amountOut)',
]);

export const quoterAbi = parseAbi([
  'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 sqrtPriceLimitX96) order) returns (uint256 amountOut, uint160 sqrtPriceX96After, uint32 initializedTicksCrossed, uint256 gasEstimate)',
  'function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)',
]);
