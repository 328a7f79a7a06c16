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

  /// LG-2: a contract that looks like a market of Venus, over the same token, is not one.
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

  /// LG-2: by name, and before the market is asked for a token that it does not have.
  function test_repayToken_refusesVBnb() public {
    vm.expectRevert(abi.encodeWithSelector(ILendingMarket.MarketNotSupported.selector, vBnb));
    adapter.repayToken{gas: 100_000}(address(vBnb));
  }
}
