// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Test} from "forge-std/Test.sol";

import {IAggregatorV3} from "../../contracts/interfaces/IAggregatorV3.sol";
import {ILoanGuard} from "../../contracts/interfaces/ILoanGuard.sol";
import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {Bsc} from "../../script/Bsc.sol";
import {Contracts} from "../../script/Contracts.sol";
import {GuardTerms} from "../base/GuardTerms.sol";
import {IVenusUser} from "./RescueVenus.t.sol";

/// Holds the keeper's key of a borrower's guards on debts in USDT, BNB and VAI. Before it rescues, it gives tokens and coins
/// to markets and contracts, repays some of the debt, and chooses time, guard and order. Prices of Venus fall as they like,
/// and Chainlink's sometimes before them: the thief cannot move them.
contract RescueThief is Test {
  struct Sums {
    uint256 debt;
    uint256 weighted;
    /// USD of the borrower's tokens that guards may take.
    uint256 held;
    int256 thiefs;
  }

  IVenusComptroller private constant COMPTROLLER = IVenusComptroller(Bsc.COMPTROLLER);
  IResilientOracle private constant ORACLE = IResilientOracle(Bsc.RESILIENT_ORACLE);
  uint256 private constant WAD = 1e18;
  uint256 private constant UNIT = 1e6;
  uint256 private constant CAPITAL = 1e27;
  uint64 private constant TARGET = 1.25e18;
  /// Of a repayment: what VAI's fractions and the comptroller's rounding may cost (LG-8).
  uint256 private constant DUST = 1e12;

  Contracts private bowline;
  address private immutable borrower = makeAddr("victim with a loan");
  address[3] private markets = [Bsc.V_USDT, Bsc.V_BNB, Bsc.VAI_CONTROLLER];
  address[3] private tokens;
  uint256[3] private guards;
  uint256[3] private priceWad;
  uint256 private btcWad;

  uint256 public tries;
  uint256 public rescues;
  /// Of the first guard, which alone watches a price source.
  uint256 public bySource;
  /// Hundredths of a basis point of what was repaid.
  uint256 public maxExcess;
  uint256 public maxFee;
  /// USD with 18 decimals.
  int256 public maxGain = type(int256).min;

  constructor(Contracts memory bowline_) {
    bowline = bowline_;
    tokens = [Bsc.USDT, Bsc.WBNB, IVaiController(Bsc.VAI_CONTROLLER).getVAIAddress()];
    btcWad = ORACLE.getUnderlyingPrice(Bsc.V_BTC);
    priceWad = [ORACLE.getUnderlyingPrice(Bsc.V_USDT), ORACLE.getUnderlyingPrice(Bsc.V_BNB), WAD];
    _setPrice(Bsc.V_BTC, btcWad);
    _setPrice(Bsc.V_USDT, priceWad[0]);
    _setPrice(Bsc.V_BNB, priceWad[1]);
    deal(Bsc.BTCB, address(this), CAPITAL);
    deal(Bsc.BTCB, borrower, 1e18);
    vm.startPrank(borrower);
    IERC20(Bsc.BTCB).approve(Bsc.V_BTC, 1e18);
    assertEq(IVenusUser(Bsc.V_BTC).mint(1e18), 0);
    address[] memory entered = new address[](1);
    entered[0] = Bsc.V_BTC;
    IVenusUser(Bsc.COMPTROLLER).enterMarkets(entered);
    vm.stopPrank();
    for (uint256 i; i < 3; ++i) {
      deal(tokens[i], address(this), CAPITAL);
      deal(tokens[i], borrower, CAPITAL);
      guards[i] = _guard(i);
    }
  }

  /// One rescue, or a list in any order.
  function attack(uint256 seed) external {
    vm.roll(block.number + 1 + _roll(seed, 1) % 2_000);
    _borrow(seed);
    _disturb(seed);
    for (uint256 i; i < 3; ++i) {
      bowline.venusMarket.accrueAndRead(borrower, MarketAddress.toMarket(markets[i]));
    }
    _fall(seed);
    _sourceFalls(seed);
    Sums memory before = _sums();
    uint256 rescuesBefore = bowline.loanGuard.guard(guards[0]).state.rescues;
    uint256 done;
    uint256 first = _roll(seed, 2) % 3;
    if (_roll(seed, 3) % 2 == 0) {
      ++tries;
      try bowline.loanGuard.rescue(guards[first]) {
        done = 1;
      } catch {}
    } else {
      done = _list(first);
    }
    rescues += done;
    ILoanGuard.State memory state = bowline.loanGuard.guard(guards[0]).state;
    if (state.rescues > rescuesBefore && state.isBySource) ++bySource;
    if (done != 0) _judge(before, _sums());
  }

  function _list(uint256 first) private returns (uint256 done) {
    uint256[] memory ids = new uint256[](3);
    for (uint256 i; i < 3; ++i) {
      ids[i] = guards[(first + i) % 3];
    }
    ILoanGuard.Result[] memory results = bowline.loanGuard.rescueMany(ids, 0);
    for (uint256 i; i < 3; ++i) {
      if (results[i].isRescued) ++done;
    }
    // The guards share a loan, and the first that reaches the target leaves nothing to do.
    tries += Math.max(done, 1);
  }

  function _judge(Sums memory before, Sums memory later) private {
    uint256 paid = before.held - later.held;
    uint256 repaid = before.debt - later.debt;
    maxFee = Math.max(maxFee, Math.saturatingSub(paid, repaid + DUST + paid / 1e9) * UNIT / paid);
    uint256 debtAtTarget = before.weighted * WAD / TARGET;
    maxExcess = Math.max(maxExcess, Math.saturatingSub(debtAtTarget, later.debt + DUST) * UNIT / paid);
    int256 gain = later.thiefs - before.thiefs;
    if (gain > maxGain) maxGain = gain;
  }

  function _borrow(uint256 seed) private {
    _setPrice(Bsc.V_BTC, btcWad);
    uint256 i = _roll(seed, 10) % 3;
    uint256 usd = 100e18 + _roll(seed, 11) % 8_000e18;
    vm.startPrank(borrower);
    if (i == 2) {
      try IVenusUser(Bsc.VAI_CONTROLLER).mintVAI(usd) {} catch {}
    } else {
      try IVenusUser(markets[i]).borrow(usd * WAD / priceWad[i]) {} catch {}
    }
    vm.stopPrank();
  }

  /// The thief's gifts and repayments.
  function _disturb(uint256 seed) private {
    uint256 usd = 1e18 << (_roll(seed, 20) % 14);
    uint256 what = _roll(seed, 21) % 8;
    uint256 i = _roll(seed, 22) % 3;
    uint256 amount = usd * WAD / priceWad[i];
    if (what == 0) IERC20(Bsc.BTCB).transfer(Bsc.V_BTC, usd * WAD / btcWad);
    if (what == 1) vm.deal(Bsc.V_BNB, Bsc.V_BNB.balance + usd * WAD / priceWad[1]);
    if (what == 2) IERC20(tokens[i]).transfer(i == 1 ? Bsc.V_BNB : markets[i], amount);
    if (what == 3) IERC20(tokens[i]).transfer(address(bowline.venusMarket), amount);
    if (what == 4) IERC20(tokens[i]).transfer(address(bowline.loanGuard), amount);
    if (what != 5) return;
    uint256 part = Math.min(1_000e18, IVToken(Bsc.V_USDT).borrowBalanceStored(borrower) / 10);
    if (part == 0) return;
    IERC20(Bsc.USDT).approve(Bsc.V_USDT, part);
    assertEq(IVToken(Bsc.V_USDT).repayBorrowBehalf(borrower, part), 0);
  }

  /// Lowers the collateral's price to a health between 0.9 and 1.07; rescues are due below 1.05.
  function _fall(uint256 seed) private {
    Sums memory sums = _sums();
    if (sums.debt == 0) return;
    // In a quarter of the attacks the source alone falls, and Venus's prices stay between trigger and target.
    uint256 health = _roll(seed, 31) % 4 == 0 ? 1.06e18 + _roll(seed, 30) % 0.17e18 : 0.9e18 + _roll(seed, 30) % 0.17e18;
    _setPrice(Bsc.V_BTC, Math.mulDiv(btcWad, health * sums.debt / WAD, sums.weighted));
  }

  /// The standard feed of the collateral: 30 % below Venus's price, or equal to it.
  function _sourceFalls(uint256 seed) private {
    uint256 percent = _roll(seed, 31) % 4 == 0 ? 70 : 100;
    uint256 answer = ORACLE.getUnderlyingPrice(Bsc.V_BTC) / 1e10 * percent / 100;
    vm.mockCall(
      Bsc.BTC_FEED,
      abi.encodeCall(IAggregatorV3.latestRoundData, ()),
      abi.encode(uint80(1), int256(answer), block.timestamp, block.timestamp, uint80(1))
    );
  }

  /// By the comptroller, market by market, without the adapter.
  function _sums() private view returns (Sums memory sums) {
    (, uint256 liquidity, uint256 shortfall) = COMPTROLLER.getAccountLiquidity(borrower);
    sums.debt = IVaiController(Bsc.VAI_CONTROLLER).getVAIRepayAmount(borrower);
    for (uint256 i; i < 2; ++i) {
      sums.debt += IVToken(markets[i]).borrowBalanceStored(borrower) * priceWad[i] / WAD;
    }
    sums.weighted = sums.debt + liquidity - shortfall;
    for (uint256 i; i < 3; ++i) {
      sums.held += IERC20(tokens[i]).balanceOf(borrower) * priceWad[i] / WAD;
      sums.thiefs += int256(IERC20(tokens[i]).balanceOf(address(this)) * priceWad[i] / WAD);
    }
    sums.thiefs += int256(IERC20(Bsc.BTCB).balanceOf(address(this)) * btcWad / WAD);
  }

  function _guard(uint256 i) private returns (uint256 guardId) {
    uint256 cap = 30_000e36 / priceWad[i];
    ILoanGuard.Terms memory terms =
      GuardTerms.plain(borrower, address(bowline.venusMarket), MarketAddress.toMarket(markets[i]), cap);
    (terms.keeper, terms.targetHealthWad) = (address(this), TARGET);
    if (i == 0) terms.priceSource = address(bowline.chainlinkPriceSource);
    (terms.capPerDay, terms.minRepay, terms.expiresAt) = (type(uint128).max, 1e12, type(uint40).max);
    vm.startPrank(borrower);
    IERC20(tokens[i]).approve(address(bowline.loanGuard), type(uint256).max);
    guardId = bowline.loanGuard.register(terms);
    vm.stopPrank();
  }

  function _setPrice(address vToken, uint256 price) private {
    vm.mockCall(Bsc.RESILIENT_ORACLE, abi.encodeCall(IResilientOracle.getUnderlyingPrice, (vToken)), abi.encode(price));
  }

  function _roll(uint256 seed, uint256 what) private pure returns (uint256) {
    return uint256(keccak256(abi.encode(seed, what)));
  }
}
