// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Does nothing. That a product of unsigned numbers exists tells the model checker that it is not negative, and of products of
/// unknowns it finds out nothing by itself. Every product given here fits 256 bits: one that did not would end the proof
/// early, with nothing proved of that input.
function hint(uint256) pure {}
