// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";
import {WETH} from "solady/tokens/WETH.sol";

import {VenusMarket} from "../../contracts/lending/VenusMarket.sol";
import {MarketAddress} from "../../contracts/libraries/MarketAddress.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {MockComptroller} from "../mocks/venus/MockComptroller.sol";
import {MockVBnb, MockVToken, MockVenusDebts} from "../mocks/venus/MockVToken.sol";
import {MockVaiController} from "../mocks/venus/MockVaiController.sol";
import {MockVenusOracle} from "../mocks/venus/MockVenusOracle.sol";
import {Product} from "./Product.sol";

/// A borrower with debts in three Venus markets, and VAI:
///
/// | market | owed       | price   | USD   |
/// | vUSDT  | 400        | 1       | 400   |
/// | vUSDC  | 250 (6 d.) | 1       | 250   |
/// | vBNB   | 0.5        | 600     | 300   |
/// | VAI    | 50         |         | 50    |
///
/// D = 1,000 USD, W = 1,020 USD.
abstract contract VenusMarketBase is Test {
  uint256 internal constant WAD = 1e18;

  address internal immutable borrower = makeAddr("borrower");

  MockERC20 internal usdt;
  MockERC20 internal vai = new MockERC20("VAI", 18);
  WETH internal wbnb;
  MockVToken internal vUsdt;
  MockVToken internal vUsdc;
  MockVBnb internal vBnb;
  MockVenusOracle internal oracle;
  MockVaiController internal vaiController;
  MockComptroller internal comptroller;
  VenusMarket internal adapter;

  function setUp() public virtual {
    oracle = new MockVenusOracle();
    comptroller = new MockComptroller(address(oracle));
    vaiController = new MockVaiController(vai);
    comptroller.setVaiController(address(vaiController));
    vBnb = new MockVBnb();
    wbnb = new WETH();
    adapter = Product.venusMarket(comptroller, address(vBnb), address(wbnb));

    usdt = new MockERC20("USDT", 18);
    vUsdt = new MockVToken(address(usdt));
    vUsdc = new MockVToken(address(new MockERC20("USDC", 6)));
    _list(address(vUsdt), 1e18);
    _list(address(vUsdc), 1e30);
    _list(address(vBnb), 600e18);
    vUsdt.setDebt(borrower, 400e18);
    vUsdc.setDebt(borrower, 250e6);
    vBnb.setDebt(borrower, 0.5e18);
    vaiController.set(borrower, 50e18);
    comptroller.setWeightedCollateral(borrower, 1_020e18);
  }

  /// The adapter's name for the market of a vToken or of the VAI controller.
  function _market(address place) internal pure returns (bytes32) {
    return MarketAddress.toMarket(place);
  }

  function _list(address vToken, uint256 price) internal {
    MockVenusDebts(vToken).setComptroller(comptroller);
    oracle.set(vToken, price);
    comptroller.list(vToken, true);
    comptroller.enter(borrower, vToken);
  }
}
