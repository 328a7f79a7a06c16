// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "../MockERC20.sol";

/// A token that keeps a fee of each transfer, out of what the receiver gets or on top of what the sender gives.
contract FeeToken is MockERC20 {
  uint256 public receiverFee;
  uint256 public senderFee;

  constructor() MockERC20("FEE", 18) {}

  function setFees(uint256 receiverFee_, uint256 senderFee_) external {
    receiverFee = receiverFee_;
    senderFee = senderFee_;
  }

  function _update(address from, address to, uint256 amount) internal override {
    super._update(from, to, amount);
    if (from == address(0) || to == address(0)) return;
    if (receiverFee != 0) super._update(to, address(0), receiverFee);
    if (senderFee != 0) super._update(from, address(0), senderFee);
  }
}
