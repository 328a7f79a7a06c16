// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PlanRegistry} from "../../../contracts/PlanRegistry.sol";
import {INonces} from "../../../contracts/interfaces/INonces.sol";
import {IPlanRegistry} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";
import {Product} from "../../base/Product.sol";
import {ContractSigner} from "../../mocks/ContractSigner.sol";

/// Plans that an owner signs and anyone submits.
contract PlanRegistryCreateBySignatureTest is PlanBase {
  uint256 private key;

  function setUp() public override {
    (owner, key) = makeAddrAndKey("signing owner");
    super.setUp();
  }

  function _creation(uint256 plans) private view returns (IPlanRegistry.Creation memory creation) {
    creation.owner = owner;
    creation.plans = new IPlanRegistry.Terms[](plans);
    for (uint256 i; i < plans; ++i) {
      creation.plans[i] = _terms();
      creation.plans[i].maxRuns = uint32(i + 1);
    }
    creation.nonce = 7;
    creation.deadline = block.timestamp + 1 hours;
  }

  function _sign(IPlanRegistry.Creation memory creation) private view returns (bytes memory) {
    (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, registry.digestOf(creation));
    return abi.encodePacked(r, s, v);
  }

  function _submit(IPlanRegistry.Creation memory creation, bytes memory signature) private returns (uint256) {
    vm.prank(stranger);
    return registry.createBySignature(creation, signature);
  }

  function _assertNotCreated(IPlanRegistry.Creation memory creation, bytes memory signature, bytes memory reason)
    private
  {
    uint256 before = registry.planCount();
    vm.expectRevert(reason);
    vm.prank(stranger);
    registry.createBySignature(creation, signature);
    assertEq(registry.planCount(), before);
  }

  /// PR-29: several plans by one signature, whoever submits it; they belong to the owner and run.
  function test_AnybodyMaySubmitWhatTheOwnerSigned() public {
    IPlanRegistry.Creation memory creation = _creation(3);
    uint256 first = _submit(creation, _sign(creation));
    assertEq(registry.planCount(), first + 2);
    for (uint256 i; i < 3; ++i) {
      IPlanRegistry.Plan memory made = registry.plan(first + i);
      assertEq(abi.encode(made.terms), abi.encode(creation.plans[i]));
      assertEq(uint8(made.state.status), uint8(IPlanRegistry.Status.Active));
      _run(first + i);
    }
    assertTrue(registry.isNonceUsedUp(owner, 7));
  }

  /// PR-1: the event names the owner, whoever submits.
  function test_TheEventNamesTheOwner() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    bytes memory signature = _sign(creation);
    vm.expectEmit(address(registry));
    emit IPlanRegistry.PlanCreated(1, owner, address(executor), 0, creation.plans[0]);
    _submit(creation, signature);
  }

  /// PR-31: once.
  function test_RevertWhen_SubmittedTwice() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    bytes memory signature = _sign(creation);
    _submit(creation, signature);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(INonces.NonceUsedUp.selector, owner, 7));
  }

  /// PR-31: nonces go in any order, and are each owner's own.
  function test_NoncesAreUnordered() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    vm.prank(stranger);
    registry.cancelNonce(7);
    creation.nonce = type(uint256).max;
    _submit(creation, _sign(creation));
    creation.nonce = 7;
    _submit(creation, _sign(creation));
  }

  /// PR-31: a signature with a cancelled nonce is invalid, cancelled once or twice.
  function test_RevertWhen_TheNonceIsCancelled() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    bytes memory signature = _sign(creation);
    vm.startPrank(owner);
    registry.cancelNonce(7);
    registry.cancelNonce(7);
    vm.stopPrank();
    _assertNotCreated(creation, signature, abi.encodeWithSelector(INonces.NonceUsedUp.selector, owner, 7));
  }

  /// PR-31: valid through the deadline's own second.
  function test_RevertWhen_TheDeadlineHasPassed() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    creation.deadline = block.timestamp;
    _submit(creation, _sign(creation));
    creation.nonce = 8;
    creation.deadline = block.timestamp - 1;
    _assertNotCreated(
      creation,
      _sign(creation),
      abi.encodeWithSelector(IPlanRegistry.DeadlinePassed.selector, creation.deadline, block.timestamp)
    );
  }

  /// PR-31: a revocation voids earlier signatures; signatures for the new epoch are valid.
  function test_RevertWhen_TheEpochHasPassed() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    bytes memory signature = _sign(creation);
    vm.prank(owner);
    revocations.revokeAll();
    uint64 epoch = revocations.epochOf(owner);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.EpochPassed.selector, 0, epoch));
    creation.epoch = epoch;
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
    _run(_submit(creation, _sign(creation)));
  }

  /// PR-29: every field is signed.
  function testFuzz_RevertWhen_AnythingIsChanged(uint256 field, uint256 by) public {
    IPlanRegistry.Creation memory creation = _creation(2);
    bytes memory signature = _sign(creation);
    by = bound(by, 1, 1_000);
    field = field % 8;
    if (field == 0) creation.nonce += by;
    if (field == 1) creation.deadline += by;
    if (field == 2) creation.plans[1].amountPerRun += uint104(by);
    if (field == 3) creation.plans[0].recipient = address(uint160(by + 100));
    if (field == 4) creation.plans[0] = creation.plans[1];
    if (field == 5) (creation.plans[0], creation.plans[1]) = (creation.plans[1], creation.plans[0]);
    if (field == 6) creation.plans[1].farLimit = true;
    if (field == 7) creation.plans[1].triggerPriceWad = uint128(by);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
  }

  /// PR-29: nobody can sign for another owner, and nobody can sign for the zero address.
  function test_RevertWhen_SomebodyElsesPlansAreSignedFor() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    creation.plans[0].owner = stranger;
    _assertNotCreated(
      creation, _sign(creation), abi.encodeWithSelector(IPlanRegistry.OwnerDiffers.selector, stranger, owner)
    );
    creation = _creation(1);
    bytes memory signature = _sign(creation);
    creation.owner = address(0);
    creation.plans[0].owner = address(0);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, address(0)));
  }

  /// PR-29
  function test_RevertWhen_ThereIsNothingToCreate() public {
    IPlanRegistry.Creation memory creation = _creation(0);
    _assertNotCreated(creation, _sign(creation), abi.encodeWithSelector(IPlanRegistry.PlansMissing.selector));
  }

  /// PR-29: unsound terms are refused even if signed, together with the rest of the signed request.
  function test_RevertWhen_OneOfThePlansIsUnsound() public {
    IPlanRegistry.Creation memory creation = _creation(2);
    creation.plans[1].amountPerRun = 0;
    _assertNotCreated(creation, _sign(creation), abi.encodeWithSelector(IPlanRegistry.AmountRefused.selector, 0));
    assertFalse(registry.isNonceUsedUp(owner, 7));
  }

  /// PR-29: for this registry on this chain.
  function test_RevertWhen_SignedForAnotherPlace() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    bytes memory signature = _sign(creation);
    PlanRegistry other = Product.planRegistry(revocations, loanGuard, new address[](0));
    vm.expectRevert(abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
    other.createBySignature(creation, signature);
    vm.chainId(97);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.SignatureRefused.selector, owner));
  }

  /// PR-29: an account with code signs as a contract (ERC-1271), and by its key when it has one (EIP-7702).
  function test_AccountsWithCodeSign() public {
    IPlanRegistry.Creation memory creation = _creation(1);
    ContractSigner account = new ContractSigner(owner);
    creation.owner = address(account);
    creation.plans[0].owner = address(account);
    assertEq(registry.plan(_submit(creation, _sign(creation))).terms.owner, address(account));

    vm.etch(owner, hex"ef0100000000000000000000000000000000000000beef");
    creation = _creation(1);
    _submit(creation, _sign(creation));
  }

  /// PR-31: a signature for a future epoch is impossible, because its number is unpredictable.
  function test_RevertWhen_SignedForAnEpochToCome() public {
    vm.roll(1_000);
    vm.setBlockhash(999, keccak256("nobody knows"));
    IPlanRegistry.Creation memory creation = _creation(1);
    creation.epoch = 1;
    bytes memory signature = _sign(creation);
    vm.prank(owner);
    revocations.revokeAll();
    uint64 epoch = revocations.epochOf(owner);
    _assertNotCreated(creation, signature, abi.encodeWithSelector(IPlanRegistry.EpochPassed.selector, 1, epoch));
  }
}
