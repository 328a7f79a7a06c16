// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";

import {FeeERC20} from "../mocks/FeeERC20.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {RefusingERC20} from "../mocks/RefusingERC20.sol";
import {SenderFeeERC20} from "../mocks/SenderFeeERC20.sol";
import {SilentERC20} from "../mocks/SilentERC20.sol";
import {StickyERC20} from "../mocks/StickyERC20.sol";
import "./OddTokens.sol";
import {RebasingERC20} from "./RebasingERC20.sol";
import {TokenTable} from "./TokenTable.sol";
import {TwoDoorERC20} from "./TwoDoorERC20.sol";

/// One path of funds, tested with every token of docs/reference/tokens.md (TK-1).
///
/// A cell is "conserved", or the error with which the whole call reverts, or "–" if the path has no such transfer.
/// Conserved means: the participants hold the whole supply, before and after; none of this project's contracts holds or
/// approves any; and the intended amount was moved.
abstract contract TokenPath is Test {
  /// The token under test, and the one on the other side. Base units of one whole token.
  MockERC20 internal odd;
  MockERC20 internal other;
  uint256 internal unit = 1e18;
  /// Whether an amount may be the maximum number.
  bool internal namesTheLargest;

  /// The heading of this path's column.
  function _heading() internal pure virtual returns (string memory);
  /// Distributes tokens and permissions, so that `_call` may follow.
  function _prepare() internal virtual;
  /// Makes a second call possible.
  function _prepareAgain() internal virtual;
  function _call() internal view virtual returns (address caller, address target, bytes memory data);
  /// The sender and the receiver of the transfer under test.
  function _ends() internal view virtual returns (address sender, address receiver);
  /// Every account that may hold tokens, this project's contracts included.
  function _parties() internal view virtual returns (address[] memory);
  /// This project's contracts, which must hold none.
  function _ours() internal view virtual returns (address[] memory);
  /// The path's purpose was achieved: no less, and only once. `before` is indexed by `_parties`.
  function _assertMoved(uint256[] memory before) internal view virtual;

  function fixtureBehaviour() public view returns (string[] memory) {
    return TokenTable.behaviours();
  }

  function tableTokensTest(string memory behaviour) public {
    string memory expected = TokenTable.cell(behaviour, _heading());
    _make(behaviour);
    _prepare();
    if (_endsWith(behaviour, "between calls")) {
      _perform();
      _prepareAgain();
    }
    _turn(behaviour);

    if (TokenTable.same(expected, "conserved") || TokenTable.same(expected, unicode"–")) {
      uint256[] memory before = _balances();
      _perform();
      _assertConserved();
      // If two tokens share one balance, input and output cannot be told apart.
      bool isBlurred = _rebasedMeanwhile(behaviour, TokenTable.same(expected, "conserved"))
        || TokenTable.same(behaviour, "has two addresses");
      if (!isBlurred) _assertMoved(before);
      _assertNobodyEntered(behaviour);
    } else {
      (bool succeeded, bytes memory reason) = _try();
      assertFalse(succeeded, "went through");
      assertEq(bytes4(reason), TokenTable.selectorOf(expected), "refused for another reason");
    }
  }

  function _perform() internal {
    (bool succeeded, bytes memory reason) = _try();
    if (succeeded) return;
    assembly ("memory-safe") {
      revert(add(reason, 0x20), mload(reason))
    }
  }

  function _try() private returns (bool, bytes memory) {
    (address caller, address target, bytes memory data) = _call();
    vm.prank(caller);
    return target.call(data);
  }

  function _balances() private view returns (uint256[] memory balances) {
    address[] memory parties = _parties();
    balances = new uint256[](parties.length);
    for (uint256 i; i < parties.length; ++i) {
      balances[i] = odd.balanceOf(parties[i]);
    }
  }

  function _assertConserved() private view {
    _assertConserved(odd);
    _assertConserved(other);
  }

  function _assertConserved(IERC20 token) private view {
    (address[] memory parties, address[] memory ours) = (_parties(), _ours());
    uint256 sum;
    for (uint256 i; i < parties.length; ++i) {
      sum += token.balanceOf(parties[i]);
    }
    assertEq(sum, token.totalSupply(), "somebody else has some");
    for (uint256 i; i < ours.length; ++i) {
      assertEq(token.balanceOf(ours[i]), 0, "stuck in a contract of ours");
      for (uint256 j; j < parties.length; ++j) {
        assertEq(token.allowance(ours[i], parties[j]), 0, "allowed by a contract of ours");
      }
    }
  }

  /// Balances that doubled or halved during the call do not show what was moved.
  function _rebasedMeanwhile(string memory behaviour, bool reachesIt) private view returns (bool rebased) {
    if (!_startsWith(behaviour, "rebases") || _endsWith(behaviour, "between calls")) return false;
    rebased = RebasingERC20(address(odd)).hasRebased();
    assertEq(rebased, reachesIt, "whether there is such a transfer");
  }

  function _assertNobodyEntered(string memory behaviour) private view {
    if (!TokenTable.same(behaviour, "calls sender and receiver")) return;
    assertGe(CallbackERC20(address(odd)).attempts(), 2);
    assertFalse(CallbackERC20(address(odd)).hasEntered(), "entered again");
  }

  function _make(string memory behaviour) private {
    other = new MockERC20("OTHER", 18);
    odd = MockERC20(_new(behaviour));
    if (TokenTable.same(behaviour, "has two addresses")) {
      other = MockERC20(address(TwoDoorERC20(address(odd)).second()));
    }
    if (_endsWith(behaviour, "decimals")) unit = 10 ** odd.decimals();
    namesTheLargest = TokenTable.same(behaviour, "takes the largest number for all");
  }

  function _new(string memory name) private returns (address) {
    if (TokenTable.same(name, "0 decimals")) return address(new MockERC20("ODD", 0));
    if (TokenTable.same(name, "6 decimals")) return address(new MockERC20("ODD", 6));
    if (TokenTable.same(name, "8 decimals")) return address(new MockERC20("ODD", 8));
    if (TokenTable.same(name, "18 decimals")) return address(new MockERC20("ODD", 18));
    if (TokenTable.same(name, "returns nothing")) return address(new SilentERC20());
    if (TokenTable.same(name, "returns false")) return address(new RefusingERC20("ODD", 18));
    if (TokenTable.same(name, "answers one byte")) return address(new WrongLengthERC20(1));
    if (TokenTable.same(name, "answers two words")) return address(new WrongLengthERC20(64));
    if (TokenTable.same(name, "takes a fee from the amount")) return address(new FeeERC20("ODD", 18, 100));
    if (TokenTable.same(name, "takes a fee on top")) return address(new SenderFeeERC20("ODD", 18));
    if (TokenTable.same(name, "gives a bonus")) return address(new BonusERC20());
    if (TokenTable.same(name, "moves a unit less")) return address(new ShortERC20());
    if (TokenTable.same(name, "rebases up between calls")) return address(new RebasingERC20(true, 0));
    if (TokenTable.same(name, "rebases down between calls")) return address(new RebasingERC20(false, 0));
    if (TokenTable.same(name, "rebases up in transfer 1")) return address(new RebasingERC20(true, 1));
    if (TokenTable.same(name, "rebases up in transfer 2")) return address(new RebasingERC20(true, 2));
    if (TokenTable.same(name, "rebases up in transfer 3")) return address(new RebasingERC20(true, 3));
    if (TokenTable.same(name, "rebases down in transfer 1")) return address(new RebasingERC20(false, 1));
    if (TokenTable.same(name, "rebases down in transfer 2")) return address(new RebasingERC20(false, 2));
    if (TokenTable.same(name, "rebases down in transfer 3")) return address(new RebasingERC20(false, 3));
    if (TokenTable.same(name, "blocks the sender")) return address(new BlockingERC20());
    if (TokenTable.same(name, "blocks the receiver")) return address(new BlockingERC20());
    if (TokenTable.same(name, "is paused")) return address(new BlockingERC20());
    if (TokenTable.same(name, "calls sender and receiver")) return address(new CallbackERC20());
    if (TokenTable.same(name, "has two addresses")) return address(new TwoDoorERC20());
    if (TokenTable.same(name, "sets allowances from zero only")) return address(new ResetFirstERC20());
    if (TokenTable.same(name, "refuses to approve zero")) return address(new NoZeroERC20(true));
    if (TokenTable.same(name, "keeps infinite allowances")) return address(new MockERC20("ODD", 18));
    if (TokenTable.same(name, "uses up infinite allowances")) return address(new FiniteERC20());
    if (TokenTable.same(name, "uses up no allowance")) return address(new StickyERC20("ODD", 18));
    if (TokenTable.same(name, "refuses to move zero")) return address(new NoZeroERC20(false));
    if (TokenTable.same(name, "takes the largest number for all")) return address(new WholeBalanceERC20());
    if (TokenTable.same(name, "gets a fee between calls")) return address(new MockERC20("ODD", 18));
    revert TokenTable.NotInTheTable(name);
  }

  function _turn(string memory name) private {
    (address sender, address receiver) = _ends();
    if (TokenTable.same(name, "blocks the sender")) BlockingERC20(address(odd)).aim(sender, address(0), false);
    if (TokenTable.same(name, "blocks the receiver")) BlockingERC20(address(odd)).aim(address(0), receiver, false);
    if (TokenTable.same(name, "is paused")) BlockingERC20(address(odd)).aim(address(0), address(0), true);
    if (TokenTable.same(name, "calls sender and receiver")) {
      (address caller, address target, bytes memory data) = _call();
      CallbackERC20(address(odd)).aim(caller, target, data);
    }
    // Like an upgrade: other code, the same storage.
    if (TokenTable.same(name, "gets a fee between calls")) {
      vm.etch(address(odd), address(new FeeERC20("ODD", 18, 100)).code);
    }
    // The mocks that other tests use too are odd from the start and have no turn.
    (bool turned,) = address(odd).call(abi.encodeCall(OddERC20.turnOdd, ()));
    turned;
  }

  function _startsWith(string memory text, string memory start) private pure returns (bool) {
    return vm.indexOf(text, start) == 0;
  }

  function _endsWith(string memory text, string memory end) private pure returns (bool) {
    return bytes(text).length >= bytes(end).length && vm.indexOf(text, end) == bytes(text).length - bytes(end).length;
  }
}
