// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {Revocations} from "../../../contracts/Revocations.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";

contract PlanRegistryConstructorTest is PlanBase {
  /// PR-4
  function test_KnowsItsSourcesAndGuard() public view {
    assertTrue(registry.isPriceSource(address(source)));
    assertFalse(registry.isPriceSource(address(executor)));
    assertFalse(registry.isPriceSource(address(0)));
    assertEq(registry.priceSources(0), address(source));
    assertEq(registry.loanGuard(), loanGuard);
    assertEq(registry.planCount(), 0);
  }

  /// PR-4, PR-36: a registry without sources still accepts plans with a limit price, which it cannot judge.
  function test_NeedsNoSource() public {
    PlanRegistry bare = Product.planRegistry(revocations, loanGuard, new address[](0));
    IPlanRegistry.Terms memory terms = _terms();
    (terms.priceSource, terms.maxSlippageBps, terms.limitPriceWad) = (address(0), 0, 1);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.LimitUnchecked.selector, usd, coin));
    vm.prank(owner);
    bare.create(terms);
    terms.farLimit = true;
    vm.prank(owner);
    assertEq(bare.create(terms), 1);
  }

  /// RV-1
  function test_RevertWhen_TheRevocationsHaveNoCode() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.RevocationsRefused.selector, stranger));
    Product.planRegistry(Revocations(stranger), loanGuard, new address[](0));
  }

  /// PR-2: the LoanGuard, to which no plan may deliver, must be a contract.
  function test_RevertWhen_TheGuardHasNoCode() public {
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.LoanGuardRefused.selector, stranger));
    Product.planRegistry(revocations, stranger, new address[](0));
  }

  /// PR-4
  function test_RevertWhen_SourceHasNoCode() public {
    address[] memory sources = new address[](2);
    (sources[0], sources[1]) = (address(source), stranger);
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.PriceSourceRefused.selector, stranger));
    Product.planRegistry(revocations, loanGuard, sources);
  }

  /// PR-22: these are all the entry points. Seven of them write, and the tests beside this one bind each to an owner or
  /// an executor.
  function test_HasTheseEntriesAndNoOther() public view {
    string[25] memory expected = [
      "MAX_DEFERRALS_PER_SLOT()",
      "MAX_TICKET_SECONDS()",
      "cancel(uint256)",
      "cancelNonce(uint256)",
      "create((address,address,address,address,address,address,uint104,uint40,uint32,uint32,uint32,uint40,address,uint128,uint16,bool,uint128))",
      "createBySignature((address,(address,address,address,address,address,address,uint104,uint40,uint32,uint32,uint32,uint40,address,uint128,uint16,bool,uint128)[],uint256,uint256,uint64),bytes)",
      "digestOf((address,(address,address,address,address,address,address,uint104,uint40,uint32,uint32,uint32,uint40,address,uint128,uint16,bool,uint128)[],uint256,uint256,uint64))",
      "digestOf((address,address,uint8,uint256,uint256,uint64,uint64,bytes32))",
      "edit(uint256,uint256,uint256,(address,address,address,address,address,address,uint104,uint40,uint32,uint32,uint32,uint40,address,uint128,uint16,bool,uint128))",
      "eip712Domain()",
      "isNonceUsedUp(address,uint256)",
      "isPriceSource(address)",
      "loanGuard()",
      "pause(uint256)",
      "payTo(address)",
      "plan(uint256)",
      "planCount()",
      "priceSources(uint256)",
      "pullFunds(uint256,uint256,(address,address,uint8,uint256,uint256,uint64,uint64,bytes32),bytes,bytes)",
      "recordDeferral(uint256,uint256,uint16,(address,address,uint8,uint256,uint256,uint64,uint64,bytes32),bytes)",
      "recordRun(uint256)",
      "resume(uint256,uint256,uint256)",
      "revocations()",
      "runs(uint256,uint256,uint256)",
      "termsOf(uint256,uint256)"
    ];
    string[] memory entries =
      vm.parseJsonKeys(vm.readFile("out/PlanRegistry.sol/PlanRegistry.json"), ".methodIdentifiers");
    assertEq(entries.length, expected.length);
    for (uint256 i; i < expected.length; ++i) {
      assertEq(entries[i], expected[i]);
    }
  }

  /// PR-22: code without delegatecall cannot be replaced, and code without selfdestruct stays.
  function test_CannotBeUpgraded() public view {
    bytes memory code = address(registry).code;
    for (uint256 i; i < code.length; ++i) {
      uint8 op = uint8(code[i]);
      assertTrue(op != 0xf2 && op != 0xf4 && op != 0xff, "CALLCODE, DELEGATECALL or SELFDESTRUCT");
      if (op >= 0x60 && op <= 0x7f) i += op - 0x5f; // A PUSH is followed by its operand.
    }
  }
}
