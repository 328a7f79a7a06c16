// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Repayment} from "../../contracts/libraries/Repayment.sol";
import {hint} from "./hint.sol";

// As in Slots.sol. Sums of values, debts and prices have 128 bits, targets 64. A market's debt is a part of all debt, but
// for PF35.

contract PF16 {
  function healthIsRoundedDown(uint128 weighted, uint128 debt) external pure {
    require(debt > 0);
    uint256 health = Repayment.healthDown(weighted, debt);
    assert(health == type(uint128).max || health * debt <= uint256(weighted) * 1e18);
  }
}

contract PF17 {
  function healthIsRoundedByLessThanOne(uint128 weighted, uint128 debt) external pure {
    require(debt > 0);
    uint256 health = Repayment.healthDown(weighted, debt);
    assert(health == type(uint128).max || (health + 1) * debt > uint256(weighted) * 1e18);
  }
}

contract PF18 {
  function healthFitsItsRecord(uint128 weighted, uint128 debt) external pure {
    assert(Repayment.healthDown(weighted, debt) <= type(uint128).max);
  }
}

contract PF19 {
  function withoutDebtHealthIsTheHighest(uint128 weighted) external pure {
    assert(Repayment.healthDown(weighted, 0) == type(uint128).max);
  }
}

contract PF20 {
  function withAShortfallHealthIsBelowOne(uint128 weighted, uint128 debt) external pure {
    require(weighted < debt);
    uint256 health = Repayment.healthDown(weighted, debt);
    if (health >= 1e18) hint((health - 1e18) * debt);
    assert(health < 1e18);
  }
}

contract PF21 {
  function withoutAShortfallHealthIsOneAtLeast(uint128 weighted, uint128 debt) external pure {
    require(weighted >= debt);
    uint256 health = Repayment.healthDown(weighted, debt);
    if (health < 1e18) hint((1e18 - health - 1) * debt);
    assert(health >= 1e18);
  }
}

contract PF22 {
  function upToTheDebtAtTheTargetHealthIsTheTargetAtLeast(uint128 weighted, uint64 target, uint128 debt) external pure {
    require(target > 0);
    uint256 most = Repayment.debtAtDown(weighted, target);
    require(debt <= most);
    uint256 health = Repayment.healthDown(weighted, debt);
    hint((most - debt) * target);
    if (health < target) hint((target - health - 1) * debt);
    assert(health >= target);
  }
}

contract PF23 {
  function aboveTheDebtAtTheTargetHealthIsBelowTheTarget(uint128 weighted, uint64 target, uint128 debt) external pure {
    require(target > 0);
    uint256 most = Repayment.debtAtDown(weighted, target);
    require(debt > most);
    uint256 health = Repayment.healthDown(weighted, debt);
    hint((debt - most - 1) * target);
    hint(health >= target ? (health - target) * debt : 0);
    assert(health < target);
  }
}

contract PF24 {
  function nothingIsNeededAtTheTarget(uint128 debt, uint128 atTarget, uint128 price) external pure {
    require(price > 0 && debt <= atTarget);
    assert(Repayment.neededUp(debt, atTarget, price) == 0);
  }
}

contract PF25 {
  function whatIsNeededIsWorthWhatIsMissing(uint128 debt, uint128 atTarget, uint128 price) external pure {
    require(price > 0 && debt > atTarget);
    assert(Repayment.neededUp(debt, atTarget, price) * price >= uint256(debt - atTarget) * 1e18);
  }
}

contract PF26 {
  function oneLessIsWorthLessThanWhatIsMissing(uint128 debt, uint128 atTarget, uint128 price) external pure {
    require(price > 0 && debt > atTarget);
    assert((Repayment.neededUp(debt, atTarget, price) - 1) * price < uint256(debt - atTarget) * 1e18);
  }
}

contract PF27 {
  function withoutARepaymentTheDebtStays(uint128 debt, uint128 share, uint128 price) external pure {
    require(debt >= uint256(share) * price / 1e18);
    assert(Repayment.debtAfter(debt, share, share, price) == debt);
  }
}

contract PF28 {
  function repayingNeverRaisesTheDebt(uint128 debt, uint128 share, uint128 left, uint128 price) external pure {
    require(left <= share);
    require(debt >= uint256(share) * price / 1e18);
    hint(uint256(share - left) * price);
    assert(Repayment.debtAfter(debt, share, left, price) <= debt);
  }
}

contract PF29 {
  function theDebtFallsByWhatWasPaidButForOne(uint128 debt, uint128 share, uint128 left, uint128 price) external pure {
    require(left <= share);
    require(debt >= uint256(share) * price / 1e18);
    uint256 worth = uint256(share - left) * price;
    uint256 fell = uint256(debt) - Repayment.debtAfter(debt, share, left, price);
    assert(fell * 1e18 < worth + 1e18 && worth < (fell + 1) * 1e18);
  }
}

contract PF30 {
  function anUncutRescueReachesTheTarget(
    uint128 debt,
    uint128 weighted,
    uint64 target,
    uint128 marketDebt,
    uint128 price
  ) external pure {
    require(target > 0 && price > 0);
    uint256 atTarget = Repayment.debtAtDown(weighted, target);
    require(debt > atTarget);
    uint256 paid = Repayment.neededUp(debt, atTarget, price);
    require(paid <= marketDebt);
    require(debt >= uint256(marketDebt) * price / 1e18);
    uint256 debtAfter = Repayment.debtAfter(debt, marketDebt, marketDebt - paid, price);
    assert(debtAfter <= atTarget);
    uint256 health = Repayment.healthDown(weighted, debtAfter);
    hint((atTarget - debtAfter) * target);
    hint(health < target ? (target - health - 1) * debtAfter : 0);
    assert(health >= target);
  }
}

contract PF31 {
  function anUncutRescuePaysAtMostOneUnitsWorthTooMuch(
    uint128 debt,
    uint128 atTarget,
    uint128 marketDebt,
    uint128 price
  ) external pure {
    require(price > 0 && debt > atTarget);
    uint256 paid = Repayment.neededUp(debt, atTarget, price);
    require(paid <= marketDebt);
    require(debt >= uint256(marketDebt) * price / 1e18);
    uint256 debtAfter = Repayment.debtAfter(debt, marketDebt, marketDebt - paid, price);
    assert((debtAfter + 1) * 1e18 + price > uint256(atTarget) * 1e18);
  }
}

contract PF32 {
  function aRescueTakesNoMoreThanAnyBound(
    uint256 amount,
    uint128 cap,
    uint256 leftToday,
    uint256 marketDebt,
    uint256 allowance,
    uint256 balance
  ) external pure {
    uint256 taken = Repayment.clamp(amount, cap, leftToday, marketDebt, allowance, balance);
    assert(
      taken <= amount && taken <= cap && taken <= leftToday && taken <= marketDebt && taken <= allowance
        && taken <= balance
    );
  }
}

contract PF33 {
  function aRescueTakesAsMuchAsTheLeastBound(
    uint256 amount,
    uint128 cap,
    uint256 leftToday,
    uint256 marketDebt,
    uint256 allowance,
    uint256 balance
  ) external pure {
    uint256 taken = Repayment.clamp(amount, cap, leftToday, marketDebt, allowance, balance);
    assert(
      taken == amount || taken == cap || taken == leftToday || taken == marketDebt || taken == allowance
        || taken == balance
    );
  }
}

contract PF34 {
  uint128 private immutable capPerDay;
  uint256 private taken;

  constructor(uint128 capPerDay_) {
    capPerDay = capPerDay_;
  }

  /// Any number of rescues in one day, each of any size that the clamp allows.
  function theRescuesOfADayTakeNoMoreThanItsCap(
    uint256 wanted,
    uint128 cap,
    uint256 debt,
    uint256 allowance,
    uint256 held
  ) external {
    taken += Repayment.clamp(wanted, cap, Repayment.leftOfDay(capPerDay, taken), debt, allowance, held);
    assert(taken <= capPerDay);
  }
}

contract PF35 {
  function aSumOfFewerDigitsNeverShowsMoreThanWasOwed(uint128 debt, uint128 share, uint128 left, uint128 price)
    external
    pure
  {
    require(left <= share);
    hint(uint256(share - left) * price);
    uint256 part = uint256(share) * price / 1e18;
    assert(Repayment.debtAfter(debt, share, left, price) <= (debt > part ? debt : part));
  }
}

contract PF36 {
  function aRescueLeavesNothingOrTheMarketsMinimum(uint256 amount, uint256 marketDebt, uint256 minDebt, uint256 most)
    external
    pure
  {
    require(amount <= most && most <= marketDebt);
    uint256 taken = Repayment.leavingNoDust(amount, marketDebt, minDebt, most);
    assert(taken == 0 || taken == marketDebt || marketDebt - taken >= minDebt);
  }
}

contract PF37 {
  function theMarketsMinimumRaisesNoRescueAboveItsBounds(
    uint256 amount,
    uint256 marketDebt,
    uint256 minDebt,
    uint256 maxAmount
  ) external pure {
    require(amount <= maxAmount && maxAmount <= marketDebt);
    uint256 taken = Repayment.leavingNoDust(amount, marketDebt, minDebt, maxAmount);
    assert(taken <= maxAmount && (taken <= amount || taken == marketDebt));
  }
}
