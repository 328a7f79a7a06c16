// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Stand-in for the PancakeSwap v3 pool deployer, for local chains only
/// @notice The pool's creation code is published; the deployer's is not. This contract creates pools from the published
/// code with the deployer's salt rule, so every pool has the address it has on BNB Chain.
contract ReplicaPoolDeployer {
  struct Parameters {
    address factory;
    address token0;
    address token1;
    uint24 fee;
    int24 tickSpacing;
  }

  /// @notice Read by a pool's constructor, because constructor arguments would change the pool's address.
  Parameters public parameters;

  /// @notice The only account that may call `deploy`, set once.
  address public factoryAddress;

  /// @notice An address whose code is the pool's creation code, which is too long to embed in this contract.
  address public immutable CREATION_CODE;

  error FactoryAlreadySet(address factory);
  error NotFactory(address caller);
  error PoolNotCreated(address token0, address token1, uint24 fee);

  constructor(address creationCode) {
    CREATION_CODE = creationCode;
  }

  function setFactoryAddress(address factory) external {
    if (factoryAddress != address(0)) revert FactoryAlreadySet(factoryAddress);
    factoryAddress = factory;
  }

  function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
    external
    returns (address pool)
  {
    if (msg.sender != factoryAddress) revert NotFactory(msg.sender);
    parameters = Parameters(factory, token0, token1, fee, tickSpacing);
    bytes memory creationCode = CREATION_CODE.code;
    bytes32 salt = keccak256(abi.encode(token0, token1, fee));
    assembly ("memory-safe") {
      pool := create2(0, add(creationCode, 0x20), mload(creationCode), salt)
    }
    if (pool == address(0)) revert PoolNotCreated(token0, token1, fee);
    delete parameters;
  }
}
