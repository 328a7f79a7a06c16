// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {Revocations} from "../../../contracts/Revocations.sol";
import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {MockPriceSource} from "../../mocks/MockPriceSource.sol";
import {IListener, LoudToken} from "../LoudToken.sol";
import {Rules} from "../Rules.sol";
import {Wallet} from "../Wallet.sol";
import {IBrain, Limb} from "./Limbs.sol";

/// Who and what there is: three owners, two executors of the attacker, two verdict signers, three tokens in two pairs, and
/// what every account must hold.
abstract contract World is Rules, IListener, IBrain {
  struct Party {
    address who;
    address recipient;
    /// Signs for `who`.
    uint256 key;
  }

  PlanRegistry public immutable registry;
  Revocations public immutable revocations;
  MockPriceSource public immutable source;
  /// Of a page's own: by it, nearly nothing is enough.
  MockPriceSource private immutable _foreign = new MockPriceSource();
  Wallet internal immutable _ownersWallet;
  Wallet internal immutable _signersWallet;
  uint256 internal constant SIGNER_KEY = uint256(keccak256("verdict signer"));
  address internal constant STRANGER = address(uint160(uint256(keccak256("stranger"))));
  address internal constant LENDER = address(uint160(uint256(keccak256("lender"))));
  uint256 internal constant STOCK = 1e40;
  /// Few, so that each runs often. Plans that have ended are replaced.
  uint256 private constant MAX_LIVE = 8;
  /// What a check of every plan at the end of a sequence can afford.
  uint256 private constant MAX_PLANS = 60;

  /// Dollars, coins and gems: plans buy coins for dollars or gems for coins.
  LoudToken[3] public tokens;
  /// Of the attacker, as both are.
  Limb[2] public limbs;
  /// An account with a key, a wallet with code, and the attacker's own account.
  Party[3] public owners;
  address[] public accounts;
  /// What each account must hold, from the transfers that should have happened.
  mapping(address token => mapping(address account => uint256)) public ledger;

  uint256[] internal _live;
  mapping(uint256 planId => bytes32) public firstTerms;
  mapping(uint256 planId => uint256) public maxPaid;
  uint256 internal _nonce;

  constructor(PlanRegistry registry_, MockPriceSource source_) {
    registry = registry_;
    revocations = Revocations(address(registry_.revocations()));
    source = source_;
    uint256 key = uint256(keccak256("wallet's key"));
    _ownersWallet = new Wallet(vm.addr(key));
    _signersWallet = new Wallet(vm.addr(SIGNER_KEY));
    uint256 ownKey = uint256(keccak256("owner"));
    uint256 attackersKey = uint256(keccak256("attacker"));
    owners[0] = Party(vm.addr(ownKey), address(0xa0), ownKey);
    owners[1] = Party(address(_ownersWallet), address(0xa1), key);
    owners[2] = Party(vm.addr(attackersKey), address(0xa2), attackersKey);
    (limbs[0], limbs[1]) = (new Limb(this), new Limb(this));
    accounts = [address(limbs[0]), address(limbs[1]), LENDER, STRANGER, address(registry_)];
    for (uint256 i; i < 3; ++i) {
      accounts.push(owners[i].who);
      accounts.push(owners[i].recipient);
    }
    tokens = [new LoudToken("USD", 18), new LoudToken("COIN", 8), new LoudToken("GEM", 18)];
    source.setPrice(address(tokens[0]), 1e18);
    source.setPrice(address(tokens[1]), 60_000e28);
    source.setPrice(address(tokens[2]), 600e18);
    for (uint256 i; i < 3; ++i) {
      _foreign.setPrice(address(tokens[i]), [uint128(1), 1e20, 1e38][i]);
      _stock(tokens[i]);
    }
  }

  function tokensCount() external view returns (uint256, uint256) {
    return (tokens.length, accounts.length);
  }

  function _stock(LoudToken token) private {
    for (uint256 i; i < accounts.length; ++i) {
      address account = accounts[i];
      if (account == address(registry)) continue;
      token.mint(account, STOCK);
      ledger[address(token)][account] = STOCK;
    }
    for (uint256 i; i < 3; ++i) {
      vm.prank(owners[i].who);
      token.approve(address(registry), type(uint256).max);
    }
    token.setListener(this);
  }

  /*//////////////////////////////////////////////////////////////
                                PLANS
  //////////////////////////////////////////////////////////////*/

  function _noteCreated(uint256 planId, IPlanRegistry.Terms memory terms) internal {
    firstTerms[planId] = keccak256(abi.encode(terms));
    maxPaid[planId] = uint256(terms.amountPerRun) * terms.maxRuns;
    _rule("PR-36: a far limit without the owner's word", _isNear(terms));
    _live.push(planId);
  }

  function _isFull() internal view returns (bool) {
    return _live.length >= MAX_LIVE || registry.planCount() >= MAX_PLANS;
  }

  /// A plan that has not ended; zero if there is none.
  function _any() internal returns (uint256 planId, IPlanRegistry.Plan memory plan) {
    while (_live.length != 0) {
      uint256 place = _roll(_live.length);
      planId = _live[place];
      plan = registry.plan(planId);
      if (!_hasEnded(plan)) return (planId, plan);
      _live[place] = _live[_live.length - 1];
      _live.pop();
      planId = 0;
    }
  }

  /// A plan of an executor (of any, if it is zero) that may run now; zero if there is none.
  function _due(address executor) internal returns (uint256 planId, IPlanRegistry.Plan memory plan) {
    uint256 count = _live.length;
    if (count == 0) return (0, plan);
    uint256 first = _roll(count);
    for (uint256 i; i < count; ++i) {
      planId = _live[(first + i) % count];
      plan = registry.plan(planId);
      if ((executor == address(0) || plan.terms.executor == executor) && _mayRun(plan)) return (planId, plan);
    }
    return (0, plan);
  }

  /// A plan that may run. If none may, time mostly passes until one does.
  function _runnable() internal returns (uint256 planId, IPlanRegistry.Plan memory plan) {
    (planId, plan) = _due(address(0));
    if (planId != 0) return (planId, plan);
    (planId, plan) = _any();
    if (planId != 0 && !_oneIn(6)) vm.warp(_nextSlot(plan) + _roll(plan.terms.windowSeconds));
  }

  function _hasEnded(IPlanRegistry.Plan memory plan) internal view returns (bool) {
    return plan.isRevoked || plan.state.status == IPlanRegistry.Status.Cancelled
      || plan.state.runs >= plan.terms.maxRuns || block.timestamp >= plan.terms.expiresAt;
  }

  /// Whether the schedule and the owner permit a run now.
  function _mayRun(IPlanRegistry.Plan memory plan) internal view returns (bool) {
    if (_hasEnded(plan) || plan.state.status != IPlanRegistry.Status.Active) return false;
    if (block.timestamp < plan.terms.startAt) return false;
    uint256 since = (block.timestamp - plan.terms.startAt) % plan.terms.periodSeconds;
    return block.timestamp - since >= plan.state.cursor && since < plan.terms.windowSeconds;
  }

  /// The start of the next slot that has neither passed nor been used, or of the present one.
  function _nextSlot(IPlanRegistry.Plan memory plan) private view returns (uint256) {
    (uint256 start, uint256 period) = (plan.terms.startAt, plan.terms.periodSeconds);
    uint256 from = plan.state.cursor > block.timestamp ? plan.state.cursor : block.timestamp;
    return from < start ? start : start + (from - start + period - 1) / period * period;
  }

  /// Terms that the registry accepts.
  function _nearTerms(Party memory owner, address executor) internal returns (IPlanRegistry.Terms memory terms) {
    terms = _terms(owner, executor);
    if (!_isNear(terms)) terms.farLimit = true;
  }

  /// Terms that the registry accepts unless `_isNear` says no.
  function _terms(Party memory owner, address executor) internal returns (IPlanRegistry.Terms memory) {
    uint256 pair = _roll(2);
    uint256 period = _between(60, 3 hours);
    // Bound by the source, by the source and a limit price, or by a limit price alone.
    uint256 bounds = _roll(3);
    (address tokenIn, address tokenOut) = (address(tokens[pair]), address(tokens[pair + 1]));
    uint256 marketWad = _marketPriceWad(tokenIn, tokenOut);
    uint256 limitWad = bounds == 0 ? 0 : marketWad * _between(95, 130) / 100;
    address alone = _oneIn(2) ? address(_foreign) : address(0);
    uint256 triggerWad = bounds == 2 || !_oneIn(4) ? 0 : marketWad * _between(85, bounds == 0 ? 102 : 95) / 100;
    return IPlanRegistry.Terms({
      owner: owner.who,
      recipient: owner.recipient,
      executor: executor,
      verdictSigner: [address(0), vm.addr(SIGNER_KEY), address(_signersWallet)][_roll(3)],
      tokenIn: tokenIn,
      tokenOut: tokenOut,
      amountPerRun: uint104(pair == 0 ? _between(1e18, 1_000e18) : _between(1e4, 1e7)),
      startAt: uint40(block.timestamp - _roll(2 days)),
      periodSeconds: uint32(period),
      windowSeconds: uint32(_between(period / 2, period)),
      maxRuns: uint32(_between(1, 40)),
      expiresAt: uint40(block.timestamp + _between(1 days, 40 days)),
      priceSource: bounds == 2 ? alone : address(source),
      limitPriceWad: uint128(limitWad),
      maxSlippageBps: bounds == 2 ? 0 : uint16(_roll(501)),
      farLimit: _oneIn(4),
      triggerPriceWad: uint128(triggerWad)
    });
  }

  /*//////////////////////////////////////////////////////////////
                               PRICES
  //////////////////////////////////////////////////////////////*/

  /// tokenIn base units per 1e18 tokenOut base units.
  function _marketPriceWad(address tokenIn, address tokenOut) internal view returns (uint256) {
    return source.priceWad(tokenOut) * 1e18 / source.priceWad(tokenIn);
  }

  /// Whether terms keep to 10 % of the market, or the owner has accepted that they need not.
  function _isNear(IPlanRegistry.Terms memory terms) internal view returns (bool) {
    if (terms.farLimit || terms.priceSource == address(source)) return true;
    return terms.limitPriceWad * 9 * source.priceWad(terms.tokenIn) <= source.priceWad(terms.tokenOut) * 1e19;
  }

  function _isTriggered(IPlanRegistry.Terms memory terms) internal view returns (bool) {
    return _marketPriceWad(terms.tokenIn, terms.tokenOut) >= terms.triggerPriceWad;
  }

  /// Whether a delivery keeps the bounds of the terms and of the ticket.
  function _isEnough(IPlanRegistry.Terms memory terms, IPlanRegistry.Ticket memory ticket, uint256 delivered)
    internal
    view
    returns (bool)
  {
    if (delivered < _atPrice(terms.amountPerRun, ticket.maxPriceWad)) return false;
    if (delivered < _atPrice(terms.amountPerRun, terms.limitPriceWad)) return false;
    if (terms.priceSource != address(source)) return true;
    uint256 worth = terms.amountPerRun * source.priceWad(terms.tokenIn) * (10_000 - terms.maxSlippageBps);
    return delivered * source.priceWad(terms.tokenOut) * 10_000 >= worth;
  }

  /// The least delivery that is enough.
  function _least(IPlanRegistry.Terms memory terms, IPlanRegistry.Ticket memory ticket)
    internal
    view
    returns (uint256 least)
  {
    least = _max(_atPrice(terms.amountPerRun, ticket.maxPriceWad), _atPrice(terms.amountPerRun, terms.limitPriceWad));
    if (terms.priceSource != address(source)) return least;
    uint256 worth = terms.amountPerRun * source.priceWad(terms.tokenIn) * (10_000 - terms.maxSlippageBps);
    uint256 unit = source.priceWad(terms.tokenOut) * 10_000;
    return _max(least, (worth + unit - 1) / unit);
  }

  /// Rounded up; zero if there is no price.
  function _atPrice(uint256 amount, uint256 priceWad) private pure returns (uint256) {
    return priceWad == 0 ? 0 : (amount * 1e18 + priceWad - 1) / priceWad;
  }

  function _max(uint256 a, uint256 b) private pure returns (uint256) {
    return a > b ? a : b;
  }

  /*//////////////////////////////////////////////////////////////
                         SIGNATURES AND MONEY
  //////////////////////////////////////////////////////////////*/

  /// Of one plan, for a party other than the attacker.
  function _creation(Party memory owner) internal returns (IPlanRegistry.Creation memory creation) {
    creation.owner = owner.who;
    creation.plans = new IPlanRegistry.Terms[](1);
    creation.plans[0] = _nearTerms(owner, address(limbs[_roll(2)]));
    creation.nonce = ++_nonce;
    creation.deadline = block.timestamp + 1 days;
    creation.epoch = revocations.epochOf(owner.who);
  }

  function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
    return abi.encodePacked(r, s, v);
  }

  function _send(address token, address from, address to, uint256 amount) internal {
    vm.prank(from);
    LoudToken(token).transfer(to, amount);
    _moved(token, from, to, amount);
  }

  function _moved(address token, address from, address to, uint256 amount) internal {
    ledger[token][from] -= amount;
    ledger[token][to] += amount;
  }

  function _isAsInLedger(address token, address account) internal view returns (bool) {
    return LoudToken(token).balanceOf(account) == ledger[token][account];
  }
}
