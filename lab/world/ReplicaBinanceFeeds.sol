// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

interface RoundFeed {
  function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80);
}

/// @title Stand-in for Space ID's registry, its resolver and Binance Oracle's feed registry, for local chains only
/// @notice Venus's BinanceOracle finds the feed registry by a name of Space ID, and each feed by the coin's name. None of
/// the three is published. This contract leads to itself, and to one feed a name.
contract ReplicaBinanceFeeds {
  mapping(string name => RoundFeed feed) public feeds;

  constructor(string[] memory names, RoundFeed[] memory feedsOfNames) {
    for (uint256 i = 0; i < names.length; i++) {
      feeds[names[i]] = feedsOfNames[i];
    }
  }

  function resolver(bytes32) external view returns (address) {
    return address(this);
  }

  function addr(bytes32) external view returns (address) {
    return address(this);
  }

  function latestRoundDataByName(string calldata base, string calldata)
    external
    view
    returns (uint80, int256, uint256, uint256, uint80)
  {
    return feeds[base].latestRoundData();
  }

  function decimalsByName(string calldata, string calldata) external pure returns (uint8) {
    return 8;
  }
}
