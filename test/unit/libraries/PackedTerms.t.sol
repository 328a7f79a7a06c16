// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PackedTerms} from "../../../contracts/libraries/PackedTerms.sol";

contract PackedTermsTest is Test {
  function roundTrip(IPlanRegistry.Terms calldata terms)
    external
    pure
    returns (IPlanRegistry.Terms memory, uint256 length)
  {
    bytes memory packed = PackedTerms.pack(terms);
    return (PackedTerms.unpack(packed), packed.length);
  }

  /// PR-33: any terms are read as written, in 210 bytes.
  function testFuzz_WhatIsReadIsWhatWasWritten(IPlanRegistry.Terms calldata terms) public view {
    (IPlanRegistry.Terms memory read, uint256 length) = this.roundTrip(terms);
    assertEq(abi.encode(read), abi.encode(terms));
    assertEq(length, 210);
  }
}
