// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "./MockERC20.sol";

/// Records the gas of its first pull, and later refuses a pull with less if required.
contract HungryERC20 is MockERC20("HUNGRY", 18) {
  uint256 public seen;
  uint256 private _demanded;

  function demand(uint256 gasWanted) external {
    _demanded = gasWanted;
  }

  function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
    uint256 given = gasleft();
    // The first write costs more than the second: an allowance for that, far below a 64th.
    if (_demanded == 0) seen = given - 5_000;
    else require(given >= _demanded, "hungry");
    return super.transferFrom(from, to, amount);
  }
}
