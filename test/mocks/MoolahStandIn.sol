// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMoolah, IMorpho, IMorphoOracle} from "../../contracts/interfaces/IMorpho.sol";

/// The price of a token in US dollars with 8 decimals, as Moolah's oracles give it.
interface IMoolahOracle {
  function peek(address token) external view returns (uint256);
}

/// @notice Stands in for Lista's Moolah, whose code is not to be had from npm: Morpho Blue's own code on this contract's
/// storage, with what Moolah adds to `borrow` and `repay`.
contract MoolahStandIn {
  uint256 private constant VIRTUAL_SHARES = 1e6;

  /// Of Morpho. The first is its owner.
  uint256[9] private _morphoStorage;
  address private immutable _code;

  bool public paused;
  /// In US dollars with 8 decimals.
  uint256 public minLoanValue;
  mapping(bytes32 id => address) public brokers;

  error EnforcedPause();

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

  function getPrice(IMorpho.MarketParams memory params) external view returns (uint256) {
    return IMorphoOracle(params.oracle).price();
  }

  function minLoan(IMorpho.MarketParams memory params) public view returns (uint256) {
    uint256 price = IMoolahOracle(params.oracle).peek(params.loanToken);
    return price == 0 ? 0 : minLoanValue * 1e18 / price;
  }

  fallback() external {
    bool isRepay = msg.sig == IMorpho.repay.selector;
    bool changesDebt = isRepay || msg.sig == bytes4(keccak256(bytes(BORROW)));
    if (changesDebt) {
      if (paused) revert EnforcedPause();
      address broker = brokers[_id()];
      require(!isRepay || broker == address(0) || broker == msg.sender, "not broker");
    }
    (bool isAccepted, bytes memory answer) = _code.delegatecall(msg.data);
    if (isAccepted && changesDebt) require(_leavesEnough(), "remain borrow too low");
    assembly ("memory-safe") {
      if isAccepted { return(add(answer, 0x20), mload(answer)) }
      revert(add(answer, 0x20), mload(answer))
    }
  }

  string private constant BORROW = "borrow((address,address,address,address,uint256),uint256,uint256,address,address)";

  /// The market's five words stand first in both calls.
  function _id() private pure returns (bytes32) {
    return keccak256(msg.data[4:164]);
  }

  function _leavesEnough() private returns (bool) {
    address account = abi.decode(msg.data[228:260], (address));
    (, uint128 shares,) = IMorpho(address(this)).position(_id(), account);
    if (shares == 0) return true;
    (,, uint128 totalAssets, uint128 totalShares,,) = IMorpho(address(this)).market(_id());
    uint256 debt = uint256(shares) * (uint256(totalAssets) + 1) / (uint256(totalShares) + VIRTUAL_SHARES);
    return debt >= minLoan(abi.decode(msg.data[4:164], (IMorpho.MarketParams)));
  }
}
