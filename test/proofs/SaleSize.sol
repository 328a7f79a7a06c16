// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SaleSize} from "../../contracts/libraries/SaleSize.sol";
import {hint} from "./hint.sol";

// As in Repayment.sol. A loss fits 64 bits, as the targets do.

contract PF38 {
  function theLossIsRoundedUpByLessThanOne(uint64 weight, uint16 bps) external pure {
    uint256 loss = SaleSize.lossUp(weight, bps);
    assert(loss * 10_000 >= uint256(weight) * (10_000 + uint256(bps)));
    assert(loss * 10_000 < uint256(weight) * (10_000 + uint256(bps)) + 10_000);
  }
}

contract PF39 {
  function nothingIsSoldAtTheTarget(uint128 debt, uint128 weighted, uint64 target, uint64 loss) external pure {
    require(loss < target && uint256(weighted) * 1e18 >= uint256(target) * debt);
    assert(SaleSize.valueUp(debt, weighted, target, loss) == 0);
  }
}

contract PF40 {
  /// W·1e18 − loss·x ≥ T·(D − x), with the products of x on one side: what is left of the collateral holds the target.
  function aWholeSaleReachesTheTarget(uint128 debt, uint128 weighted, uint64 target, uint64 loss) external pure {
    require(loss < target && uint256(target) * debt > uint256(weighted) * 1e18);
    uint256 value = SaleSize.valueUp(debt, weighted, target, loss);
    assert(value * (target - loss) >= uint256(target) * debt - uint256(weighted) * 1e18);
  }
}

contract PF41 {
  function twoLessDoNotReachIt(uint128 debt, uint128 weighted, uint64 target, uint64 loss) external pure {
    require(loss < target && uint256(target) * debt > uint256(weighted) * 1e18);
    uint256 value = SaleSize.valueUp(debt, weighted, target, loss);
    assert(value >= 2);
    assert((value - 2) * (target - loss) < uint256(target) * debt - uint256(weighted) * 1e18);
  }
}

contract PF42 {
  function theUnitsAreWorthTheValue(uint128 value, uint128 price) external pure {
    require(price > 0);
    assert(SaleSize.unitsUp(value, price) * price >= uint256(value) * 1e18);
  }
}

contract PF43 {
  function oneUnitLessIsWorthLess(uint128 value, uint128 price) external pure {
    require(price > 0 && value > 0);
    assert((SaleSize.unitsUp(value, price) - 1) * price < uint256(value) * 1e18);
  }
}
