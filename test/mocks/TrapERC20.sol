// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Replaces a token of the local BNB Chain, keeps its balances, and treats its holders as malicious tokens do. Like old
/// tokens, it returns nothing on transfers and approvals.
contract TrapERC20 {
  enum Trap {
    None,
    /// The receiver gets 1 % less.
    Tax,
    /// The sender pays 1 % more.
    SenderFee,
    /// Nobody may send to the pool.
    NotSold,
    /// The pool may not send.
    NotBought,
    Paused,
    GasBurner,
    BalanceRefused
  }

  uint8 public constant decimals = 18;
  /// Binance Oracle's feeds have names, by the token's symbol.
  string public constant symbol = "BTCB";
  Trap private immutable TRAP;
  address private immutable POOL;

  /// Name, symbol, decimals and supply of the replaced token.
  uint256[4] private _before;
  mapping(address owner => mapping(address spender => uint256)) private _allowance;
  mapping(address account => uint256) private _balanceOf;

  constructor(Trap trap, address pool) {
    (TRAP, POOL) = (trap, pool);
  }

  function balanceOf(address account) external view returns (uint256) {
    require(TRAP != Trap.BalanceRefused);
    return _balanceOf[account];
  }

  function approve(address spender, uint256 amount) external {
    require(amount == 0 || _allowance[msg.sender][spender] == 0, "allowance not reset");
    _allowance[msg.sender][spender] = amount;
  }

  function transfer(address to, uint256 amount) external {
    _move(msg.sender, to, amount);
  }

  function transferFrom(address from, address to, uint256 amount) external {
    _allowance[from][msg.sender] -= amount;
    _move(from, to, amount);
  }

  function _move(address from, address to, uint256 amount) private {
    require(TRAP != Trap.Paused && (TRAP != Trap.NotSold || to != POOL) && (TRAP != Trap.NotBought || from != POOL));
    if (TRAP == Trap.GasBurner) while (true) {}
    _balanceOf[from] -= amount + (TRAP == Trap.SenderFee ? amount / 100 : 0);
    _balanceOf[to] += amount - (TRAP == Trap.Tax ? amount / 100 : 0);
  }
}
