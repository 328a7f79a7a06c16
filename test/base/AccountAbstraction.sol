// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm} from "forge-std/Vm.sol";

interface IEntryPoint {
  struct Operation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
  }

  /// Not in EntryPoint 0.8.
  error Reentrancy();

  function handleOps(Operation[] calldata operations, address payable beneficiary) external;
  function getUserOpHash(Operation calldata operation) external view returns (bytes32);
  function depositTo(address account) external payable;
  function balanceOf(address account) external view returns (uint256);
  function getNonce(address account, uint192 key) external view returns (uint256);
}

interface IAccountFactory {
  function createAccount(address owner, uint256 salt) external returns (address account);
  function senderCreator() external view returns (address);
}

/// @notice ERC-4337 accounts on the published code of an EntryPoint, and what their owners sign.
library AccountAbstraction {
  Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
  uint256 internal constant GAS_PRICE = 0.05 gwei;

  /// @param package where npm puts the authors' compiled contracts.
  function deploy(string memory package) internal returns (IEntryPoint entryPoint, IAccountFactory factory) {
    entryPoint = IEntryPoint(VM.deployCode(_artifact(package, "EntryPoint")));
    factory = deployFactory(package, entryPoint);
  }

  /// @notice A factory of accounts that this EntryPoint serves.
  function deployFactory(string memory package, IEntryPoint entryPoint) internal returns (IAccountFactory) {
    return IAccountFactory(VM.deployCode(_artifact(package, "SimpleAccountFactory"), abi.encode(entryPoint)));
  }

  /// @notice The account of `owner`, with 1 BNB to pay for its operations.
  function createAccount(IEntryPoint entryPoint, IAccountFactory factory, address owner)
    internal
    returns (address account)
  {
    VM.prank(factory.senderCreator());
    account = factory.createAccount(owner, 0);
    entryPoint.depositTo{value: 1 ether}(account);
  }

  /// @notice The submission of the account's next operation, one call, as its owner has signed it and everybody sees it.
  function submission(
    IEntryPoint entryPoint,
    address account,
    uint256 privateKey,
    address target,
    bytes memory call,
    uint256 callGas,
    address beneficiary
  ) internal view returns (bytes memory) {
    IEntryPoint.Operation[] memory operations = new IEntryPoint.Operation[](1);
    IEntryPoint.Operation memory operation = operations[0];
    operation.sender = account;
    operation.nonce = entryPoint.getNonce(account, 0);
    operation.callData = abi.encodeWithSignature("execute(address,uint256,bytes)", target, 0, call);
    operation.accountGasLimits = bytes32((uint256(100_000) << 128) | callGas);
    operation.preVerificationGas = 50_000;
    operation.gasFees = bytes32((GAS_PRICE << 128) | GAS_PRICE);
    (uint8 v, bytes32 r, bytes32 s) = VM.sign(privateKey, entryPoint.getUserOpHash(operation));
    operation.signature = abi.encodePacked(r, s, v);
    return abi.encodeCall(IEntryPoint.handleOps, (operations, payable(beneficiary)));
  }

  function _artifact(string memory package, string memory name) private pure returns (string memory) {
    return string.concat("node_modules/@account-abstraction/", package, "/artifacts/", name, ".json");
  }
}
