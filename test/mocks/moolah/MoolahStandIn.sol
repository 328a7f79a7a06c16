// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";

/// Self-contained, like this file, so that the replica can be built of it alone.
interface IMorphoLike {
  struct MarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
  }

  function position(bytes32 id, address account)
    external
    view
    returns (uint256, uint128 borrowShares, uint128 collateral);
  function market(bytes32 id)
    external
    view
    returns (uint128, uint128, uint128 totalBorrowAssets, uint128 totalBorrowShares, uint128, uint128);
  function supply(MarketParams calldata, uint256, uint256, address, bytes calldata) external returns (uint256, uint256);
  function withdraw(MarketParams calldata, uint256, uint256, address, address) external returns (uint256, uint256);
  function borrow(MarketParams calldata, uint256, uint256, address, address) external returns (uint256, uint256);
  function repay(MarketParams calldata, uint256, uint256, address, bytes calldata) external returns (uint256, uint256);
  function supplyCollateral(MarketParams calldata, uint256, address, bytes calldata) external;
  function withdrawCollateral(MarketParams calldata, uint256, address, address) external;
  function liquidate(MarketParams calldata, address, uint256, uint256, bytes calldata)
    external
    returns (uint256, uint256);
  function peek(address token) external view returns (uint256);
}

/// @notice Stands in for Lista's Moolah, whose code is not to be had from npm: Morpho Blue's own code on this contract's
/// storage, with what Moolah adds to it: prices by `peek`, pause, lock, brokers, providers and a minimum loan.
contract MoolahStandIn {
  uint256 private constant VIRTUAL_SHARES = 1e6;

  /// Of Morpho. The first is its owner.
  uint256[9] private _morphoStorage;
  address private immutable _code;
  bool private transient _isLocked;
  address private transient _loanToken;
  address private transient _collateralToken;
  address private transient _oracle;

  bool public paused;
  /// In US dollars with 8 decimals.
  uint256 public minLoanValue;
  mapping(bytes32 id => address) public brokers;
  mapping(bytes32 id => mapping(address token => address)) public providers;

  error EnforcedPause();
  error ReentrancyGuardReentrantCall();

  constructor(address morphoCode, address owner) {
    _code = morphoCode;
    _morphoStorage[0] = uint160(owner);
    minLoanValue = 15e8;
  }

  function setPaused(bool isPaused) external {
    paused = isPaused;
  }

  function setMinLoanValue(uint256 value) external {
    minLoanValue = value;
  }

  function setBroker(bytes32 id, address broker) external {
    brokers[id] = broker;
  }

  function setProvider(bytes32 id, address token, address provider) external {
    providers[id][token] = provider;
  }

  function getPrice(IMorphoLike.MarketParams memory params) public view returns (uint256) {
    return _price(params.loanToken, params.collateralToken, params.oracle);
  }

  /// Morpho's code asks a market's oracle for its price, and the oracle's stand-in asks this: the call names the market.
  function priceOfCall() external view returns (uint256) {
    return _price(_loanToken, _collateralToken, _oracle);
  }

  function minLoan(IMorphoLike.MarketParams memory params) public view returns (uint256) {
    uint256 price = IMorphoLike(params.oracle).peek(params.loanToken);
    return price == 0 ? 0 : minLoanValue * 10 ** IERC20Metadata(params.loanToken).decimals() / price;
  }

  function isHealthy(IMorphoLike.MarketParams memory params, bytes32 id, address borrower)
    external
    view
    returns (bool)
  {
    (, uint128 shares, uint128 collateral) = IMorphoLike(address(this)).position(id, borrower);
    (uint256 assets, uint256 total) = _totals(id);
    uint256 borrowed = (uint256(shares) * assets + total - 1) / total;
    return shares == 0 || uint256(collateral) * getPrice(params) / 1e36 * params.lltv / 1e18 >= borrowed;
  }

  fallback() external {
    bool isGuarded = _isGuarded(msg.sig);
    if (isGuarded) {
      if (paused) revert EnforcedPause();
      if (_isLocked) revert ReentrancyGuardReentrantCall();
      _isLocked = true;
      (_loanToken, _collateralToken, _oracle) = abi.decode(msg.data[4:100], (address, address, address));
      _admit(keccak256(msg.data[4:164]));
    }
    (bool isAccepted, bytes memory answer) = _code.delegatecall(msg.data);
    bool changesDebt = msg.sig == IMorphoLike.repay.selector || msg.sig == IMorphoLike.borrow.selector;
    if (isAccepted && changesDebt) require(_leavesEnough(), "remain borrow too low");
    if (isGuarded) _isLocked = false;
    assembly ("memory-safe") {
      if isAccepted { return(add(answer, 0x20), mload(answer)) }
      revert(add(answer, 0x20), mload(answer))
    }
  }

  function _isGuarded(bytes4 selector) private pure returns (bool) {
    return selector == IMorphoLike.supply.selector || selector == IMorphoLike.withdraw.selector
      || selector == IMorphoLike.borrow.selector || selector == IMorphoLike.repay.selector
      || selector == IMorphoLike.supplyCollateral.selector || selector == IMorphoLike.withdrawCollateral.selector
      || selector == IMorphoLike.liquidate.selector;
  }

  function _admit(bytes32 id) private view {
    address broker = brokers[id];
    if (msg.sig == IMorphoLike.repay.selector) require(broker == address(0) || msg.sender == broker, "not broker");
    address provider = providers[id][_collateralToken];
    bool movesCollateral =
      msg.sig == IMorphoLike.supplyCollateral.selector || msg.sig == IMorphoLike.withdrawCollateral.selector;
    if (movesCollateral) require(provider == address(0) || msg.sender == provider, "not provider");
  }

  function _leavesEnough() private view returns (bool) {
    bytes32 id = keccak256(msg.data[4:164]);
    address account = abi.decode(msg.data[228:260], (address));
    (, uint128 shares,) = IMorphoLike(address(this)).position(id, account);
    if (shares == 0) return true;
    (uint256 assets, uint256 total) = _totals(id);
    return uint256(shares) * assets / total >= minLoan(abi.decode(msg.data[4:164], (IMorphoLike.MarketParams)));
  }

  /// Of all debts, with what Morpho adds before it converts.
  function _totals(bytes32 id) private view returns (uint256 assets, uint256 shares) {
    (,, uint128 totalAssets, uint128 totalShares,,) = IMorphoLike(address(this)).market(id);
    return (uint256(totalAssets) + 1, uint256(totalShares) + VIRTUAL_SHARES);
  }

  function _price(address loanToken, address collateralToken, address oracle) private view returns (uint256) {
    uint256 scale = 10 ** (36 + IERC20Metadata(loanToken).decimals() - IERC20Metadata(collateralToken).decimals());
    return scale * IMorphoLike(oracle).peek(collateralToken) / IMorphoLike(oracle).peek(loanToken);
  }
}
