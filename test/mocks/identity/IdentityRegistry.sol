// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// Replaces ERC-8004's registry of agents: same interface and behaviour, different code. No proxy.
contract IdentityRegistry is ERC721URIStorage, EIP712, Ownable {
  struct MetadataEntry {
    string metadataKey;
    bytes metadataValue;
  }

  bytes32 private constant WALLET_TYPEHASH =
    keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
  bytes32 private constant WALLET_KEY = keccak256("agentWallet");
  uint256 private constant LONGEST_DEADLINE = 5 minutes;

  /// The first agent is number 0.
  uint256 private _agents;
  mapping(uint256 agentId => mapping(string metadataKey => bytes)) private _metadata;
  mapping(uint256 agentId => address) private _wallets;

  event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
  event MetadataSet(
    uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
  );
  event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

  constructor(address owner_) ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") Ownable(owner_) {}

  function register() external returns (uint256 agentId) {
    return _register("", new MetadataEntry[](0));
  }

  function register(string memory agentURI) external returns (uint256 agentId) {
    return _register(agentURI, new MetadataEntry[](0));
  }

  function register(string memory agentURI, MetadataEntry[] memory metadata) external returns (uint256 agentId) {
    return _register(agentURI, metadata);
  }

  function getMetadata(uint256 agentId, string memory metadataKey) external view returns (bytes memory) {
    return _metadata[agentId][metadataKey];
  }

  function setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue) external {
    _onlyFor(agentId);
    _setMetadata(agentId, metadataKey, metadataValue);
  }

  function setAgentURI(uint256 agentId, string calldata newURI) external {
    _onlyFor(agentId);
    _setTokenURI(agentId, newURI);
    emit URIUpdated(agentId, newURI, msg.sender);
  }

  function getAgentWallet(uint256 agentId) external view returns (address) {
    _requireOwned(agentId);
    return _wallets[agentId];
  }

  function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external {
    _onlyFor(agentId);
    require(newWallet != address(0), "bad wallet");
    require(block.timestamp <= deadline, "expired");
    require(deadline <= block.timestamp + LONGEST_DEADLINE, "deadline too far");
    bytes32 hash = keccak256(abi.encode(WALLET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline));
    require(SignatureChecker.isValidSignatureNow(newWallet, _hashTypedDataV4(hash), signature), "invalid wallet sig");
    _setWallet(agentId, newWallet);
  }

  function unsetAgentWallet(uint256 agentId) external {
    _onlyFor(agentId);
    _setWallet(agentId, address(0));
  }

  function getVersion() external pure returns (string memory) {
    return "2.0.0";
  }

  /// The wallet of the owner before is not the new one's.
  function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
    from = super._update(to, agentId, auth);
    if (from != address(0) && to != address(0)) _setWallet(agentId, address(0));
  }

  function _register(string memory agentURI, MetadataEntry[] memory metadata) private returns (uint256 agentId) {
    agentId = _agents++;
    _wallets[agentId] = msg.sender;
    _setTokenURI(agentId, agentURI);
    emit Registered(agentId, agentURI, msg.sender);
    for (uint256 i; i < metadata.length; ++i) {
      _setMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
    }
    _safeMint(msg.sender, agentId);
  }

  function _setMetadata(uint256 agentId, string memory metadataKey, bytes memory metadataValue) private {
    require(keccak256(bytes(metadataKey)) != WALLET_KEY, "reserved key");
    _metadata[agentId][metadataKey] = metadataValue;
    emit MetadataSet(agentId, metadataKey, metadataKey, metadataValue);
  }

  function _setWallet(uint256 agentId, address wallet) private {
    bytes memory value = wallet == address(0) ? bytes("") : abi.encodePacked(wallet);
    _wallets[agentId] = wallet;
    _metadata[agentId]["agentWallet"] = value;
    emit MetadataSet(agentId, "agentWallet", "agentWallet", value);
  }

  function _onlyFor(uint256 agentId) private view {
    require(_isAuthorized(_requireOwned(agentId), msg.sender, agentId), "Not authorized");
  }
}
