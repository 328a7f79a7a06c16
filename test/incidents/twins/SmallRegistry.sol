// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

import {IPlanExecutor} from "../../../contracts/interfaces/IPlanExecutor.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {IPriceSource} from "../../../contracts/interfaces/IPriceSource.sol";
import {Floor} from "../../../contracts/libraries/Floor.sol";
import {Signatures} from "../../../contracts/libraries/Signatures.sol";
import {SignedTypes} from "../../../contracts/libraries/SignedTypes.sol";

/// A minimal registry with the entry points of the real one. Each twin makes exactly one mistake.
abstract contract SmallRegistry is EIP712("Small Registry", "1") {
  using SafeERC20 for IERC20;
  using SignedTypes for IPlanRegistry.Creation;
  using SignedTypes for IPlanRegistry.Ticket;

  address private immutable SOURCE;

  uint256 public planCount;
  mapping(uint256 planId => IPlanRegistry.Terms) internal _terms;
  mapping(uint256 planId => uint256) internal _nextSlot;
  mapping(uint256 planId => uint16) internal _versions;
  mapping(uint256 planId => bool) internal _isCancelled;
  mapping(address owner => mapping(uint256 nonce => bool)) internal _isUsedUp;
  /// The plan whose run is open and undelivered; zero for none.
  uint256 internal _openPlan;
  uint256 internal _openFloor;
  bool internal _isPaid;

  constructor(address source) {
    SOURCE = source;
  }

  function create(IPlanRegistry.Terms calldata terms) external returns (uint256) {
    _requireOwner(terms.owner);
    return _create(terms);
  }

  function createBySignature(IPlanRegistry.Creation calldata creation, bytes calldata signature)
    external
    returns (uint256 planId)
  {
    _useUp(creation, signature);
    require(creation.plans.length == 1 && creation.plans[0].owner == creation.owner, "plans");
    return _create(creation.plans[0]);
  }

  function edit(uint256 planId, uint256, uint256, IPlanRegistry.Terms calldata terms) external {
    _requireOwner(_terms[planId].owner);
    _terms[planId] = terms;
    ++_versions[planId];
  }

  function cancel(uint256 planId) external virtual {
    _requireOwner(_terms[planId].owner);
    _isCancelled[planId] = true;
  }

  function pullFunds(
    uint256 planId,
    uint256,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature,
    bytes calldata data
  ) public virtual returns (uint256) {
    _requireNoneOpen();
    IPlanRegistry.Terms memory terms = _terms[planId];
    require(msg.sender == terms.executor, "executor");
    require(!_isCancelled[planId], "cancelled");
    _takeSlot(planId, (block.timestamp - terms.startAt) / terms.periodSeconds);
    uint256 floor = _minOf(terms, ticket, signature);

    (_openPlan, _openFloor, _isPaid) = (planId, floor, false);
    IPlanExecutor(terms.executor)
      .onRunOpened(IPlanRegistry.OpenRun(planId, terms.tokenIn, terms.tokenOut, terms.amountPerRun, floor), data);
    require(_openPlan == 0, "not delivered");
    return floor;
  }

  function payTo(address payee) external {
    IPlanRegistry.Terms memory terms = _terms[_openPlan];
    require(_openPlan != 0 && msg.sender == terms.executor, "executor");
    _requireUnpaid();
    _isPaid = true;
    IERC20(terms.tokenIn).safeTransferFrom(terms.owner, payee, terms.amountPerRun);
  }

  function recordRun(uint256 planId) external returns (uint256 received) {
    require(planId != 0 && planId == _openPlan, "not open");
    IPlanRegistry.Terms memory terms = _terms[planId];
    require(msg.sender == terms.executor && _isPaid, "executor");
    _openPlan = 0;
    IERC20 token = IERC20(terms.tokenOut);
    received = _deliver(token, terms.recipient, token.balanceOf(address(this)));
    require(received >= _openFloor, "floor");
  }

  function plan(uint256 planId) external view returns (IPlanRegistry.Plan memory seen) {
    seen.terms = _terms[planId];
    seen.state.version = _versions[planId];
  }

  function digestOf(IPlanRegistry.Creation calldata creation) public view virtual returns (bytes32) {
    return _hashTypedDataV4(creation.hash());
  }

  function digestOf(IPlanRegistry.Ticket calldata ticket) public view returns (bytes32) {
    return _hashTypedDataV4(ticket.hash());
  }

  function _create(IPlanRegistry.Terms calldata terms) private returns (uint256 planId) {
    _requireSource(terms);
    planId = ++planCount;
    _terms[planId] = terms;
    _versions[planId] = 1;
  }

  function _floorOf(IPlanRegistry.Terms memory terms) private view returns (uint256 floor) {
    if (terms.limitPriceWad != 0) floor = Floor.fromLimitUp(terms.amountPerRun, terms.limitPriceWad);
    if (terms.priceSource == address(0)) return floor;
    (uint256 priceInWad, uint256 priceOutWad) = IPriceSource(terms.priceSource).prices(terms.tokenIn, terms.tokenOut);
    return Math.max(floor, Floor.fromPricesUp(terms.amountPerRun, priceInWad, priceOutWad, terms.maxSlippageBps));
  }

  /*//////////////////////////////////////////////////////////////
                 THE STEPS THAT TWINS GET WRONG
  //////////////////////////////////////////////////////////////*/

  function _requireOwner(address owner) internal view virtual {
    require(msg.sender == owner, "owner");
  }

  function _requireSource(IPlanRegistry.Terms calldata terms) internal view virtual {
    require(terms.priceSource == SOURCE || terms.limitPriceWad != 0, "source");
  }

  function _useUp(IPlanRegistry.Creation calldata creation, bytes calldata signature) internal virtual {
    require(!_isUsedUp[creation.owner][creation.nonce], "used up");
    _isUsedUp[creation.owner][creation.nonce] = true;
    require(Signatures.isBy(creation.owner, digestOf(creation), signature), "signature");
  }

  function _requireNoneOpen() internal view virtual {
    require(_openPlan == 0, "open");
  }

  function _takeSlot(uint256 planId, uint256 slot) internal virtual {
    require(slot >= _nextSlot[planId], "slot used");
    _nextSlot[planId] = slot + 1;
  }

  function _minOf(IPlanRegistry.Terms memory terms, IPlanRegistry.Ticket calldata ticket, bytes calldata signature)
    internal
    view
    virtual
    returns (uint256)
  {
    return Math.max(_floorOf(terms), _ticketFloor(terms, ticket, signature));
  }

  function _ticketFloor(
    IPlanRegistry.Terms memory terms,
    IPlanRegistry.Ticket calldata ticket,
    bytes calldata signature
  ) internal view virtual returns (uint256) {
    if (terms.verdictSigner != address(0)) {
      _requireEnough(ticket, terms.amountPerRun);
      require(Signatures.isBy(terms.verdictSigner, digestOf(ticket), signature), "signature");
    }
    return ticket.maxPriceWad == 0 ? 0 : Floor.fromLimitUp(terms.amountPerRun, ticket.maxPriceWad);
  }

  function _requireEnough(IPlanRegistry.Ticket calldata ticket, uint256 amount) internal pure virtual {
    require(ticket.maxAmountIn >= amount, "ticket too small");
  }

  function _requireUnpaid() internal view virtual {
    require(!_isPaid, "paid");
  }

  function _deliver(IERC20 token, address recipient, uint256 amount) internal virtual returns (uint256) {
    uint256 balanceBefore = token.balanceOf(recipient);
    token.safeTransfer(recipient, amount);
    return token.balanceOf(recipient) - balanceBefore;
  }
}
