// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {PaymentToken} from "../mocks/PaymentToken.sol";
import {AgenticCommerce} from "../mocks/escrow/AgenticCommerce.sol";
import {EvaluatorRouter} from "../mocks/escrow/EvaluatorRouter.sol";
import {OptimisticPolicy} from "../mocks/escrow/OptimisticPolicy.sol";
import {Test} from "forge-std/Test.sol";

/// The escrow's stand-in with a policy of two votes, and a client with 100 of the token.
abstract contract EscrowBase is Test {
  uint64 internal constant WINDOW = 1 hours;
  uint256 internal constant BUDGET = 5 ether;
  uint256 internal constant NOW = 1_000_000;

  address internal immutable client = makeAddr("client");
  address internal immutable provider = makeAddr("provider");
  address internal immutable stranger = makeAddr("stranger");
  address internal immutable treasury = makeAddr("treasury");
  PaymentToken internal token;
  AgenticCommerce internal commerce;
  EvaluatorRouter internal router;
  OptimisticPolicy internal policy;

  function setUp() public virtual {
    vm.warp(NOW);
    token = new PaymentToken(address(this));
    commerce = new AgenticCommerce(address(token), treasury, address(this));
    router = new EvaluatorRouter(commerce, address(this));
    policy = new OptimisticPolicy(commerce, address(router), address(this), WINDOW, 2);
    router.setPolicyWhitelist(address(policy), true);
    require(token.transfer(client, 100 ether));
    vm.prank(client);
    token.approve(address(commerce), type(uint256).max);
  }

  function create() internal returns (uint256) {
    return create(address(router), address(router));
  }

  function create(address evaluator, address hook) internal returns (uint256) {
    vm.prank(client);
    return commerce.createJob(provider, evaluator, NOW + 1 days, "job", hook);
  }

  function funded() internal returns (uint256) {
    return funded(BUDGET);
  }

  function funded(uint256 budget) internal returns (uint256 id) {
    id = create();
    vm.startPrank(client);
    router.registerJob(id, address(policy));
    commerce.setBudget(id, budget, "");
    commerce.fund(id, budget, "");
    vm.stopPrank();
  }

  function submitted() internal returns (uint256 id) {
    id = funded();
    submit(id);
  }

  function submit(uint256 id) internal {
    vm.prank(provider);
    commerce.submit(id, "deliverable", "{}");
  }

  function assertStatus(uint256 id, AgenticCommerce.Status status) internal view {
    assertEq(uint8(commerce.getJob(id).status), uint8(status));
  }
}
