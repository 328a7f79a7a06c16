// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {MockLendingMarket} from "./MockLendingMarket.sol";

/// A lending market whose reading does what a test asks for. It records the gas that the reading began with.
contract HostileMarket is MockLendingMarket {
  enum Deed {
    None,
    BurnGas,
    LongError,
    LongAnswer
  }

  Deed private _deed;
  uint256 private _size;
  address private _target;
  bytes private _call;
  uint256 public gasSeen;
  bool public succeeded;
  bytes public returned;

  constructor(IERC20 token_, bytes32 market_, address till_) MockLendingMarket(token_, market_, till_, 1e18) {}

  /// @param size Length of the error or the answer.
  function behave(Deed deed, uint256 size) external {
    (_deed, _size) = (deed, size);
  }

  /// Calls this during the next reading, and then continues.
  function hookReading(address target, bytes calldata call) external {
    (_target, _call) = (target, call);
  }

  function accrueAndRead(address borrower, bytes32 market_) public override returns (Position memory) {
    uint256 gasBegan = gasleft();
    uint256 size = _size;
    if (_deed == Deed.BurnGas) {
      assembly {
        invalid()
      }
    }
    if (_deed == Deed.LongError) {
      assembly {
        let error := mload(0x40)
        mstore8(error, 0x7f)
        mstore8(add(error, 131), 0x01)
        mstore8(add(error, 132), 0x02)
        revert(error, size)
      }
    }
    if (_deed == Deed.LongAnswer) {
      assembly {
        return(mload(0x40), size)
      }
    }
    gasSeen = gasBegan;
    if (_target != address(0)) {
      address target = _target;
      _target = address(0);
      (succeeded, returned) = target.call(_call);
    }
    return super.accrueAndRead(borrower, market_);
  }
}
