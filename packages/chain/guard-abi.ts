import { parseAbi } from 'viem';

/** What readers ask of LoanGuard: contracts/interfaces/ILoanGuard.sol. A tenth of its whole ABI, for the page. */
export const guardAbi = parseAbi([
  'struct Terms { address borrower; address funder; address adapter; bytes32 market; address keeper; address priceSource; uint64 triggerHealthWad; uint64 targetHealthWad; uint128 capPerRescue; uint128 capPerDay; uint128 minRepay; uint32 cooldownSeconds; uint40 expiresAt; }',
  'struct State { uint8 status; uint40 lastRescueAt; uint32 day; uint128 takenInDay; uint32 rescues; bool isBySource; }',
  'struct Guard { Terms terms; address repayToken; State state; bool isRevoked; }',
  'struct Rescue { uint128 repaid; uint40 time; uint8 outcome; uint128 healthBeforeWad; uint128 healthAfterWad; }',
  'function guardCount() view returns (uint256)',
  'function guard(uint256 guardId) view returns (Guard)',
  'function rescues(uint256 guardId, uint256 from, uint256 to) view returns (Rescue[])',
  'error GuardUnknown(uint256 guardId)',
]);

/** The same for CollateralGuard: contracts/interfaces/ICollateralGuard.sol. */
export const saleAbi = parseAbi([
  'struct Route { uint24 firstFee; address firstToken; uint24 secondFee; address secondToken; uint24 thirdFee; }',
  'struct Terms { address borrower; address funder; address adapter; bytes32 debtMarket; bytes32 collateralMarket; address keeper; address priceSource; uint64 triggerHealthWad; uint64 targetHealthWad; uint16 maxCostBps; uint128 capPerRescue; uint128 capPerDay; uint128 minRepay; uint32 cooldownSeconds; uint40 expiresAt; Route route; }',
  'struct State { uint8 status; uint40 lastRescueAt; uint40 coolingSince; bool isBySource; uint32 day; uint128 takenInDay; uint32 rescues; }',
  'struct Guard { Terms terms; address repayToken; address collateralToken; State state; bool isRevoked; }',
  'struct Repayment { uint128 repaid; uint40 time; uint8 outcome; uint128 healthBeforeWad; uint128 healthAfterWad; }',
  'struct Rescue { Repayment repayment; uint128 receipts; uint128 sold; }',
  'function guard(uint256 guardId) view returns (Guard)',
  'function rescues(uint256 guardId, uint256 from, uint256 to) view returns (Rescue[])',
  'error GuardUnknown(uint256 guardId)',
]);

/** What readers ask of an adapter for both sides of a loan: contracts/interfaces/ICollateralMarket.sol. */
export const depositAbi = parseAbi([
  'struct Collateral { address token; address receipt; uint256 receipts; uint256 rateWad; uint256 feeWad; uint256 priceWad; uint256 weightWad; uint256 cash; }',
  'struct Limits { uint256 weightWad; uint256 factorWad; uint256 incentiveWad; }',
  'function accrueAndReadCollateral(address account, bytes32 market) returns (Collateral)',
  'function limitsOf(address account, bytes32 market) view returns (Limits)',
]);
