// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

contract VenusMarketRepayTokenTest is VenusMarketBase {
  /// LG-2
  function test_repayToken_isTheMarketsUnderlying() public view {
    assertEq(adapter.repayToken(address(vUsdt)), address(usdt));
    assertEq(adapter.repayToken(address(vUsdc)), vUsdc.underlying());
    assertEq(address(adapter.comptroller()), address(comptroller));
    assertEq(adapter.vBnb(), address(vBnb));
  }

  /// LG-2: a contract with a Venus market's interface and the same token is not a market.
  function test_repayToken_refusesAMarketThatTheComptrollerDoesNotList() public {
    address fake = address(new MockVToken(address(usdt)));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, fake));
    adapter.repayToken(fake);
  }

  /// LG-2
  function test_repayToken_refusesAMarketThatIsListedNoLonger() public {
    comptroller.list(address(vUsdt), false);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vUsdt));
    adapter.repayToken(address(vUsdt));
  }

  /// VM-4: without calling the market, whose fallback would burn all gas.
  function test_repayToken_ofVBnbIsWbnb() public view {
    assertEq(adapter.repayToken{gas: 100_000}(address(vBnb)), address(wbnb));
  }

  /// VM-4
  function test_repayToken_ofTheVaiControllerIsVai() public view {
    assertEq(adapter.repayToken(address(vaiController)), address(vai));
  }

  /// VM-4: a controller that Venus has replaced, and no controller at all.
  function test_repayToken_refusesAVaiControllerThatIsNotTheComptrollers() public {
    comptroller.setVaiController(address(0));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vaiController));
    adapter.repayToken(address(vaiController));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, address(0)));
    adapter.repayToken(address(0));
  }
}
