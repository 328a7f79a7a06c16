// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of Morpho Blue that Bowline uses
interface IMorpho {
  /// A market's parameters. Its id is the hash of these five words.
  struct MarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    /// Liquidation threshold, as a fraction of 1e18.
    uint256 lltv;
  }

  /// All zeros if no market has this `id`.
  function idToMarketParams(bytes32 id) external view returns (MarketParams memory);
  function market(bytes32 id)
    external
    view
    returns (
      uint128 totalSupplyAssets,
      uint128 totalSupplyShares,
      uint128 totalBorrowAssets,
      uint128 totalBorrowShares,
      uint128 lastUpdate,
      uint128 fee
    );
  function position(bytes32 id, address account)
    external
    view
    returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral);
  function accrueInterest(MarketParams calldata params) external;
  /// Exactly one of `assets` and `shares` is zero.
  function repay(MarketParams calldata params, uint256 assets, uint256 shares, address onBehalf, bytes calldata data)
    external
    returns (uint256 assetsRepaid, uint256 sharesRepaid);
}

/// @title The oracle of a Morpho Blue market
interface IMorphoOracle {
  /// Base units of the loan token for 1e36 base units of collateral.
  function price() external view returns (uint256);
}

/// @title What Lista's Moolah adds to Morpho Blue
interface IMoolah is IMorpho {
  function paused() external view returns (bool);
  /// The only account that may repay in the market, whose record of the debt decides liquidations; zero for none.
  function brokers(bytes32 id) external view returns (address);
  /// Same as IMorphoOracle.price: Moolah's oracles have a different interface.
  function getPrice(MarketParams calldata params) external view returns (uint256);
  /// The smallest nonzero debt that a repayment may leave, in base units of the loan token.
  function minLoan(MarketParams calldata params) external view returns (uint256);
}

/// @title The oracle of a Moolah market
interface IMoolahOracle {
  /// US dollars with 8 decimals for one whole token.
  function peek(address token) external view returns (uint256);
}
