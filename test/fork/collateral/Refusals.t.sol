// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ICollateralGuard} from "../../../contracts/interfaces/ICollateralGuard.sol";
import {ICollateralMarket} from "../../../contracts/interfaces/ICollateralMarket.sol";
import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {ILoanGuard} from "../../../contracts/interfaces/ILoanGuard.sol";
import {IVTokenDeposit} from "../../../contracts/interfaces/IVenus.sol";
import {ExactPull} from "../../../contracts/libraries/ExactPull.sol";
import {MarketAddress} from "../../../contracts/libraries/MarketAddress.sol";
import {PoolRoute} from "../../../contracts/libraries/PoolRoute.sol";
import {Bsc} from "../../../script/Bsc.sol";
import {CollateralForkBase} from "../../base/CollateralForkBase.sol";

/// @notice Answers that today's Venus never gives: one call of it is replaced, and the rest is its real code.
contract CollateralRefusalsForkTest is CollateralForkBase {
  bytes32 private constant MARKET = bytes32(uint256(uint160(Bsc.V_ETH)));

  function test_RevertWhen_AnAdapterOrSourceHasNoCode() public {
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.AdapterRefused.selector, stranger));
    this.deploy(stranger, address(bowline.chainlinkPriceSource));
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.PriceSourceRefused.selector, stranger));
    this.deploy(adapter, stranger);
  }

  function deploy(address adapter_, address source) external {
    _deploy(adapter_, source);
  }

  /// As in LoanGuard: a market that changes its token could have another's money sent.
  function test_RevertWhen_TheRepayTokenChanges() public {
    ILendingMarket.Position memory position = _dueAndStill();
    position.repayToken = stranger;
    _still(position);
    vm.expectRevert(abi.encodeWithSelector(ILoanGuard.RepayTokenChanged.selector, Bsc.USDT, stranger));
    guard.rescue(guardId, none);
  }

  function test_RevertWhen_TheDebtDoesNotFall() public {
    _still(_dueAndStill());
    vm.expectPartialRevert(ILoanGuard.DebtFellWrong.selector);
    guard.rescue(guardId, none);
  }

  function test_RevertWhen_HealthDoesNotRise() public {
    ILendingMarket.Position memory position = _dueAndStill();
    uint256 snapshot = vm.snapshotState();
    uint256 repaid = guard.rescue(guardId, none);
    assertTrue(vm.revertToStateAndDelete(snapshot));
    bytes[] memory answers = new bytes[](2);
    answers[0] = abi.encode(position);
    position.marketDebt -= repaid;
    answers[1] = abi.encode(position);
    vm.mockCalls(adapter, abi.encodeWithSelector(ILendingMarket.accrueAndRead.selector), answers);
    vm.expectPartialRevert(ICollateralGuard.HealthNotRestored.selector);
    guard.rescue(guardId, none);
  }

  function test_RevertWhen_ReceiptsDoNotArrive() public {
    _borrowTo(1.08e18);
    vm.mockCall(Bsc.V_ETH, abi.encodeCall(IVTokenDeposit.balanceOf, (adapter)), abi.encode(5));
    vm.expectPartialRevert(ExactPull.PullInexact.selector);
    guard.rescue(guardId, none);
  }

  function test_ARouteWithoutAPoolIsNotWhole() public view {
    assertFalse(PoolRoute.isWhole(none));
  }

  function test_RevertWhen_InterestDoesNotAccrue() public {
    vm.mockCall(Bsc.V_ETH, abi.encodeCall(IVTokenDeposit.accrueInterest, ()), abi.encode(1));
    vm.expectRevert(abi.encodeWithSelector(ICollateralMarket.WithdrawalRefused.selector, MARKET, 1));
    ICollateralMarket(adapter).accrueAndReadCollateral(owner, MARKET);
  }

  function test_RevertWhen_ARedemptionFails() public {
    bytes memory redeem = abi.encodeCall(IVTokenDeposit.redeem, (1));
    vm.mockCallRevert(Bsc.V_ETH, redeem, "odd");
    vm.expectRevert(bytes("odd"));
    ICollateralMarket(adapter).withdraw(MARKET, 1, 1, owner, owner);
    vm.mockCall(Bsc.V_ETH, redeem, abi.encode(7));
    vm.expectRevert(abi.encodeWithSelector(ICollateralMarket.WithdrawalRefused.selector, MARKET, 7));
    ICollateralMarket(adapter).withdraw(MARKET, 1, 1, owner, owner);
    vm.mockCall(Bsc.V_ETH, redeem, abi.encode(0));
    vm.expectRevert(abi.encodeWithSelector(ICollateralMarket.WithdrawalShort.selector, MARKET, 0, 1));
    ICollateralMarket(adapter).withdraw(MARKET, 1, 1, owner, owner);
  }

  function _dueAndStill() private returns (ILendingMarket.Position memory) {
    _borrowTo(1.08e18);
    return ILendingMarket(adapter).accrueAndRead(owner, MarketAddress.toMarket(Bsc.V_USDT));
  }

  /// The account reads so before the rescue and after it.
  function _still(ILendingMarket.Position memory position) private {
    vm.mockCall(adapter, abi.encodeWithSelector(ILendingMarket.accrueAndRead.selector), abi.encode(position));
  }
}
