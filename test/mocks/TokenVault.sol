// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// OpenZeppelin's vault as it is.
contract TokenVault is ERC4626 {
  constructor(IERC20 token) ERC20("Vault", "VLT") ERC4626(token) {}
}
