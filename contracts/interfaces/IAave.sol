// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of the Aave v3 pool that Bowline uses
interface IAavePool {
  /// The configuration is one word of flags and numbers. Three of them are read: the liquidation threshold in bits 16 to
  /// 31, the decimals of the underlying in bits 48 to 55, and the e-mode category in bits 168 to 175.
  struct ReserveData {
    uint256 configuration;
    uint128 liquidityIndex;
    uint128 currentLiquidityRate;
    uint128 variableBorrowIndex;
    uint128 currentVariableBorrowRate;
    uint128 currentStableBorrowRate;
    uint40 lastUpdateTimestamp;
    uint16 id;
    /// Zero unless the underlying is listed.
    address aTokenAddress;
    address stableDebtTokenAddress;
    address variableDebtTokenAddress;
    address interestRateStrategyAddress;
    uint128 accruedToTreasury;
    uint128 unbacked;
    uint128 isolationModeTotalDebt;
  }

  struct EModeCategory {
    uint16 ltv;
    uint16 liquidationThreshold;
    uint16 liquidationBonus;
    /// If not zero, its price is the price of each asset of the category, for accounts in that category.
    address priceSource;
    string label;
  }

  // The names are Aave's.
  /// 1 in Aave 3.0, and higher in every later line.
  // forge-lint: disable-next-line(mixed-case-function)
  function POOL_REVISION() external view returns (uint256);
  // forge-lint: disable-next-line(mixed-case-function)
  function ADDRESSES_PROVIDER() external view returns (IAaveAddresses);
  function getReserveData(address underlying) external view returns (ReserveData memory);
  /// Two bits per reserve, by its number: bit 2n says that the account borrows it, bit 2n + 1 that it is collateral.
  function getUserConfiguration(address account) external view returns (uint256);
  function getReserveAddressById(uint16 id) external view returns (address);
  /// Zero is no category.
  function getUserEMode(address account) external view returns (uint256 category);
  function getEModeCategoryData(uint8 category) external view returns (EModeCategory memory);
  /// Values in the oracle's base currency, threshold and LTV in 1/10,000. Interest is counted up to this block, for
  /// every reserve.
  function getUserAccountData(address account)
    external
    view
    returns (
      uint256 totalCollateralBase,
      uint256 totalDebtBase,
      uint256 availableBorrowsBase,
      uint256 currentLiquidationThreshold,
      uint256 ltv,
      uint256 healthFactor
    );
  /// Takes at most the debt. Reverts with Error(string), whose text is a number.
  function repay(address underlying, uint256 amount, uint256 interestRateMode, address onBehalfOf)
    external
    returns (uint256 repaid);
}

/// @title The part of Aave's address book that Bowline uses
interface IAaveAddresses {
  function getPriceOracle() external view returns (IAaveOracle);
}

/// @title The part of Aave's oracle that Bowline uses
interface IAaveOracle {
  /// Zero for US dollars.
  // forge-lint: disable-next-line(mixed-case-function)
  function BASE_CURRENCY() external view returns (address);
  // forge-lint: disable-next-line(mixed-case-function)
  function BASE_CURRENCY_UNIT() external view returns (uint256);
  /// In the base currency, of one whole token.
  function getAssetPrice(address underlying) external view returns (uint256);
}
