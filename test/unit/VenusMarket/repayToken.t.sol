// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ILendingMarket} from "../../../contracts/interfaces/ILendingMarket.sol";
import {VenusMarketBase} from "../../base/VenusMarketBase.sol";
import {MockVToken} from "../../mocks/venus/MockVToken.sol";

contract VenusMarketRepayTokenTest is VenusMarketBase {
  /// LG-2
  function test_repayToken_isTheMarketsUnderlying() public view {
    assertEq(adapter.repayToken(_market(address(vUsdt))), address(usdt));
    assertEq(adapter.repayToken(_market(address(vUsdc))), vUsdc.underlying());
    assertEq(address(adapter.comptroller()), address(comptroller));
    assertEq(adapter.vBnb(), address(vBnb));
  }

  /// LG-2: a contract with a Venus market's interface and the same token is not a market.
  function test_repayToken_refusesAMarketThatTheComptrollerDoesNotList() public {
    address fake = address(new MockVToken(address(usdt)));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, fake));
    adapter.repayToken(_market(fake));
  }

  /// LG-2
  function test_repayToken_refusesAMarketThatIsListedNoLonger() public {
    comptroller.list(address(vUsdt), false);
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vUsdt));
    adapter.repayToken(_market(address(vUsdt)));
  }

  function testFuzz_repayToken_refusesASecondNameForAMarket(uint96 upper) public {
    bytes32 market = _market(address(vUsdt)) | bytes32(uint256(bound(upper, 1, type(uint96).max)) << 160);
    bytes memory why = abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, market);
    vm.expectRevert(why);
    adapter.repayToken(market);
    vm.expectRevert(why);
    adapter.accrueAndRead(borrower, market);
    vm.expectRevert(why);
    adapter.storedDebt(borrower, market);
    usdt.mint(address(adapter), 1);
    vm.expectRevert(why);
    adapter.repay(borrower, market, 1, borrower);
  }

  /// US dollars.
  function test_numeraire_isTheDollar() public view {
    assertEq(adapter.numeraire(_market(address(vUsdt))), address(0));
  }

  /// VM-4: without calling the market, whose fallback would burn all gas.
  function test_repayToken_ofVBnbIsWbnb() public view {
    assertEq(adapter.repayToken{gas: 100_000}(_market(address(vBnb))), address(wbnb));
  }

  /// VM-4
  function test_repayToken_ofTheVaiControllerIsVai() public view {
    assertEq(adapter.repayToken(_market(address(vaiController))), address(vai));
  }

  /// VM-4: a controller that Venus has replaced, and no controller at all.
  function test_repayToken_refusesAVaiControllerThatIsNotTheComptrollers() public {
    comptroller.setVaiController(address(0));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, vaiController));
    adapter.repayToken(_market(address(vaiController)));
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotListed.selector, address(0)));
    adapter.repayToken(_market(address(0)));
  }
}
