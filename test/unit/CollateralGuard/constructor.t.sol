// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {Product} from "../../base/Product.sol";
import {SavingsBase} from "../../base/SavingsBase.sol";

contract CollateralGuardConstructorTest is SavingsBase {
  /// LG-11: Without them, no stop button would end its guards.
  function test_RevertWhen_RevocationsHasNoCode() public {
    bytes memory arguments = abi.encode(stranger, saver.rules());
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RevocationsRefused.selector, stranger));
    Product.create("CollateralGuard", arguments);
  }
}
