// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralGuard} from "../../contracts/interfaces/ICollateralGuard.sol";
import {SavingsBase} from "../base/SavingsBase.sol";

/// As GuardGas.t.sol: the cost of CollateralGuard itself, for a deposit that needs no pool.
contract SavingsGasTest is SavingsBase {
  function test_register() public {
    ICollateralGuard.Terms memory terms = _savings();
    vm.prank(borrower);
    saver.register(terms);
    vm.snapshotGasLastCall("guard", "register, collateral");
  }

  function test_rescue() public {
    ICollateralGuard.Terms memory terms = _savings();
    vm.prank(borrower);
    uint256 id = saver.register(terms);
    _endanger();
    saver.rescue(id, terms.route);
    vm.snapshotGasLastCall("guard", "rescue out of savings, the lending protocol apart");
  }
}
