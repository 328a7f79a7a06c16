// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgenticCommerce} from "./AgenticCommerce.sol";
import {IJobHook} from "./IJobHook.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

interface IJobPolicy {
  function onSubmitted(uint256 jobId, bytes32 deliverable, bytes calldata optParams) external;

  /// @return verdict 0 not yet, 1 approve, 2 reject
  function check(uint256 jobId, bytes calldata evidence) external view returns (uint8 verdict, bytes32 reason);
}

/// Replaces the evaluator and hook of all routed jobs of BNB Chain: the policy that a job's client registered decides
/// the job. Same interface, different code.
contract EvaluatorRouter is Ownable2Step, Pausable, ReentrancyGuardTransient, IJobHook, IERC165 {
  uint8 private constant APPROVE = 1;
  uint8 private constant REJECT = 2;

  AgenticCommerce public immutable commerce;
  uint256 public inflightJobCount;
  mapping(address policy => bool) public policyWhitelist;
  /// Zero again once the job has ended.
  mapping(uint256 jobId => address) public jobPolicy;

  event JobRegistered(uint256 indexed jobId, address indexed policy, address indexed client);
  event JobSettled(uint256 indexed jobId, address indexed policy, uint8 indexed verdict, bytes32 reason);
  event JobFinalised(uint256 indexed jobId, uint8 indexed status);
  event PolicyWhitelisted(address indexed policy, bool indexed status);

  error NotCommerce();
  error NotJobClient();
  error JobNotOpen();
  error RouterNotEvaluator();
  error RouterNotHook();
  error PolicyNotWhitelisted();
  error PolicyAlreadySet();
  error PolicyNotSet();
  error NotDecided();
  error NotExpired();
  error ZeroAddress();
  error UnknownVerdict(uint8 verdict);

  constructor(AgenticCommerce commerce_, address owner_) Ownable(owner_) {
    commerce = commerce_;
  }

  modifier onlyCommerce() {
    if (msg.sender != address(commerce)) revert NotCommerce();
    _;
  }

  function setPolicyWhitelist(address policy, bool status) external onlyOwner {
    if (policy == address(0)) revert ZeroAddress();
    policyWhitelist[policy] = status;
    emit PolicyWhitelisted(policy, status);
  }

  function pause() external onlyOwner {
    _pause();
  }

  function unpause() external onlyOwner {
    _unpause();
  }

  function registerJob(uint256 jobId, address policy) external whenNotPaused nonReentrant {
    if (!policyWhitelist[policy]) revert PolicyNotWhitelisted();
    if (jobPolicy[jobId] != address(0)) revert PolicyAlreadySet();
    AgenticCommerce.Job memory job = commerce.getJob(jobId);
    if (job.id == 0 || job.status != AgenticCommerce.Status.Open) revert JobNotOpen();
    if (msg.sender != job.client) revert NotJobClient();
    if (job.evaluator != address(this)) revert RouterNotEvaluator();
    if (job.hook != address(this)) revert RouterNotHook();
    jobPolicy[jobId] = policy;
    ++inflightJobCount;
    emit JobRegistered(jobId, policy, msg.sender);
  }

  /// Anyone may execute the policy's decision.
  function settle(uint256 jobId, bytes calldata evidence) external whenNotPaused nonReentrant {
    address policy = jobPolicy[jobId];
    if (policy == address(0)) revert PolicyNotSet();
    (uint8 verdict, bytes32 reason) = IJobPolicy(policy).check(jobId, evidence);
    if (verdict == 0) revert NotDecided();
    // Distinguishes equal reasons of two policies in the kernel's events.
    bytes32 ofPolicy = keccak256(abi.encode(policy, reason));
    if (verdict == APPROVE) commerce.complete(jobId, ofPolicy, "");
    else if (verdict == REJECT) commerce.reject(jobId, ofPolicy, "");
    else revert UnknownVerdict(verdict);
    emit JobSettled(jobId, policy, verdict, reason);
  }

  /// The kernel does not notify hooks of a refund after expiry.
  function markExpired(uint256 jobId) external nonReentrant {
    if (jobPolicy[jobId] == address(0)) revert PolicyNotSet();
    if (commerce.getJob(jobId).status != AgenticCommerce.Status.Expired) revert NotExpired();
    _finalise(jobId, AgenticCommerce.Status.Expired);
  }

  function beforeAction(uint256 jobId, bytes4 selector, bytes calldata) external view onlyCommerce {
    if (selector == AgenticCommerce.fund.selector && jobPolicy[jobId] == address(0)) revert PolicyNotSet();
  }

  function afterAction(uint256 jobId, bytes4 selector, bytes calldata data) external onlyCommerce {
    if (selector == AgenticCommerce.submit.selector) {
      address policy = jobPolicy[jobId];
      if (policy == address(0)) revert PolicyNotSet();
      (bytes32 deliverable, bytes memory optParams) = abi.decode(data, (bytes32, bytes));
      IJobPolicy(policy).onSubmitted(jobId, deliverable, optParams);
    } else if (selector == AgenticCommerce.complete.selector) {
      _finalise(jobId, AgenticCommerce.Status.Completed);
    } else if (selector == AgenticCommerce.reject.selector) {
      _finalise(jobId, AgenticCommerce.Status.Rejected);
    }
  }

  function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
    return interfaceId == type(IJobHook).interfaceId || interfaceId == type(IERC165).interfaceId;
  }

  /// A client may end an unregistered job.
  function _finalise(uint256 jobId, AgenticCommerce.Status status) private {
    if (jobPolicy[jobId] == address(0)) return;
    delete jobPolicy[jobId];
    --inflightJobCount;
    emit JobFinalised(jobId, uint8(status));
  }
}
