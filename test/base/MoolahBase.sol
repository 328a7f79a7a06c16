// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IMoolah, IMoolahOracle} from "../../contracts/interfaces/IMorpho.sol";
import {Bsc} from "../../script/Bsc.sol";
import {MoolahStandIn} from "../mocks/moolah/MoolahStandIn.sol";
import {ForkBase} from "./ForkBase.sol";

/// The Moolah calls of a lender and a borrower, and its own liquidation test.
interface IMoolahUser is IMoolah {
  function isHealthy(MarketParams calldata params, bytes32 id, address borrower) external view returns (bool);
  function providers(bytes32 id, address token) external view returns (address);
  function supply(MarketParams calldata params, uint256 assets, uint256 shares, address onBehalf, bytes calldata data)
    external
    returns (uint256, uint256);
  function supplyCollateral(MarketParams calldata params, uint256 assets, address onBehalf, bytes calldata data)
    external;
  function withdrawCollateral(MarketParams calldata params, uint256 assets, address onBehalf, address receiver) external;
  function borrow(MarketParams calldata params, uint256 assets, uint256 shares, address onBehalf, address receiver)
    external
    returns (uint256, uint256);
}

/// @notice Lista Lending's market for USDT against BTCB at its published addresses: the real one with BSC_RPC_URL, else the
/// replica's stand-ins. Prices stay where they are until a test moves them.
abstract contract MoolahBase is ForkBase {
  IMoolahUser internal constant moolah = IMoolahUser(Bsc.MOOLAH);
  bytes32 internal constant id = Bsc.MOOLAH_BTCB_USDT;

  IMoolah.MarketParams internal params;
  address internal lender = address(uint160(uint256(keccak256("bowline.fork.lender"))));

  function setUp() public virtual override {
    super.setUp();
    params = moolah.idToMarketParams(id);
    _setPrice(Bsc.BTCB, IMoolahOracle(params.oracle).peek(Bsc.BTCB));
    _setPrice(Bsc.USDT, IMoolahOracle(params.oracle).peek(Bsc.USDT));
    _pay(Bsc.USDT, lender, 1_000_000e18);
    vm.prank(lender);
    moolah.supply(params, 1_000_000e18, 0, lender, "");
  }

  /// Of the stand-in alone: skips the test where the real one is.
  function _standIn() internal returns (MoolahStandIn) {
    (bool isStandIn,) = Bsc.MOOLAH.staticcall(abi.encodeCall(MoolahStandIn.priceOfCall, ()));
    (bool isReal,) = Bsc.MOOLAH.staticcall(abi.encodeWithSignature("getRoleMemberCount(bytes32)", bytes32(0)));
    vm.skip(isReal && !isStandIn);
    return MoolahStandIn(Bsc.MOOLAH);
  }

  function _supplyCollateral(address account, uint256 amount) internal {
    _pay(Bsc.BTCB, account, amount);
    vm.prank(account);
    moolah.supplyCollateral(params, amount, account, "");
  }

  function _borrowFrom(address account, uint256 amount) internal {
    vm.prank(account);
    moolah.borrow(params, amount, 0, account, account);
  }

  /// What Moolah lends on the account's collateral at most.
  function _maxBorrow(address account) internal view returns (uint256) {
    (,, uint256 collateral) = moolah.position(id, account);
    return collateral * moolah.getPrice(params) / 1e36 * params.lltv / 1e18;
  }

  /// As Moolah rounds it.
  function _stored(address account) internal view returns (uint256) {
    (, uint256 shares,) = moolah.position(id, account);
    (,, uint256 totalAssets, uint256 totalShares,,) = moolah.market(id);
    return (shares * (totalAssets + 1) + totalShares + 1e6 - 1) / (totalShares + 1e6);
  }

  /// US dollars with 8 decimals, as the market's oracle answers.
  function _setPrice(address token, uint256 usd8) internal {
    vm.mockCall(params.oracle, abi.encodeCall(IMoolahOracle.peek, (token)), abi.encode(usd8));
  }

  function _peek(address token) internal view returns (uint256) {
    return IMoolahOracle(params.oracle).peek(token);
  }

  function _pay(address token, address account, uint256 amount) private {
    deal(token, account, amount);
    vm.prank(account);
    IERC20(token).approve(address(moolah), amount);
  }
}
