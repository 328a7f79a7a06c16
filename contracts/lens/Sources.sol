// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title The part of a Chainlink feed that the lens reads
interface IFeed {
  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
  function getRoundData(uint80 roundId) external view returns (uint80, int256, uint256, uint256, uint80);
}

/// @title The part of Venus's ChainlinkOracle that the lens reads; its RedStoneOracle has the same code
interface IFeedOracle {
  function getPrice(address asset) external view returns (uint256);
  function tokenConfigs(address asset) external view returns (address, address feed, uint256 maxStalePeriod);
}

/// @title The part of Venus's BinanceOracle that the lens reads in addition to `getPrice`
interface IBinanceOracle {
  function symbols(string calldata symbol) external view returns (string memory);
  function maxStalePeriod(string calldata symbol) external view returns (uint256);
  function getFeedRegistryAddress() external view returns (address);
}

/// @title The part of Binance Oracle's feed registry that the lens reads
interface IBinanceFeeds {
  function latestRoundDataByName(string calldata base, string calldata quote)
    external
    view
    returns (uint80, int256, uint256, uint256, uint80);
}

/// @title The part of a token that names Binance's feed
interface ISymbol {
  function symbol() external view returns (string memory);
}

/// @title The part of PancakeSwap v3's QuoterV2 that the lens calls
interface IQuoter {
  struct Order {
    address tokenIn;
    address tokenOut;
    uint256 amountIn;
    uint24 fee;
    uint160 sqrtPriceLimitX96;
  }

  function quoteExactInputSingle(Order calldata order) external returns (uint256, uint160, uint32, uint256);
  function quoteExactInput(bytes calldata path, uint256 amountIn)
    external
    returns (uint256, uint160[] memory, uint32[] memory, uint256);
}

/// @title The part of PancakeSwap v3's SwapRouter that the lens calls
interface ISwapRouter {
  struct Order {
    bytes path;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
  }

  function exactInput(Order calldata order) external payable returns (uint256);
}

/// @title The part of a PancakeSwap v3 pool that the lens reads
interface IPoolState {
  function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint32, bool);
  function liquidity() external view returns (uint128);
  function observe(uint32[] calldata secondsAgos) external view returns (int56[] memory, uint160[] memory);
}

/// @title The part of the Venus core pool's comptroller that the lens reads in addition to `IVenusComptroller`
interface IVenusPools {
  /// The account's e-mode pool; zero is the core pool.
  function userPoolId(address account) external view returns (uint96);
  /// An inactive pool cannot be entered, and its accounts are treated as in the core pool.
  function pools(uint96 id) external view returns (string memory label, bool isActive, bool allowCorePoolFallback);
  /// Moves the caller into the pool. Reverts if it is already there or its debts do not allow it.
  function enterPool(uint96 id) external;
}

/// @title The part of a Venus market that the lens reads in addition to `IVToken`
interface IVTokenRates {
  function balanceOf(address account) external view returns (uint256);
  function exchangeRateStored() external view returns (uint256);
  function borrowIndex() external view returns (uint256);
}
