// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {GuardBase} from "../../base/GuardBase.sol";
import {Product} from "../../base/Product.sol";
import {MockLendingMarket} from "../../mocks/lending/MockLendingMarket.sol";

contract LoanGuardConstructorTest is GuardBase {
  /// LG-2
  function test_constructor_knowsItsAdaptersAndNoOther() public {
    address[] memory adapters = new address[](2);
    adapters[0] = address(lending);
    adapters[1] = address(new MockLendingMarket(token, market, till, WAD));
    LoanGuard built = Product.loanGuard(revocations, adapters, new address[](0));

    assertTrue(built.isAdapter(adapters[0]));
    assertTrue(built.isAdapter(adapters[1]));
    assertFalse(built.isAdapter(stranger));
    assertFalse(built.isAdapter(address(0)));
    assertEq(built.guardCount(), 0);
  }

  /// LG-2
  function test_constructor_knowsItsPriceSourcesAndNoOther() public {
    address[] memory sources = new address[](2);
    (sources[0], sources[1]) = (address(source), address(token));
    LoanGuard built = Product.loanGuard(revocations, new address[](0), sources);
    assertTrue(built.isPriceSource(sources[0]));
    assertTrue(built.isPriceSource(sources[1]));
    assertFalse(built.isPriceSource(stranger));
    assertFalse(built.isPriceSource(address(0)));

    sources[1] = stranger;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PriceSourceRefused.selector, stranger));
    Product.loanGuard(revocations, new address[](0), sources);
  }

  /// LG-2
  function test_constructor_refusesAnAdapterWithoutCode() public {
    address[] memory adapters = new address[](2);
    adapters[0] = address(lending);
    adapters[1] = stranger;
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AdapterRefused.selector, stranger));
    Product.loanGuard(revocations, adapters, new address[](0));
  }

  /// PR-22: the contract has exactly these entry points, so an admin's would have to be added here too.
  function test_constructor_leavesNoEntryForAnAdmin() public view {
    string memory artifact = vm.readFile("out/LoanGuard.sol/LoanGuard.json");
    string[] memory entries = vm.parseJsonKeys(artifact, ".methodIdentifiers");
    string[18] memory known = [
      "GAS_PER_RESCUE()",
      "cancel(uint256)",
      "cancelNonce(uint256)",
      "digestOf(((address,address,address,bytes32,address,address,uint64,uint64,uint128,uint128,uint128,uint32,uint40),uint256,uint256,uint64,uint64))",
      "eip712Domain()",
      "gasLimitOf(uint256,uint256)",
      "guard(uint256)",
      "guardCount()",
      "isAdapter(address)",
      "isNonceUsedUp(address,uint256)",
      "isPriceSource(address)",
      "register((address,address,address,bytes32,address,address,uint64,uint64,uint128,uint128,uint128,uint32,uint40))",
      "registerFunded(((address,address,address,bytes32,address,address,uint64,uint64,uint128,uint128,uint128,uint32,uint40),uint256,uint256,uint64,uint64),bytes)",
      "rescue(uint256)",
      "rescueFor(uint256,address)",
      "rescueMany(uint256[],uint256)",
      "rescues(uint256,uint256,uint256)",
      "revocations()"
    ];
    assertEq(entries.length, known.length);
    for (uint256 i; i < entries.length; ++i) {
      assertEq(entries[i], known[i]);
    }
  }

  /// PR-22: without delegatecall, callcode and selfdestruct, the code that a borrower read is the code that runs.
  function test_constructor_leavesNoWayToOtherCode() public view {
    bytes memory code = address(guard).code;
    for (uint256 i; i < code.length; ++i) {
      uint8 opcode = uint8(code[i]);
      assertTrue(opcode != 0xf4 && opcode != 0xf2 && opcode != 0xff, "an instruction that runs or ends by other code");
      // A PUSH is followed by its operand, not by an instruction.
      if (opcode >= 0x60 && opcode <= 0x7f) i += opcode - 0x5f;
    }
  }
}
