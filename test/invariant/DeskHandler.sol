// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {QuoteDesk} from "../../contracts/QuoteDesk.sol";
import {IQuoteDesk} from "../../contracts/interfaces/IQuoteDesk.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {Rules} from "./Rules.sol";

/// A maker who quotes, cancels and withdraws, buyers who redeem, and a thief who tries every quote that they have seen.
contract DeskHandler is Rules {
  QuoteDesk public immutable desk;
  MockERC20 public immutable paid;
  MockERC20 public immutable sold;
  address public immutable maker;
  uint256 private immutable _makerKey;
  address[3] public buyers = [address(0xb1), address(0xb2), address(0xb3)];

  /// Balances of the desk and of each buyer, as tracked by the handler.
  uint256 public deskPaid;
  uint256 public deskSold;
  mapping(address buyer => uint256) public paidOf;
  mapping(address buyer => uint256) public soldOf;
  mapping(uint256 nonce => bool) public isOver;

  uint256 private constant MAX_QUOTES = 60;
  IQuoteDesk.Quote[] private _quotes;
  bytes[] private _signatures;
  uint256 private _nonces;
  uint256 private _newest;

  constructor(QuoteDesk desk_, MockERC20 paid_, MockERC20 sold_, uint256 makerKey) {
    desk = desk_;
    paid = paid_;
    sold = sold_;
    maker = desk_.maker();
    _makerKey = makerKey;
    deskSold = sold.balanceOf(address(desk));
    for (uint256 i; i < buyers.length; ++i) {
      paid.mint(buyers[i], 1e18);
      paidOf[buyers[i]] = 1e18;
      vm.prank(buyers[i]);
      paid.approve(address(desk), type(uint256).max);
    }
  }

  /*//////////////////////////////////////////////////////////////
                               THE MAKER
  //////////////////////////////////////////////////////////////*/

  function quote(uint256 seed) external rolls(seed) {
    seed = _roll(type(uint256).max);
    IQuoteDesk.Quote memory made = IQuoteDesk.Quote({
      buyer: buyers[seed % 3],
      tokenIn: address(paid),
      amountIn: bound(seed, 1, 1_000e6),
      tokenOut: address(sold),
      amountOut: bound(seed / 7, 1, 5e18),
      // Sometimes reuses a nonce.
      nonce: _oneIn(8) ? _roll(_nonces + 1) : ++_nonces,
      expiresAt: block.timestamp + bound(seed / 11, 1, 1 days)
    });
    bytes memory signature = _sign(_makerKey, made);
    if (_quotes.length < MAX_QUOTES) {
      _newest = _quotes.length;
      _quotes.push(made);
      _signatures.push(signature);
    } else {
      _newest = _roll(MAX_QUOTES);
      (_quotes[_newest], _signatures[_newest]) = (made, signature);
    }
  }

  function cancel(uint256 seed) external rolls(seed) {
    seed = _roll(type(uint256).max);
    if (seed % 4 != 0 || _quotes.length == 0) return;
    uint256 nonce = _quotes[(seed / 4) % _quotes.length].nonce;
    vm.prank(maker);
    desk.cancel(nonce);
    isOver[nonce] = true;
  }

  function withdraw(uint256 seed) external rolls(seed) {
    uint256 amount = _roll(deskSold / 4 + 1);
    vm.prank(maker);
    desk.withdraw(address(sold), maker, amount);
    deskSold -= amount;
    if (_oneIn(2)) {
      sold.mint(address(desk), 20e18);
      deskSold += 20e18;
    }
  }

  /*//////////////////////////////////////////////////////////////
                          BUYERS AND A THIEF
  //////////////////////////////////////////////////////////////*/

  function redeem(uint256 seed) external rolls(seed) {
    if (_quotes.length == 0) return;
    // Often the newest, which may still be redeemed.
    uint256 which = _oneIn(2) ? _newest : _roll(_quotes.length);
    IQuoteDesk.Quote memory given = _quotes[which];
    address from = !_oneIn(4) ? given.buyer : buyers[_roll(3)];
    vm.prank(from);
    try desk.redeem(given, _signatures[which]) {
      _rule("QD-1: redeemed twice, or after it was cancelled", !isOver[given.nonce]);
      _rule("QD-1: redeemed by another, or too late", from == given.buyer && block.timestamp < given.expiresAt);
      isOver[given.nonce] = true;
      _move(given);
      _count("redeem", true);
    } catch {
      _count("redeem", false);
    }
  }

  /// A quote of the maker with one change, or signed by somebody else.
  function forge(uint256 seed) external rolls(seed) {
    seed = _roll(type(uint256).max);
    if (_quotes.length == 0) return;
    IQuoteDesk.Quote memory forged = _quotes[seed % _quotes.length];
    bytes memory signature = _signatures[seed % _quotes.length];
    uint256 field = (seed / 64) % 7;
    if (field == 0) forged.amountIn -= 1;
    if (field == 1) forged.amountOut += 1;
    if (field == 2) forged.nonce += 1_000_000;
    if (field == 3) forged.expiresAt += 1 days;
    if (field == 4) forged.buyer = buyers[(uint160(forged.buyer) - 0xb0) % 3];
    if (field == 5) (forged.tokenIn, forged.tokenOut) = (forged.tokenOut, forged.tokenIn);
    if (field == 6) {
      forged.nonce += 2_000_000;
      signature = _sign(uint256(keccak256("thief")), forged);
    }
    _count("forged quote", false);
    vm.prank(forged.buyer);
    try desk.redeem(forged, signature) {
      _rule("QD-5: redeemed without the maker's signature", false);
    } catch {}
  }

  function steal(uint256 seed) external rolls(seed) {
    seed = _roll(type(uint256).max);
    vm.startPrank(buyers[seed % 3]);
    try desk.withdraw(address(sold), buyers[seed % 3], 1) {
      _rule("QD-5: somebody else has withdrawn", false);
    } catch {}
    try desk.cancel(seed % 60) {
      _rule("QD-5: somebody else has cancelled", false);
    } catch {}
    vm.stopPrank();
  }

  function pass(uint256 seed) external rolls(seed) {
    if (!_oneIn(4)) vm.warp(block.timestamp + _between(1, 6 hours));
  }

  function _move(IQuoteDesk.Quote memory given) private {
    paidOf[given.buyer] -= given.amountIn;
    deskPaid += given.amountIn;
    soldOf[given.buyer] += given.amountOut;
    deskSold -= given.amountOut;
  }

  function _sign(uint256 key, IQuoteDesk.Quote memory made) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, desk.digestOf(made));
    return abi.encodePacked(r, s, v);
  }
}
