// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IVaiController} from "../../../contracts/interfaces/IVenus.sol";

/// VAI owed, as set.
contract MockVaiController is IVaiController {
  mapping(address account => uint256) public getVAIRepayAmount;

  function set(address account, uint256 owed) external {
    getVAIRepayAmount[account] = owed;
  }
}
