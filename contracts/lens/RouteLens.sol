// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {RouteSearch} from "./RouteSearch.sol";

/// @title RouteLens: the best route for an amount in one eth_call
/// @notice Never deployed: the caller sends this code with the call. For callers that need nothing else that
/// `MarketLens` reads.
contract RouteLens {
  /// Gas for returning the route.
  uint256 private constant END_GAS = 1_000_000;

  /// @return route Empty if there is none. Its last amount is 0 if no route has a quote.
  function best(RouteSearch.Market calldata market, address paid, address received, uint256 amountIn)
    external
    returns (RouteSearch.Leg[] memory route)
  {
    (route,) = RouteSearch.best(market, paid, received, amountIn, END_GAS);
  }
}
