// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A token of the old kind: transfers and approvals return nothing, and an allowance can only be set from or to zero.
contract QuietToken {
  error AllowanceInUse();
  error TooLittle();

  mapping(address account => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  function mint(address to, uint256 amount) external {
    balanceOf[to] += amount;
  }

  function approve(address spender, uint256 amount) external {
    if (amount != 0 && allowance[msg.sender][spender] != 0) revert AllowanceInUse();
    allowance[msg.sender][spender] = amount;
  }

  function transfer(address to, uint256 amount) external {
    _move(msg.sender, to, amount);
  }

  function transferFrom(address from, address to, uint256 amount) external {
    if (allowance[from][msg.sender] < amount) revert TooLittle();
    allowance[from][msg.sender] -= amount;
    _move(from, to, amount);
  }

  function _move(address from, address to, uint256 amount) private {
    if (balanceOf[from] < amount) revert TooLittle();
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
  }
}
