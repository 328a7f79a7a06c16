// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {RawPriceSource} from "../../mocks/RawPriceSource.sol";

/// PR-16
contract BoundedPricesTest is Test {
  address private constant TOKEN_IN = address(0x11);
  address private constant TOKEN_OUT = address(0x22);
  RawPriceSource private raw = new RawPriceSource();

  /// A call boundary, so that reverts and gas are visible.
  function read(address source) external view returns (uint256, uint256) {
    return BoundedPrices.read(source, TOKEN_IN, TOKEN_OUT);
  }

  function test_AsksForTokenInThenTokenOut() public {
    MockPriceSource honest = new MockPriceSource();
    honest.setPrice(TOKEN_IN, 3);
    honest.setPrice(TOKEN_OUT, 7);
    (uint256 priceIn, uint256 priceOut) = this.read(address(honest));
    assertEq(priceIn, 3);
    assertEq(priceOut, 7);
  }

  function testFuzz_TakesTwoWordsInRange(uint128 priceIn, uint128 priceOut) public {
    vm.assume(priceIn != 0 && priceOut != 0);
    raw.set(RawPriceSource.Manner.Return, abi.encode(priceIn, priceOut), 64);
    (uint256 readIn, uint256 readOut) = this.read(address(raw));
    assertEq(readIn, priceIn);
    assertEq(readOut, priceOut);
  }

  function test_RevertWhen_APriceIsOutOfRange() public {
    uint256 over = uint256(type(uint128).max) + 1;
    uint256[2][5] memory answers =
      [[uint256(0), 1], [uint256(1), 0], [over, 1], [uint256(1), over], [type(uint256).max, type(uint256).max]];
    for (uint256 i; i < answers.length; ++i) {
      (uint256 priceIn, uint256 priceOut) = (answers[i][0], answers[i][1]);
      raw.set(RawPriceSource.Manner.Return, abi.encode(priceIn, priceOut), 64);
      vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceOutOfRange.selector, raw, priceIn, priceOut));
      this.read(address(raw));
    }
  }

  /// Too little return data would leave old memory to be read as prices; too much does not match the interface.
  function testFuzz_RevertWhen_AnswerIsNotTwoWords(uint256 size) public {
    size = bound(size, 0, 4_096);
    vm.assume(size != 64);
    bytes memory head = abi.encode(1e18, 2e18);
    raw.set(RawPriceSource.Manner.Return, head, size);
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, _cut(head, size)));
    this.read(address(raw));
  }

  /// A revert with data that would pass as prices is still a revert.
  function testFuzz_PassesTheReasonOnCut(uint256 size) public {
    size = bound(size, 0, 100_000);
    bytes memory head = abi.encode(1e18, 2e18);
    raw.set(RawPriceSource.Manner.Revert, head, size);
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, _cut(head, size)));
    this.read(address(raw));
  }

  function test_RevertWhen_SourceBurnsAllGas() public {
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    uint256 gasBefore = gasleft();
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, ""));
    this.read(address(raw));
    assertLt(gasBefore - gasleft(), BoundedPrices.GAS_CAP + 50_000);
  }

  function test_RevertWhen_SourceWritesState() public {
    raw.set(RawPriceSource.Manner.WriteState, abi.encode(1, 1), 64);
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, ""));
    this.read(address(raw));
    assertEq(raw.written(), 0);

    // With a call that may change state, the same answer would have been accepted.
    (bool answered, bytes memory answer) = address(raw).call("");
    assertTrue(answered);
    assertEq(answer, abi.encode(1, 1));
    assertEq(raw.written(), 1);
  }

  /// A source without code answers successfully, with nothing.
  function test_RevertWhen_SourceHasNoCode() public {
    address gone = makeAddr("gone");
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, gone, ""));
    this.read(gone);
  }

  /// The source's answer: `head`, truncated or zero-padded to `size`, of which at most 132 bytes are passed on.
  function _cut(bytes memory head, uint256 size) private pure returns (bytes memory sent) {
    sent = new bytes(size < 132 ? size : 132);
    for (uint256 i; i < sent.length && i < head.length; ++i) {
      sent[i] = head[i];
    }
  }
}
