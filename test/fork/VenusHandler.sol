// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {VenusMarket} from "../../contracts/lending/VenusMarket.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {Rules} from "../invariant/Rules.sol";

interface IVenusAccount {
  function borrow(uint256 amount) external returns (uint256);
  function redeemUnderlying(uint256 amount) external returns (uint256);
  function mintVAI(uint256 amount) external returns (uint256);
}

/// One borrower on real Venus with debts in USDT, BNB and VAI and a guard on each, prices that move, blocks that pass,
/// and a caller of rescues.
contract VenusHandler is Rules {
  struct Before {
    uint256 health;
    uint256 debt;
    uint256[3] balances;
  }

  LoanGuard public immutable guard;
  VenusMarket public immutable adapter;
  address public immutable borrower;
  uint256[3] public guards;
  address[3] public markets = [Bsc.V_USDT, Bsc.V_BNB, Bsc.VAI_CONTROLLER];
  address[3] public tokens;

  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  uint256 private constant WAD = 1e18;
  /// Tolerance of health: Venus' own rounding, and VAI's fractions.
  uint256 private constant NEAR = 1e11;
  uint256 private _btcWad;

  constructor(LoanGuard guard_, VenusMarket adapter_, address borrower_, uint256[3] memory guards_) {
    guard = guard_;
    adapter = adapter_;
    borrower = borrower_;
    guards = guards_;
    tokens = [Bsc.USDT, Bsc.WBNB, IVaiController(Bsc.VAI_CONTROLLER).getVAIAddress()];
    // Fixed from here on, because no feed updates in the hours that pass.
    _btcWad = ORACLE.getUnderlyingPrice(Bsc.V_BTC);
    _setPrice(Bsc.V_BTC, _btcWad);
    _setPrice(Bsc.V_USDT, ORACLE.getUnderlyingPrice(Bsc.V_USDT));
    _setPrice(Bsc.V_BNB, ORACLE.getUnderlyingPrice(Bsc.V_BNB));
  }

  function borrow(uint256 seed) external rolls(seed) {
    uint256 usd = _between(1e18, 8_000e18);
    uint256 which = _roll(3);
    vm.startPrank(borrower);
    if (which == 2) {
      try IVenusAccount(Bsc.VAI_CONTROLLER).mintVAI(usd) {} catch {}
    } else {
      address market = markets[which];
      try IVenusAccount(market).borrow(usd * WAD / ORACLE.getUnderlyingPrice(market)) {} catch {}
    }
    vm.stopPrank();
  }

  function withdraw(uint256 seed) external rolls(seed) {
    uint256 amount = _between(1, 0.01e18);
    vm.prank(borrower);
    try IVenusAccount(Bsc.V_BTC).redeemUnderlying(amount) {} catch {}
  }

  function move(uint256 seed) external rolls(seed) {
    _setPrice(Bsc.V_BTC, _btcWad * _between(30, 130) / 100);
  }

  /// Lowers the collateral's price until the next rescue is just due, or just not due.
  function endanger(uint256 seed) external rolls(seed) {
    uint256 now_ = _health();
    if (now_ == type(uint256).max) return;
    uint256 priceWad = ORACLE.getUnderlyingPrice(Bsc.V_BTC) * _between(0.97e18, 1.07e18) / now_;
    if (priceWad > _btcWad / 10 && priceWad < _btcWad * 10) _setPrice(Bsc.V_BTC, priceWad);
  }

  function pass(uint256 seed) external rolls(seed) {
    uint256 blocks = _between(1, 20_000);
    vm.roll(block.number + blocks);
    vm.warp(block.timestamp + blocks / 2 + 1);
  }

  function rescue(uint256 seed) external rolls(seed) {
    uint256 which = _roll(3);
    uint256 snapshot = vm.snapshotState();
    Before memory before = _before(which);
    assert(vm.revertToState(snapshot));
    try guard.rescue(guards[which]) returns (uint256 repaid) {
      _count("rescue", true);
      _judge(which, before, repaid);
    } catch {
      _count("rescue", false);
      for (uint256 i; i < 3; ++i) {
        _rule("LG-8: a refused rescue has moved money", before.balances[i] == IERC20(tokens[i]).balanceOf(borrower));
      }
    }
  }

  /// After accruing the interest that the rescue itself accrues.
  function _before(uint256 which) private returns (Before memory before) {
    try adapter.accrueAndRead(borrower, MarketAddress.toMarket(markets[which])) {} catch {}
    before.health = _health();
    before.debt = adapter.storedDebt(borrower, MarketAddress.toMarket(markets[which]));
    for (uint256 i; i < 3; ++i) {
      before.balances[i] = IERC20(tokens[i]).balanceOf(borrower);
    }
  }

  function _judge(uint256 which, Before memory before, uint256 repaid) private {
    ILoanGuard.Guard memory entry = guard.guard(guards[which]);
    ILoanGuard.Rescue memory done = guard.rescues(guards[which], entry.state.rescues - 1, entry.state.rescues)[0];
    for (uint256 i; i < 3; ++i) {
      uint256 fell = before.balances[i] - IERC20(tokens[i]).balanceOf(borrower);
      _rule("LG-8: other money than what was repaid", fell == (i == which ? repaid : 0));
    }
    uint256 paid = before.debt - adapter.storedDebt(borrower, MarketAddress.toMarket(markets[which]));
    uint256 off = which == 2 ? 1 + repaid / 1e9 : 0;
    _rule("LG-8: the debt has not fallen by it", paid + off >= repaid && paid <= repaid + off);
    _rule("LG-5: outside of minimum and cap", repaid >= entry.terms.minRepay && repaid <= entry.terms.capPerRescue);
    _rule("LG-5: not below its trigger", before.health < entry.terms.triggerHealthWad);
    uint256 health = _health();
    _rule("LG-5: health has fallen", health + NEAR >= before.health);
    _rule("LG-5: more than the target needs", health <= uint256(entry.terms.targetHealthWad) + NEAR);
    _rule(
      "LG-6: full, and not at its target",
      done.outcome != ILoanGuard.Outcome.Full || health + NEAR >= entry.terms.targetHealthWad
    );
    _rule("LG-10: another amount on record", done.repaid == repaid);
    _rule("LG-10: another health on record", done.healthBeforeWad == before.health / 1e9 * 1e9);
    _rule(
      "LG-10: another health on record",
      health == type(uint256).max || (done.healthAfterWad <= health + NEAR && health <= done.healthAfterWad + NEAR)
    );
  }

  /// Computed independently of the adapter: from the account's value, market by market.
  function _health() private view returns (uint256) {
    (, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(borrower);
    address[] memory entered = COMPTROLLER.getAssetsIn(borrower);
    uint256 debtUsd = IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(borrower);
    for (uint256 i; i < entered.length; ++i) {
      uint256 debt = IVToken(entered[i]).borrowBalanceStored(borrower);
      if (debt != 0) debtUsd += debt * ORACLE.getUnderlyingPrice(entered[i]) / WAD;
    }
    return debtUsd == 0 ? type(uint256).max : (debtUsd + liquidity - shortfall) * WAD / debtUsd;
  }

  function _setPrice(address vToken, uint256 priceWad) private {
    vm.mockCall(
      Bsc.RESILIENT_ORACLE, abi.encodeCall(IResilientOracle.getUnderlyingPrice, (vToken)), abi.encode(priceWad)
    );
  }
}
