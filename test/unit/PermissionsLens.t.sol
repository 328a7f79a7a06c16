// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {PermissionsLens} from "../../contracts/lens/PermissionsLens.sol";
import {GuardBase} from "../base/GuardBase.sol";
import {PlanBase} from "../base/PlanBase.sol";
import {Product} from "../base/Product.sol";

/// How the page sends the lens: as the code of a contract that answers once, in the place of its own code. So the answer
/// is paid for as code is, with 200 gas a byte.
contract AnswerAsCode {
  constructor(bytes memory lensCode, bytes memory call) {
    address lens;
    assembly ("memory-safe") {
      lens := create(0, add(lensCode, 0x20), mload(lensCode))
    }
    (bool answered, bytes memory answer) = lens.staticcall(call);
    require(answered);
    assembly ("memory-safe") {
      return(add(answer, 0x20), mload(answer))
    }
  }
}

/// WB-13: the owner's plans among those of strangers.
contract PermissionsLensPlansTest is PlanBase {
  uint256 private constant COUNT = 60;
  PermissionsLens private lens;
  uint256[] private own;

  function setUp() public override {
    super.setUp();
    lens = PermissionsLens(Product.create("PermissionsLens", ""));
    for (uint256 i; i < COUNT; ++i) {
      IPlanRegistry.Terms memory terms = _terms();
      // The owner of one is the recipient of another.
      (terms.owner, terms.recipient) = i % 7 == 3 ? (owner, stranger) : (stranger, owner);
      uint256 planId = _create(terms);
      if (terms.owner == owner) own.push(planId);
    }
  }

  function test_FindsTheOwnersPlansAndNoOther() public view {
    (uint256[] memory ids, uint256 next) = lens.plansOf(registry, owner, 1, COUNT + 1);
    assertEq(ids, own);
    assertEq(next, COUNT + 1);
  }

  function testFuzz_LooksAtTheNumbersThatItIsAskedFor(uint256 from, uint256 to) public view {
    (from, to) = (bound(from, 1, COUNT + 1), bound(to, 0, COUNT + 1));
    (uint256[] memory ids, uint256 next) = lens.plansOf(registry, owner, from, to);
    assertEq(next, from > to ? from : to);
    uint256 found;
    for (uint256 i; i < own.length; ++i) {
      if (own[i] >= from && own[i] < to) assertEq(ids[found++], own[i]);
    }
    assertEq(ids.length, found);
  }

  /// Numbers that do not exist, yet, are nobody's.
  function test_GoesOnBehindTheLastPlan() public view {
    (uint256[] memory ids, uint256 next) = lens.plansOf(registry, owner, COUNT - 10, COUNT + 20);
    assertEq(next, COUNT + 20);
    assertEq(ids.length, 2);
  }

  /// With any gas it finds what it has looked at, and the calls that follow find the rest.
  function testFuzz_StopsInTimeAndGoesOnWhereItStopped(uint256 gasLimit) public view {
    gasLimit = bound(gasLimit, 400_000, 1_500_000);
    uint256[] memory all = new uint256[](COUNT);
    uint256 found;
    for (uint256 next = 1; next <= COUNT;) {
      uint256[] memory ids;
      uint256 before = next;
      (ids, next) = lens.plansOf{gas: gasLimit}(registry, owner, before, COUNT + 1);
      assertGt(next, before, "no progress");
      for (uint256 i; i < ids.length; ++i) {
        all[found++] = ids[i];
      }
    }
    assertEq(found, own.length);
    for (uint256 i; i < found; ++i) {
      assertEq(all[i], own[i]);
    }
  }

  /// The answer has to fit into a contract's code.
  function test_StopsWhenTheAnswerIsFull() public {
    IPlanRegistry.Terms memory terms = _terms();
    for (uint256 i; i < 501; ++i) {
      _create(terms);
    }
    (uint256[] memory ids, uint256 next) = lens.plansOf(registry, owner, COUNT + 1, COUNT + 502);
    assertEq(ids.length, 500);
    assertEq(next, COUNT + 501);
  }

  /// With any gas the answer can be paid for, as code, also where most of the plans are the owner's.
  /// forge-config: default.fuzz.runs = 32
  function testFuzz_PaysForAnAnswerAsCode(uint256 gasLimit) public {
    gasLimit = bound(gasLimit, 1_600_000, 6_000_000);
    IPlanRegistry.Terms memory terms = _terms();
    for (uint256 i; i < 200; ++i) {
      _create(terms);
    }
    uint256 end = COUNT + 201;
    uint256 found;
    for (uint256 next = COUNT + 1; next < end;) {
      bytes memory answer = this.answerAsCode{gas: gasLimit}(abi.encodeCall(lens.plansOf, (registry, owner, next, end)));
      assertGt(answer.length, 0, "nothing could be paid for");
      uint256[] memory ids;
      uint256 before = next;
      (ids, next) = abi.decode(answer, (uint256[], uint256));
      assertGt(next, before, "no progress");
      assertEq(ids.length, next - before);
      found += ids.length;
    }
    assertEq(found, 200);
  }

  /// Empty if the gas did not suffice.
  function answerAsCode(bytes calldata call) external returns (bytes memory) {
    bytes memory lensCode = vm.getCode("out/PermissionsLens.sol/PermissionsLens.json");
    bytes memory code = bytes.concat(type(AnswerAsCode).creationCode, abi.encode(lensCode, call));
    address created;
    assembly ("memory-safe") {
      created := create(0, add(code, 0x20), mload(code))
    }
    return created.code;
  }

  /// What one more plan of a stranger costs, owners and terms on cold storage.
  /// forge-config: default.isolate = true
  function test_OneMorePlanCostsLittle() public {
    lens.plansOf(registry, owner, 1, 11);
    uint256 ten = vm.lastCallGas().gasTotalUsed;
    lens.plansOf(registry, owner, 1, COUNT + 1);
    uint256 each = (vm.lastCallGas().gasTotalUsed - ten) / (COUNT - 10);
    emit log_named_uint("gas for one more plan", each);
    // With another 2,100 for an owner whose epoch is cold: ten thousand in four calls of 40,000,000.
    assertLt((each + 2_100) * 2_500, 40_000_000);
  }
}

/// WB-13: borrowers and funders.
contract PermissionsLensGuardsTest is GuardBase {
  function test_FindsTheGuardsOfABorrowerAndOfAFunder() public {
    PermissionsLens lens = PermissionsLens(Product.create("PermissionsLens", ""));
    ILoanGuard.Terms memory terms = _terms();
    _register(terms);
    terms.borrower = terms.funder = stranger;
    _register(terms);
    (, uint256 key) = makeAddrAndKey("borrower");
    terms.funder = borrower;
    ILoanGuard.Consent memory consent =
      ILoanGuard.Consent({terms: terms, nonce: 1, deadline: block.timestamp, borrowerEpoch: 0, funderEpoch: 0});
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, guard.digestOf(consent));
    vm.prank(stranger);
    guard.registerFunded(consent, abi.encodePacked(r, s, v));

    assertEq(_found(lens, borrower), hex"0103");
    assertEq(_found(lens, stranger), hex"0203");
    assertEq(_found(lens, address(lending)), "");
  }

  function _found(PermissionsLens lens, address account) private view returns (bytes memory numbers) {
    (uint256[] memory ids, uint256 next) = lens.guardsOf(guard, account, 1, 4);
    assertEq(next, 4);
    for (uint256 i; i < ids.length; ++i) {
      numbers = abi.encodePacked(numbers, uint8(ids[i]));
    }
  }
}
