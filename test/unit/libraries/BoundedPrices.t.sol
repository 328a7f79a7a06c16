// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {BoundedPrices} from "../../../contracts/libraries/BoundedPrices.sol";
import {CostlyPriceSource} from "../../mocks/CostlyPriceSource.sol";
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

  function priceOrZero(address source) external view returns (uint256) {
    return BoundedPrices.priceOrZero(source, TOKEN_IN);
  }

  function readOrZero(address source) external view returns (uint256 priceInWad) {
    (priceInWad,) = BoundedPrices.readOrZero(source, TOKEN_IN, TOKEN_IN);
  }

  function readWithFixedGas(address source) external view returns (uint256 priceInWad) {
    (priceInWad,) = BoundedPrices.readWithFixedGas(source, TOKEN_IN, TOKEN_IN);
  }

  /// LG-28, PR-36, CG-13: whatever gas the caller sends, prices that cost nearly all that they may are the source's, or the
  /// reading fails. Not even the 64th part that a call keeps back is missing.
  function test_attack_noGasMakesAPriceOfNone() public {
    CostlyPriceSource costly = new CostlyPriceSource();
    costly.setPrice(TOKEN_IN, 7);
    bytes4[3] memory readings = [this.priceOrZero.selector, this.readOrZero.selector, this.readWithFixedGas.selector];
    for (uint256 i; i < 3; ++i) {
      uint256 given = (i == 0 ? 1 : 2) * BoundedPrices.GAS_PER_PRICE;
      costly.setCost(given - 2_700);
      bytes memory call = abi.encodeWithSelector(readings[i], address(costly));
      for (uint256 sent = given - 5_000; sent < given + 30_000; sent += 100) {
        (bool answered, bytes memory answer) = address(this).call{gas: sent}(call);
        if (answered) assertEq(abi.decode(answer, (uint256)), 7);
        else assertEq(bytes4(answer), BoundedPrices.PriceGasTooLow.selector);
      }
      (, bytes memory last) = address(this).call(call);
      assertEq(abi.decode(last, (uint256)), 7);
    }
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
      vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, abi.encode(answers[i])));
      this.readWithFixedGas(address(raw));
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
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, _cut(head, size)));
    this.readWithFixedGas(address(raw));
  }

  function test_RevertWhen_SourceBurnsAllGas() public {
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    assertApproxEqAbs(_gasBurnt(1_500_000), BoundedPrices.GAS_CAP, 50_000);
    assertApproxEqAbs(_gasBurnt(2_000_000), BoundedPrices.GAS_CAP, 50_000);
    // A caller that sends more raises the limit.
    assertApproxEqAbs(_gasBurnt(6_000_000), 3_000_000, 50_000);
  }

  /// CG-13: a caller that sends more does not.
  function test_FixedGasIsFixed() public {
    raw.set(RawPriceSource.Manner.BurnAllGas, "", 0);
    for (uint256 sent = 1_000_000; sent < 20_000_000; sent *= 2) {
      uint256 gasBefore = gasleft();
      vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, ""));
      this.readWithFixedGas{gas: sent}(address(raw));
      assertApproxEqAbs(gasBefore - gasleft(), 2 * BoundedPrices.GAS_PER_PRICE, 50_000);
    }
  }

  function _gasBurnt(uint256 gasGiven) private returns (uint256) {
    uint256 gasBefore = gasleft();
    vm.expectRevert(abi.encodeWithSelector(BoundedPrices.PriceSourceFailed.selector, raw, ""));
    this.read{gas: gasGiven}(address(raw));
    return gasBefore - gasleft();
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
