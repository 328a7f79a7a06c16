// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IJobHook} from "./IJobHook.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ERC165Checker} from "@openzeppelin/contracts/utils/introspection/ERC165Checker.sol";

/// Replaces BNB Chain's job escrow (ERC-8183, several payment tokens): same behaviour and interface, different code. No
/// proxy.
contract AgenticCommerce is Ownable2Step, Pausable, ReentrancyGuardTransient {
  using SafeERC20 for IERC20;

  enum Status {
    Open,
    Funded,
    Submitted,
    Completed,
    Rejected,
    Expired
  }

  struct Job {
    uint256 id;
    address client;
    address provider;
    address evaluator;
    string description;
    uint256 budget;
    uint256 expiredAt;
    Status status;
    address hook;
    uint256 submittedAt;
    bytes32 deliverable;
  }

  uint256 public constant BP_DENOMINATOR = 10_000;
  uint256 public constant MAX_PLATFORM_FEE_BP = 1_000;
  uint256 public constant MAX_EXPIRY_DURATION = 365 days;
  uint256 public constant HOOK_GAS_LIMIT = 1_000_000;
  uint256 private constant MIN_EXPIRY_DURATION = 5 minutes;

  address public immutable paymentToken;
  uint256 public jobCounter;
  uint256 public platformFeeBP;
  address public platformTreasury;

  mapping(address token => bool) public isPaymentTokenSupported;
  mapping(uint256 jobId => bool) public jobHasBudget;
  mapping(uint256 jobId => Job) public jobs;
  mapping(uint256 jobId => address) private _tokens;

  event JobCreated(
    uint256 indexed jobId,
    address indexed client,
    address indexed provider,
    address evaluator,
    uint256 expiredAt,
    address hook
  );
  event JobPaymentTokenBound(uint256 indexed jobId, address indexed token);
  event ProviderSet(uint256 indexed jobId, address indexed provider);
  event BudgetSet(uint256 indexed jobId, uint256 amount);
  event JobFunded(uint256 indexed jobId, address indexed client, address indexed provider, uint256 amount);
  event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
  event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
  event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
  event JobExpired(uint256 indexed jobId);
  event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
  event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);
  event PaymentTokenSupportUpdated(address indexed token, bool supported);
  event PlatformFeeUpdated(uint256 feeBP, address indexed treasury);

  error InvalidJob();
  error WrongStatus();
  error Unauthorized();
  error ZeroAddress();
  error ExpiryTooShort();
  error ExpiryTooLong();
  error ZeroBudget();
  error BudgetMismatch();
  error ProviderNotSet();
  error ProviderAlreadySet();
  error HookRequired();
  error HookMissingInterface();
  error HookCallFailed();
  error UnsupportedPaymentToken();
  error TokenHasNoCode();
  error FeeTooHigh();

  constructor(address token, address treasury, address owner_) Ownable(owner_) {
    paymentToken = token;
    platformTreasury = treasury;
    _setSupported(token, true);
  }

  function setPaymentTokenSupported(address token, bool supported) external onlyOwner {
    _setSupported(token, supported);
  }

  function setPlatformFee(uint256 feeBP, address treasury) external onlyOwner {
    if (feeBP > MAX_PLATFORM_FEE_BP) revert FeeTooHigh();
    if (treasury == address(0)) revert ZeroAddress();
    platformFeeBP = feeBP;
    platformTreasury = treasury;
    emit PlatformFeeUpdated(feeBP, treasury);
  }

  function pause() external onlyOwner {
    _pause();
  }

  function unpause() external onlyOwner {
    _unpause();
  }

  /// A missing job is all zeroes, with status Open.
  function getJob(uint256 jobId) external view returns (Job memory) {
    return jobs[jobId];
  }

  function jobPaymentToken(uint256 jobId) external view returns (address) {
    _existing(jobId);
    return _tokens[jobId];
  }

  function createJob(address provider, address evaluator, uint256 expiredAt, string calldata description, address hook)
    external
    whenNotPaused
    nonReentrant
    returns (uint256 jobId)
  {
    jobId = _create(provider, evaluator, expiredAt, description, hook, paymentToken);
    _after(jobs[jobId], abi.encode(msg.sender, provider, evaluator));
  }

  function createJobWithToken(
    address provider,
    address evaluator,
    uint256 expiredAt,
    string calldata description,
    address hook,
    address token
  ) external whenNotPaused nonReentrant returns (uint256 jobId) {
    jobId = _create(provider, evaluator, expiredAt, description, hook, token);
    _after(jobs[jobId], abi.encode(msg.sender, provider, evaluator, token));
  }

  function setProvider(uint256 jobId, address provider, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _inStatus(jobId, Status.Open);
    if (msg.sender != job.client) revert Unauthorized();
    if (job.provider != address(0)) revert ProviderAlreadySet();
    if (provider == address(0)) revert ZeroAddress();
    bytes memory data = abi.encode(provider, optParams);
    _before(job, data);
    job.provider = provider;
    _after(job, data);
    emit ProviderSet(jobId, provider);
  }

  function setBudget(uint256 jobId, uint256 amount, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _inStatus(jobId, Status.Open);
    if (msg.sender != job.client && msg.sender != job.provider) revert Unauthorized();
    bytes memory data = abi.encode(amount, optParams);
    _before(job, data);
    job.budget = amount;
    jobHasBudget[jobId] = true;
    _after(job, data);
    emit BudgetSet(jobId, amount);
  }

  function fund(uint256 jobId, uint256 expectedBudget, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _inStatus(jobId, Status.Open);
    if (msg.sender != job.client) revert Unauthorized();
    if (job.provider == address(0)) revert ProviderNotSet();
    if (!jobHasBudget[jobId]) revert ZeroBudget();
    if (expectedBudget != job.budget) revert BudgetMismatch();
    if (block.timestamp >= job.expiredAt) revert WrongStatus();
    _before(job, optParams);
    job.status = Status.Funded;
    if (job.budget != 0) IERC20(_tokens[jobId]).safeTransferFrom(msg.sender, address(this), job.budget);
    _after(job, optParams);
    emit JobFunded(jobId, msg.sender, job.provider, job.budget);
  }

  function submit(uint256 jobId, bytes32 deliverable, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _inStatus(jobId, Status.Funded);
    if (msg.sender != job.provider) revert Unauthorized();
    if (block.timestamp >= job.expiredAt) revert WrongStatus();
    bytes memory data = abi.encode(deliverable, optParams);
    _before(job, data);
    job.status = Status.Submitted;
    job.submittedAt = block.timestamp;
    job.deliverable = deliverable;
    _after(job, data);
    emit JobSubmitted(jobId, msg.sender, deliverable);
  }

  function complete(uint256 jobId, bytes32 reason, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _inStatus(jobId, Status.Submitted);
    if (msg.sender != job.evaluator) revert Unauthorized();
    bytes memory data = abi.encode(reason, optParams);
    _before(job, data);
    job.status = Status.Completed;
    uint256 fee = job.budget * platformFeeBP / BP_DENOMINATOR;
    _pay(jobId, platformTreasury, fee);
    _pay(jobId, job.provider, job.budget - fee);
    _after(job, data);
    emit JobCompleted(jobId, msg.sender, reason);
    emit PaymentReleased(jobId, job.provider, job.budget - fee);
  }

  /// Called by the evaluator while the job is in progress or under review, or by the client before funding. It ends the
  /// job.
  function reject(uint256 jobId, bytes32 reason, bytes calldata optParams) external whenNotPaused nonReentrant {
    Job storage job = _existing(jobId);
    bool isOpen = job.status == Status.Open;
    if (!isOpen && job.status != Status.Funded && job.status != Status.Submitted) revert WrongStatus();
    if (msg.sender != (isOpen ? job.client : job.evaluator)) revert Unauthorized();
    bytes memory data = abi.encode(reason, optParams);
    _before(job, data);
    job.status = Status.Rejected;
    if (!isOpen) _refund(job);
    _after(job, data);
    emit JobRejected(jobId, msg.sender, reason);
  }

  /// The exit that nobody can block: no pause, no hook.
  function claimRefund(uint256 jobId) external nonReentrant {
    Job storage job = _existing(jobId);
    if (job.status != Status.Funded && job.status != Status.Submitted) revert WrongStatus();
    if (block.timestamp < job.expiredAt) revert WrongStatus();
    job.status = Status.Expired;
    _refund(job);
    emit JobExpired(jobId);
  }

  function _create(
    address provider,
    address evaluator,
    uint256 expiredAt,
    string calldata description,
    address hook,
    address token
  ) private returns (uint256 jobId) {
    if (evaluator == address(0)) revert ZeroAddress();
    if (expiredAt <= block.timestamp + MIN_EXPIRY_DURATION) revert ExpiryTooShort();
    if (expiredAt > block.timestamp + MAX_EXPIRY_DURATION) revert ExpiryTooLong();
    if (hook == address(0)) revert HookRequired();
    if (!ERC165Checker.supportsInterface(hook, type(IJobHook).interfaceId)) revert HookMissingInterface();
    if (!isPaymentTokenSupported[token]) revert UnsupportedPaymentToken();
    jobId = ++jobCounter;
    Job storage job = jobs[jobId];
    job.id = jobId;
    job.client = msg.sender;
    job.provider = provider;
    job.evaluator = evaluator;
    job.description = description;
    job.expiredAt = expiredAt;
    job.hook = hook;
    _tokens[jobId] = token;
    emit JobCreated(jobId, msg.sender, provider, evaluator, expiredAt, hook);
    emit JobPaymentTokenBound(jobId, token);
  }

  function _setSupported(address token, bool supported) private {
    if (token == address(0)) revert ZeroAddress();
    if (supported && token.code.length == 0) revert TokenHasNoCode();
    isPaymentTokenSupported[token] = supported;
    emit PaymentTokenSupportUpdated(token, supported);
  }

  function _refund(Job storage job) private {
    if (job.budget == 0) return;
    _pay(job.id, job.client, job.budget);
    emit Refunded(job.id, job.client, job.budget);
  }

  function _pay(uint256 jobId, address to, uint256 amount) private {
    if (amount != 0) IERC20(_tokens[jobId]).safeTransfer(to, amount);
  }

  function _existing(uint256 jobId) private view returns (Job storage job) {
    job = jobs[jobId];
    if (jobId == 0 || job.id != jobId) revert InvalidJob();
  }

  function _inStatus(uint256 jobId, Status status) private view returns (Job storage job) {
    job = _existing(jobId);
    if (job.status != status) revert WrongStatus();
  }

  function _before(Job storage job, bytes memory data) private {
    _tell(job, abi.encodeCall(IJobHook.beforeAction, (job.id, msg.sig, data)));
  }

  function _after(Job storage job, bytes memory data) private {
    _tell(job, abi.encodeCall(IJobHook.afterAction, (job.id, msg.sig, data)));
  }

  /// The hook's revert data becomes the kernel's, unchanged.
  function _tell(Job storage job, bytes memory what) private {
    (bool done, bytes memory answer) = job.hook.call{gas: HOOK_GAS_LIMIT}(what);
    if (done) return;
    if (answer.length == 0) revert HookCallFailed();
    LowLevelCall.bubbleRevert(answer);
  }
}
