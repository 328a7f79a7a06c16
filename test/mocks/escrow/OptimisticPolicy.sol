// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgenticCommerce} from "./AgenticCommerce.sol";
import {IJobPolicy} from "./EvaluatorRouter.sol";

/// Stands in for the policy by which silence approves: within its window the client may dispute, and then voters may reject
/// up to the quorum. As called on BNB Chain; its code is not. Its admin is for ever.
contract OptimisticPolicy is IJobPolicy {
  uint8 private constant PENDING = 0;
  uint8 private constant APPROVE = 1;
  uint8 private constant REJECT = 2;
  bytes32 public constant REASON_APPROVED = keccak256("OPTIMISTIC_APPROVED");
  bytes32 public constant REASON_REJECTED = keccak256("OPTIMISTIC_REJECTED");

  AgenticCommerce public immutable commerce;
  address public immutable router;
  address public immutable admin;
  uint64 public immutable disputeWindow;

  uint16 public voteQuorum;
  uint16 public activeVoterCount;
  mapping(address voter => bool) public isVoter;
  mapping(uint256 jobId => uint64) public submittedAt;
  mapping(uint256 jobId => bool) public disputed;
  mapping(uint256 jobId => uint16) public rejectVotes;
  mapping(uint256 jobId => uint16) public disputeQuorumSnapshot;
  mapping(uint256 jobId => mapping(address voter => bool)) public hasVoted;

  event JobInitialised(uint256 indexed jobId, bytes32 deliverable, uint64 submittedAt, bytes optParams);
  event Disputed(uint256 indexed jobId, address indexed client);
  event VoteCast(uint256 indexed jobId, address indexed voter, uint16 rejectVotes);
  event QuorumReached(uint256 indexed jobId, uint16 rejectVotes);
  event VoterAdded(address indexed voter, uint16 activeVoterCount);

  error NotAdmin();
  error NotRouter();
  error NotClient();
  error NotVoter();
  error NotSubmitted();
  error NotDisputed();
  error AlreadyInitialised();
  error AlreadyDisputed();
  error AlreadyVoted();
  error OutsideDisputeWindow();
  error SubmissionTooLate();
  error VoterAlreadyExists();
  error QuorumZero();
  error WrongJobStatus();

  constructor(AgenticCommerce commerce_, address router_, address admin_, uint64 disputeWindow_, uint16 quorum) {
    if (quorum == 0) revert QuorumZero();
    commerce = commerce_;
    router = router_;
    admin = admin_;
    disputeWindow = disputeWindow_;
    voteQuorum = quorum;
  }

  function addVoter(address voter) external {
    if (msg.sender != admin) revert NotAdmin();
    if (isVoter[voter]) revert VoterAlreadyExists();
    isVoter[voter] = true;
    emit VoterAdded(voter, ++activeVoterCount);
  }

  /// Refused when the client could not object for the whole window: what expires first would be refunded.
  function onSubmitted(uint256 jobId, bytes32 deliverable, bytes calldata optParams) external {
    if (msg.sender != router) revert NotRouter();
    if (submittedAt[jobId] != 0) revert AlreadyInitialised();
    if (block.timestamp + disputeWindow > commerce.getJob(jobId).expiredAt) revert SubmissionTooLate();
    submittedAt[jobId] = uint64(block.timestamp);
    emit JobInitialised(jobId, deliverable, uint64(block.timestamp), optParams);
  }

  function dispute(uint256 jobId) external {
    AgenticCommerce.Job memory job = commerce.getJob(jobId);
    if (msg.sender != job.client) revert NotClient();
    if (submittedAt[jobId] == 0) revert NotSubmitted();
    if (job.status != AgenticCommerce.Status.Submitted) revert WrongJobStatus();
    if (disputed[jobId]) revert AlreadyDisputed();
    if (block.timestamp > submittedAt[jobId] + disputeWindow) revert OutsideDisputeWindow();
    disputed[jobId] = true;
    disputeQuorumSnapshot[jobId] = voteQuorum;
    emit Disputed(jobId, msg.sender);
  }

  function voteReject(uint256 jobId) external {
    if (!isVoter[msg.sender]) revert NotVoter();
    if (!disputed[jobId]) revert NotDisputed();
    if (hasVoted[jobId][msg.sender]) revert AlreadyVoted();
    if (block.timestamp > submittedAt[jobId] + disputeWindow) revert OutsideDisputeWindow();
    hasVoted[jobId][msg.sender] = true;
    uint16 votes = ++rejectVotes[jobId];
    emit VoteCast(jobId, msg.sender, votes);
    if (votes == disputeQuorumSnapshot[jobId]) emit QuorumReached(jobId, votes);
  }

  function check(uint256 jobId, bytes calldata) external view returns (uint8 verdict, bytes32 reason) {
    uint64 submitted = submittedAt[jobId];
    if (submitted == 0) return (PENDING, bytes32(0));
    if (disputed[jobId] && rejectVotes[jobId] >= disputeQuorumSnapshot[jobId]) return (REJECT, REASON_REJECTED);
    if (block.timestamp > submitted + disputeWindow) return (APPROVE, REASON_APPROVED);
    return (PENDING, bytes32(0));
  }
}
