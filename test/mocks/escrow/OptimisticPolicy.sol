// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgenticCommerce} from "./AgenticCommerce.sol";
import {IJobPolicy} from "./EvaluatorRouter.sol";

/// Replaces the policy in which silence approves: within its window the client may dispute, and then voters may reject
/// up to the quorum. Same interface as on BNB Chain, different code. Its admin cannot change.
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
  event VoterRemoved(address indexed voter, uint16 activeVoterCount);
  event QuorumUpdated(uint16 oldQuorum, uint16 newQuorum);

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
  error UnknownVoter();
  error WouldBreakQuorum();
  error QuorumZero();
  error QuorumOutOfRange();
  error WrongJobStatus();
  error ZeroAddress();

  modifier onlyAdmin() {
    if (msg.sender != admin) revert NotAdmin();
    _;
  }

  constructor(AgenticCommerce commerce_, address router_, address admin_, uint64 disputeWindow_, uint16 quorum) {
    if (address(commerce_) == address(0) || router_ == address(0) || admin_ == address(0)) revert ZeroAddress();
    if (quorum == 0) revert QuorumZero();
    commerce = commerce_;
    router = router_;
    admin = admin_;
    disputeWindow = disputeWindow_;
    voteQuorum = quorum;
  }

  function addVoter(address voter) external onlyAdmin {
    if (voter == address(0)) revert ZeroAddress();
    if (isVoter[voter]) revert VoterAlreadyExists();
    isVoter[voter] = true;
    emit VoterAdded(voter, ++activeVoterCount);
  }

  function removeVoter(address voter) external onlyAdmin {
    if (!isVoter[voter]) revert UnknownVoter();
    if (activeVoterCount <= voteQuorum) revert WouldBreakQuorum();
    isVoter[voter] = false;
    emit VoterRemoved(voter, --activeVoterCount);
  }

  /// Applies to later disputes.
  function setQuorum(uint16 quorum) external onlyAdmin {
    if (quorum == 0) revert QuorumZero();
    if (quorum > activeVoterCount) revert QuorumOutOfRange();
    emit QuorumUpdated(voteQuorum, quorum);
    voteQuorum = quorum;
  }

  /// Refuses a job whose client could not object for the whole window: a job that expires first would be refunded.
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
    if (job.status != AgenticCommerce.Status.Submitted) revert WrongJobStatus();
    // The router was not the job's hook.
    if (submittedAt[jobId] == 0) revert NotSubmitted();
    if (disputed[jobId]) revert AlreadyDisputed();
    if (_windowIsOver(jobId)) revert OutsideDisputeWindow();
    disputed[jobId] = true;
    disputeQuorumSnapshot[jobId] = voteQuorum;
    emit Disputed(jobId, msg.sender);
  }

  /// Counts until the job is settled, also after the window.
  function voteReject(uint256 jobId) external {
    if (!isVoter[msg.sender]) revert NotVoter();
    if (!disputed[jobId]) revert NotDisputed();
    if (hasVoted[jobId][msg.sender]) revert AlreadyVoted();
    if (commerce.getJob(jobId).status != AgenticCommerce.Status.Submitted) revert WrongJobStatus();
    hasVoted[jobId][msg.sender] = true;
    uint16 votes = ++rejectVotes[jobId];
    emit VoteCast(jobId, msg.sender, votes);
    if (votes == disputeQuorumSnapshot[jobId]) emit QuorumReached(jobId, votes);
  }

  function check(uint256 jobId, bytes calldata) external view returns (uint8 verdict, bytes32 reason) {
    if (submittedAt[jobId] == 0) return (PENDING, bytes32(0));
    if (disputed[jobId] && rejectVotes[jobId] >= disputeQuorumSnapshot[jobId]) return (REJECT, REASON_REJECTED);
    if (_windowIsOver(jobId)) return (APPROVE, REASON_APPROVED);
    return (PENDING, bytes32(0));
  }

  /// Silence has approved from the window's end on.
  function _windowIsOver(uint256 jobId) private view returns (bool) {
    return block.timestamp >= uint256(submittedAt[jobId]) + disputeWindow;
  }
}
