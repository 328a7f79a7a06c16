// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Stand-in for a tokenised share, for local chains only
/// @notice Represents shares of a company that does not exist. The issuer sets how many shares a token represents, and
/// can halt transfers. Like the other tokens of the local chain, it gives tokens to anyone who asks.
contract StandInShare {
  string public constant name = "Acme share (stand-in)";
  string public constant symbol = "ACMEX";
  uint8 public constant decimals = 18;

  address public immutable ISSUER;

  uint256 public totalSupply;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  /// @notice Shares that one token represents, with 18 decimals, now and before the last change.
  uint256 private multiplierWad = 1e18;
  uint256 private multiplierBeforeWad = 1e18;
  /// @notice Unix seconds; 0 for never.
  uint256 private multiplierChangedAt;
  bool private isHalted;

  event Transfer(address indexed from, address indexed to, uint256 amount);
  event Approval(address indexed owner, address indexed spender, uint256 amount);
  event MultiplierChanged(uint256 wad, uint256 beforeWad);
  event HaltChanged(bool isHalted);

  error NotIssuer(address caller);
  error TradingHalted();
  error MultiplierZero();
  error MultiplierUnchanged(uint256 wad);
  error BalanceTooLow(address owner, uint256 balance, uint256 amount);
  error AllowanceTooLow(address spender, uint256 allowance, uint256 amount);

  modifier onlyIssuer() {
    if (msg.sender != ISSUER) revert NotIssuer(msg.sender);
    _;
  }

  constructor(address issuer) {
    ISSUER = issuer;
  }

  /// @return wad Shares that one token represents.
  /// @return beforeWad The value before the last change.
  /// @return changedAt Unix seconds of the last change; 0 for never.
  /// @return halted Whether transfers are refused.
  function multiplier() external view returns (uint256 wad, uint256 beforeWad, uint256 changedAt, bool halted) {
    return (multiplierWad, multiplierBeforeWad, multiplierChangedAt, isHalted);
  }

  function setMultiplier(uint256 wad) external onlyIssuer {
    if (wad == 0) revert MultiplierZero();
    if (wad == multiplierWad) revert MultiplierUnchanged(wad);
    (multiplierWad, multiplierBeforeWad, multiplierChangedAt) = (wad, multiplierWad, block.timestamp);
    emit MultiplierChanged(wad, multiplierBeforeWad);
  }

  /// @notice Undoes the last change as if it had never happened. Scenes call this at their end; a real issuer could
  /// not.
  function takeBackMultiplier() external onlyIssuer {
    (multiplierWad, multiplierChangedAt) = (multiplierBeforeWad, 0);
    emit MultiplierChanged(multiplierWad, multiplierBeforeWad);
  }

  function setHalted(bool halted) external onlyIssuer {
    isHalted = halted;
    emit HaltChanged(halted);
  }

  function allocateTo(address to, uint256 amount) external {
    totalSupply += amount;
    balanceOf[to] += amount;
    emit Transfer(address(0), to, amount);
  }

  function approve(address spender, uint256 amount) external returns (bool) {
    allowance[msg.sender][spender] = amount;
    emit Approval(msg.sender, spender, amount);
    return true;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    move(msg.sender, to, amount);
    return true;
  }

  function transferFrom(address from, address to, uint256 amount) external returns (bool) {
    uint256 allowed = allowance[from][msg.sender];
    if (allowed < amount) revert AllowanceTooLow(msg.sender, allowed, amount);
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
    move(from, to, amount);
    return true;
  }

  function move(address from, address to, uint256 amount) private {
    if (isHalted) revert TradingHalted();
    uint256 balance = balanceOf[from];
    if (balance < amount) revert BalanceTooLow(from, balance, amount);
    balanceOf[from] = balance - amount;
    balanceOf[to] += amount;
    emit Transfer(from, to, amount);
  }
}
