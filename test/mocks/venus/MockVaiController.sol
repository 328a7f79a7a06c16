// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IVaiController} from "../../../contracts/interfaces/IVenus.sol";

/// VAI debt as set, and the interest that the next accrual adds. It can be set to fail with a code.
contract MockVaiController is IVaiController {
  IERC20 private _vai;
  mapping(address account => uint256) public getVAIRepayAmount;
  mapping(address account => uint256) private _interest;
  address private _accruesFor;
  uint256 private _repayCode;

  constructor(IERC20 vai) {
    _vai = vai;
  }

  function set(address account, uint256 owed) external {
    getVAIRepayAmount[account] = owed;
  }

  /// An action of its admin.
  function setVAIToken(IERC20 vai) external {
    _vai = vai;
  }

  function setInterest(address account, uint256 interest) external {
    (_accruesFor, _interest[account]) = (account, interest);
  }

  function setRepayCode(uint256 repayCode) external {
    _repayCode = repayCode;
  }

  function getVAIAddress() external view returns (address) {
    return address(_vai);
  }

  function accrueVAIInterest() external {
    getVAIRepayAmount[_accruesFor] += _interest[_accruesFor];
    _interest[_accruesFor] = 0;
  }

  function repayVAIBehalf(address borrower, uint256 amount) external returns (uint256, uint256) {
    if (_repayCode != 0) return (_repayCode, 0);
    uint256 debt = getVAIRepayAmount[borrower];
    if (amount > debt) amount = debt;
    require(_vai.transferFrom(msg.sender, address(this), amount));
    getVAIRepayAmount[borrower] = debt - amount;
    return (0, amount);
  }
}
