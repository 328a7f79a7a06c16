// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IMorpho} from "../../contracts/interfaces/IMorpho.sol";
import {MorphoMarket} from "../../contracts/lending/MorphoMarket.sol";

/// @notice The base of MoolahMarket by itself, for tests on Morpho Blue's own code.
contract BareMorphoMarket is MorphoMarket {
  constructor(IMorpho morpho) MorphoMarket(morpho) {}
}
