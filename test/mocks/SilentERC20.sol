// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Like Ethereum's USDT: functions return nothing, and an allowance must be reset to zero before a change.
contract SilentERC20 {
  uint256 public totalSupply;
  mapping(address account => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  function mint(address to, uint256 amount) external {
    totalSupply += amount;
    balanceOf[to] += amount;
  }

  function approve(address spender, uint256 amount) external {
    require(amount == 0 || allowance[msg.sender][spender] == 0, "allowance not reset");
    allowance[msg.sender][spender] = amount;
  }

  function transfer(address to, uint256 amount) external {
    _move(msg.sender, to, amount);
  }

  function transferFrom(address from, address to, uint256 amount) external {
    allowance[from][msg.sender] -= amount;
    _move(from, to, amount);
  }

  function _move(address from, address to, uint256 amount) private {
    balanceOf[from] -= amount;
    balanceOf[to] += amount;
  }
}
