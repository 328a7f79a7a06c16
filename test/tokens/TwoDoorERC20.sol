// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MockERC20} from "../mocks/MockERC20.sol";

/// A token with a second address that shares its balances and allowances.
contract TwoDoorERC20 is MockERC20 {
  SecondDoor public immutable second = new SecondDoor(this);

  error NotSecond(address caller);

  constructor() MockERC20("TWO", 18) {}

  modifier onlySecond() {
    if (msg.sender != address(second)) revert NotSecond(msg.sender);
    _;
  }

  function approveFor(address owner, address spender, uint256 amount) external onlySecond {
    _approve(owner, spender, amount);
  }

  function moveFor(address spender, address from, address to, uint256 amount) external onlySecond {
    if (spender != from) _spendAllowance(from, spender, amount);
    _transfer(from, to, amount);
  }
}

contract SecondDoor {
  TwoDoorERC20 private immutable FIRST;

  constructor(TwoDoorERC20 first) {
    FIRST = first;
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    FIRST.approveFor(msg.sender, spender, amount);
    return true;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    FIRST.moveFor(msg.sender, msg.sender, to, amount);
    return true;
  }

  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    FIRST.moveFor(msg.sender, from, to, amount);
    return true;
  }

  function mint(address to, uint256 amount) external {
    FIRST.mint(to, amount);
  }

  function balanceOf(address account) external view returns (uint256) {
    return FIRST.balanceOf(account);
  }

  function allowance(address owner, address spender) external view returns (uint256) {
    return FIRST.allowance(owner, spender);
  }

  function totalSupply() external view returns (uint256) {
    return FIRST.totalSupply();
  }
}
