// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {CollateralGuard} from "../../../contracts/CollateralGuard.sol";
import {LoanGuard} from "../../../contracts/LoanGuard.sol";
import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {
  IPancakeV3Pool,
  IPancakeV3Slot0,
  IPancakeV3SwapCallback
} from "../../../contracts/interfaces/IPancakeV3Pool.sol";
import {IResilientOracle, IVToken, IVTokenDeposit, IVenusComptroller} from "../../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {PancakePools} from "../../../contracts/libraries/PancakePools.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {IVenusAll} from "../../base/CollateralForkBase.sol";
import {Rules} from "../../invariant/Rules.sol";

/// One borrower on real Venus with ETH and BTCB as collateral and USDT as debt, two guards that sell them over one and two
/// pools, one guard of LoanGuard's on the same loan, prices that lag, strangers who trade, and a caller of rescues.
contract CollateralHandler is Rules, IPancakeV3SwapCallback {
  struct Before {
    uint256 health;
    uint256 debt;
    uint256[2] deposits;
    ICollateralGuard.State state;
  }

  CollateralGuard public immutable guard;
  LoanGuard public immutable wallet;
  uint256 public immutable walletId;
  address public immutable borrower;
  uint256[2] public guards;
  address[2] public vTokens = [Bsc.V_ETH, Bsc.V_BTC];

  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  uint256 private constant WAD = 1e18;
  uint256[2] private _fairWad;
  /// Of the pools of ETH and of WBNB, at the market's price.
  uint160[2] private _fairRoot;

  constructor(
    CollateralGuard guard_,
    LoanGuard wallet_,
    uint256 walletId_,
    address borrower_,
    uint256[2] memory guards_
  ) {
    (guard, wallet, walletId, borrower, guards) = (guard_, wallet_, walletId_, borrower_, guards_);
    for (uint256 i; i < 2; ++i) {
      _fairWad[i] = ORACLE.getUnderlyingPrice(vTokens[i]);
      _setPrice(vTokens[i], _fairWad[i]);
    }
    address[2] memory tokens = [Bsc.ETH, Bsc.WBNB];
    for (uint256 i; i < 2; ++i) {
      address pool = PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, tokens[i], Bsc.USDT, 500);
      _fairRoot[i] = IPancakeV3Slot0(pool).slot0();
    }
    _setPrice(Bsc.V_USDT, ORACLE.getUnderlyingPrice(Bsc.V_USDT));
    _setSource();
    _expect("rescue");
    _expect("rescue by the wallet's guard");
  }

  /// To a health on either side of the triggers, if Venus lends that much.
  function borrow(uint256 seed) external rolls(seed) {
    uint256 health = _health();
    uint256 wanted = _between(1.001e18, 1.2e18);
    if (health <= wanted) return;
    (, uint256 liquidity,) = COMPTROLLER.getAccountLiquidity(borrower);
    uint256 debt = IVToken(Bsc.V_USDT).borrowBalanceStored(borrower);
    uint256 amount = (liquidity + debt) * WAD / wanted;
    if (amount <= debt) return;
    vm.startPrank(borrower);
    try IVenusAll(Bsc.V_USDT).borrow(amount - debt) {} catch {}
    IERC20(Bsc.USDT).transfer(address(1), IERC20(Bsc.USDT).balanceOf(borrower));
    vm.stopPrank();
  }

  /// Venus's price of a collateral leaves the pools' by up to 1.5 %; the source follows it or stays.
  function lag(uint256 seed) external rolls(seed) {
    uint256 i = _roll(2);
    _setPrice(vTokens[i], _fairWad[i] * _between(990, 1_010) / 1_000);
    if (_oneIn(2)) _setSource();
  }

  /// A stranger trades at a pool of a route, in either direction, or brings it back to the market.
  function trade(uint256 seed) external rolls(seed) {
    uint256 i = _roll(2);
    address token = i == 0 ? Bsc.ETH : Bsc.WBNB;
    IPancakeV3Pool pool = IPancakeV3Pool(PancakePools.poolOf(Bsc.PANCAKE_POOL_DEPLOYER, token, Bsc.USDT, 500));
    uint256 root = IPancakeV3Slot0(address(pool)).slot0();
    bool zeroForOne = _oneIn(2);
    uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
    uint256 amount = _between(1e15, i == 0 ? 40e18 : 100e18);
    if (!_oneIn(3)) {
      (zeroForOne, limit, amount) = (root > _fairRoot[i], _fairRoot[i], 1e24);
      if (root == limit) return;
    }
    bool takesToken = zeroForOne == (token < Bsc.USDT);
    // Exactly so many tokens in, or so many out.
    int256 specified = takesToken ? int256(amount) : -int256(amount);
    pool.swap(address(this), zeroForOne, specified, limit, abi.encode(takesToken ? token : Bsc.USDT));
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external {
    IERC20(abi.decode(data, (address))).transfer(msg.sender, uint256(amount0Delta > 0 ? amount0Delta : amount1Delta));
  }

  function pass(uint256 seed) external rolls(seed) {
    uint256 blocks = _between(1, 20_000);
    vm.roll(block.number + blocks);
    vm.warp(block.timestamp + blocks / 2 + 1);
  }

  /// The allowance of one collateral, small or large.
  function allow(uint256 seed) external rolls(seed) {
    uint256 i = _roll(2);
    uint256 deposit = IVTokenDeposit(vTokens[i]).balanceOf(borrower);
    vm.prank(borrower);
    IERC20(vTokens[i]).approve(address(guard), _oneIn(4) ? _between(0, deposit / 4) : type(uint256).max);
  }

  /// More collateral, so that a sequence does not run out of it.
  function supply(uint256 seed) external rolls(seed) {
    uint256 i = _roll(2);
    address token = i == 0 ? Bsc.ETH : Bsc.BTCB;
    uint256 amount = i == 0 ? _between(1e17, 4e18) : _between(1e16, 2e17);
    IERC20(token).transfer(borrower, amount);
    vm.startPrank(borrower);
    IERC20(token).approve(vTokens[i], amount);
    IVenusAll(vTokens[i]).mint(amount);
    vm.stopPrank();
  }

  /// LoanGuard's guard on the same loan, out of a little money that comes for it.
  function rescueByTheWallet(uint256 seed) external rolls(seed) {
    uint256 amount = _between(1e18, 500e18);
    IERC20(Bsc.USDT).transfer(borrower, amount);
    uint256[2] memory deposits = _deposits();
    bool isDone;
    try wallet.rescue(walletId) {
      isDone = true;
    } catch {}
    _count("rescue by the wallet's guard", isDone);
    _rule(
      "CG-9: a wallet's guard has sold collateral",
      keccak256(abi.encode(deposits)) == keccak256(abi.encode(_deposits()))
    );
    vm.startPrank(borrower);
    IERC20(Bsc.USDT).transfer(address(1), IERC20(Bsc.USDT).balanceOf(borrower));
    vm.stopPrank();
  }

  function rescue(uint256 seed) external rolls(seed) {
    uint256 which = _roll(2);
    ICollateralGuard.Route memory none;
    _accrue();
    Before memory before = Before(_health(), _debt(), _deposits(), guard.guard(guards[which]).state);
    try guard.rescue(guards[which], none) returns (uint256 repaid) {
      _count("rescue", true);
      _judge(which, before, repaid);
    } catch {
      // What is due and can be sold whole at fair prices is tested by itself; here every refusal is free.
      if (before.health < 1.1e18 && _isCool(guards[which], before.state)) _count("rescue", false);
      _rule("CG-9: a refused rescue has moved something", _debt() == before.debt);
    }
  }

  function _judge(uint256 which, Before memory before, uint256 repaid) private {
    ICollateralGuard.Guard memory entry = guard.guard(guards[which]);
    ICollateralGuard.Rescue memory done =
      guard.rescues(guards[which], before.state.rescues, before.state.rescues + 1)[0];
    uint256[2] memory deposits = _deposits();
    _rule("CG-9: another collateral", deposits[1 - which] == before.deposits[1 - which]);
    _rule("CG-9: other receipts than on record", before.deposits[which] - deposits[which] == done.receipts);
    _rule("CG-9: the debt has not fallen by it", before.debt - _debt() == repaid);
    _judgeCost(which, entry, done, repaid);

    ILoanGuard.Rescue memory repayment = done.repayment;
    _rule("CG-11: another amount on record", repayment.repaid == repaid && repayment.time == block.timestamp);
    uint256 most = entry.terms.capPerRescue;
    _rule("CG-11: outside of minimum and cap", repaid >= entry.terms.minRepay && repaid <= most);
    _rule("CG-11: above the day's cap", entry.state.takenInDay <= entry.terms.capPerDay);
    uint256 health = _health();
    _rule("CG-11: health has not risen", health > before.health);
    bool isFull = repayment.outcome == ILoanGuard.Outcome.Full;
    _rule("CG-11: full, and not at its target", isFull == (health >= entry.terms.targetHealthWad));
    _rule("CG-11: another health on record", repayment.healthBeforeWad == before.health / 1e9 * 1e9);
    bool isEndangered = before.health < entry.terms.triggerHealthWad;
    _rule("CG-11: not below its trigger", isEndangered || (entry.terms.priceSource != address(0)));
    bool isCool = _isCool(guards[which], before.state);
    _rule("CG-11: within the cooldown", isCool || (before.state.isBySource && isEndangered));
  }

  function _isCool(uint256 id, ICollateralGuard.State memory state) private view returns (bool) {
    uint256 since = state.coolingSince;
    return since == 0 || block.timestamp >= since + guard.guard(id).terms.cooldownSeconds;
  }

  /// CG-9: by Venus's prices and by the source's.
  function _judgeCost(
    uint256 which,
    ICollateralGuard.Guard memory entry,
    ICollateralGuard.Rescue memory done,
    uint256 repaid
  ) private {
    uint256 taken =
      done.receipts * IVTokenDeposit(vTokens[which]).exchangeRateStored() / WAD;
    uint256 bound = 10_000 + entry.terms.maxCostBps;
    uint256 repaidUsd = repaid * ORACLE.getUnderlyingPrice(Bsc.V_USDT) / WAD;
    uint256 takenUsd = taken * ORACLE.getUnderlyingPrice(vTokens[which]) / WAD;
    _rule("CG-9: dearer than signed", takenUsd * 10_000 <= repaidUsd * bound + 1e10);
    uint256 bySource = taken * _sourceWad[which] / WAD;
    _rule("CG-9: dearer than signed, by the source", bySource * 10_000 <= repaid * _sourceUsdtWad / WAD * bound + 1e10);
  }

  function _accrue() private {
    for (uint256 i; i < 2; ++i) {
      IVTokenDeposit(vTokens[i]).accrueInterest();
    }
    IVTokenDeposit(Bsc.V_USDT).accrueInterest();
  }

  function _deposits() private view returns (uint256[2] memory deposits) {
    for (uint256 i; i < 2; ++i) {
      deposits[i] = IVTokenDeposit(vTokens[i]).balanceOf(borrower);
    }
  }

  function _debt() private view returns (uint256) {
    return IVToken(Bsc.V_USDT).borrowBalanceStored(borrower);
  }

  /// By the comptroller, without the adapter.
  function _health() private view returns (uint256) {
    (, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(borrower);
    uint256 debtUsd = _debt() * ORACLE.getUnderlyingPrice(Bsc.V_USDT) / WAD;
    return debtUsd == 0 ? type(uint128).max : (debtUsd + liquidity - shortfall) * WAD / debtUsd;
  }

  uint256[2] private _sourceWad;
  uint256 private _sourceUsdtWad;

  /// The source takes Venus's prices, and keeps them until it does so again.
  function _setSource() private {
    _sourceUsdtWad = ORACLE.getUnderlyingPrice(Bsc.V_USDT);
    address source = guard.guard(guards[0]).terms.priceSource;
    address[2] memory tokens = [Bsc.ETH, Bsc.BTCB];
    for (uint256 i; i < 2; ++i) {
      _sourceWad[i] = ORACLE.getUnderlyingPrice(vTokens[i]);
      _mockSource(source, tokens[i], tokens[i], _sourceWad[i], _sourceWad[i]);
      _mockSource(source, tokens[i], Bsc.USDT, _sourceWad[i], _sourceUsdtWad);
    }
  }

  function _mockSource(address source, address tokenIn, address tokenOut, uint256 inWad, uint256 outWad) private {
    vm.mockCall(
      source, abi.encodeWithSignature("prices(address,address)", tokenIn, tokenOut), abi.encode(inWad, outWad)
    );
  }

  function _setPrice(address vToken, uint256 priceWad) private {
    vm.mockCall(
      Bsc.RESILIENT_ORACLE, abi.encodeCall(IResilientOracle.getUnderlyingPrice, (vToken)), abi.encode(priceWad)
    );
  }
}
