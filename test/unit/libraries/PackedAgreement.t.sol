// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {PackedAgreement} from "../../../contracts/libraries/PackedAgreement.sol";

contract PackedAgreementTest is Test {
  function roundTrip(ILoanGuard.Terms calldata terms, address repayToken, uint64 borrowerEpoch, uint64 funderEpoch)
    external
    pure
    returns (PackedAgreement.Agreement memory, uint256 length)
  {
    bytes memory packed = PackedAgreement.pack(terms, repayToken, borrowerEpoch, funderEpoch);
    return (PackedAgreement.unpack(packed), packed.length);
  }

  /// LG-10: any agreement is read as written, in 241 bytes.
  function testFuzz_WhatIsReadIsWhatWasWritten(PackedAgreement.Agreement calldata agreement) public view {
    (PackedAgreement.Agreement memory read, uint256 length) =
      this.roundTrip(agreement.terms, agreement.repayToken, agreement.borrowerEpoch, agreement.funderEpoch);
    assertEq(abi.encode(read), abi.encode(agreement));
    assertEq(length, 241);
  }
}
