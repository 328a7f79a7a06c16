// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {FeedPast} from "../../contracts/lens/FeedPast.sol";
import {Test} from "forge-std/Test.sol";

/// A feed that answers its rounds from `first` on, each at its time.
contract RoundsFeed {
  uint256 public immutable FIRST;
  uint256[] public times;

  constructor(uint256 first, uint256[] memory given) {
    (FIRST, times) = (first, given);
  }

  function newest() external view returns (bytes memory) {
    return _encoded(times.length - 1);
  }

  function getRoundData(uint80 id) external view returns (uint80, int256, uint256, uint256, uint80) {
    require(id >= FIRST && id < FIRST + times.length, "No data present");
    uint256 index = id - FIRST;
    return (id, int256(index + 1), times[index], times[index], id);
  }

  function _encoded(uint256 index) private view returns (bytes memory) {
    uint256 id = FIRST + index;
    return abi.encode(id, index + 1, times[index], times[index], id);
  }
}

contract FeedPastTest is Test {
  uint256 private constant PHASE = 7 << 64;
  uint256 private constant NOW = 1_800_000_000;

  function setUp() public {
    vm.warp(NOW);
  }

  /// The answer, counted from 1 by the oldest round; 0 if there is none.
  function answerAgo(RoundsFeed feed, uint256 ago) public view returns (uint256 answer) {
    bytes memory round = FeedPast.roundAgo(address(feed), feed.newest(), ago);
    if (round.length > 0) (, answer) = abi.decode(round, (uint256, uint256));
  }

  /// As a search round by round finds it, whatever the rounds' distances.
  function testFuzz_roundAgo_isTheNewestOfThenOrBefore(uint256 seed, uint8 count, uint16 ago) public {
    uint256[] memory times = new uint256[](bound(count, 1, 200));
    uint256 time = NOW;
    for (uint256 i = times.length; i > 0; --i) {
      times[i - 1] = time;
      time -= uint256(keccak256(abi.encode(seed, i))) % 120;
    }
    uint256 expected;
    for (uint256 i; i < times.length; ++i) {
      if (times[i] <= NOW - ago) expected = i + 1;
    }
    assertEq(answerAgo(new RoundsFeed(PHASE + 1, times), ago), expected);
  }

  function test_roundAgo_hasNoneBeforeTheFirstRoundOfThePhase() public {
    uint256[] memory times = new uint256[](3);
    (times[0], times[1], times[2]) = (NOW - 3_599, NOW - 60, NOW);
    assertEq(answerAgo(new RoundsFeed(PHASE + 1, times), 1 hours), 0);
    times[0] = NOW - 3_600;
    assertEq(answerAgo(new RoundsFeed(PHASE + 1, times), 1 hours), 1);
  }

  function test_roundAgo_hasNoneWhereARoundIsMissing() public {
    uint256[] memory times = new uint256[](2);
    (times[0], times[1]) = (NOW - 30, NOW);
    // Its rounds before 5 are not kept.
    assertEq(answerAgo(new RoundsFeed(PHASE + 5, times), 1 hours), 0);
  }

  function test_roundAgo_isTheNewestOfAFeedThatHasNotMoved() public {
    uint256[] memory times = new uint256[](1);
    times[0] = NOW - 7_200;
    assertEq(answerAgo(new RoundsFeed(PHASE + 1, times), 2 hours), 1);
  }

  function test_roundAgo_readsNothingOfARoundThatIsNone() public view {
    bytes[4] memory none = [
      bytes(""),
      abi.encode(uint256(1), 1, 1),
      abi.encode(uint256(type(uint80).max) + 1, 1, 1, 1, 1),
      abi.encode(uint256(1), 1, 0, 0, 1)
    ];
    for (uint256 i; i < none.length; ++i) {
      assertEq(FeedPast.roundAgo(address(this), none[i], 1 hours), "");
    }
    assertEq(FeedPast.roundAgo(address(this), abi.encode(uint256(1), 1, 1, 1, 1), NOW + 1), "");
  }
}
