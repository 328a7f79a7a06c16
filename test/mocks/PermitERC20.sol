// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// A token with signed allowances (EIP-2612).
contract PermitERC20 is ERC20Permit {
  constructor() ERC20("PERMIT", "PERMIT") ERC20Permit("PERMIT") {}

  function mint(address to, uint256 amount) external {
    _mint(to, amount);
  }
}
