// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPlanRegistry, Verdict} from "../../../contracts/interfaces/IPlanRegistry.sol";
import {PlanBase} from "../../base/PlanBase.sol";

/// PR-29: the digests that wallets sign. Forge computes them too, from the types alone, as a wallet does from JSON. Every
/// member has a value of its own.
contract PlanRegistrySignedTypesTest is PlanBase {
  string private constant DOMAIN_TYPE =
    '"EIP712Domain":[{"name":"name","type":"string"},{"name":"version","type":"string"},{"name":"chainId","type":"uint256"},{"name":"verifyingContract","type":"address"}]';
  string private constant CREATION_TYPE =
    '"Creation":[{"name":"owner","type":"address"},{"name":"plans","type":"Terms[]"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"},{"name":"epoch","type":"uint64"}]';
  string private constant TERMS_TYPE =
    '"Terms":[{"name":"owner","type":"address"},{"name":"recipient","type":"address"},{"name":"executor","type":"address"},{"name":"verdictSigner","type":"address"},{"name":"tokenIn","type":"address"},{"name":"tokenOut","type":"address"},{"name":"amountPerRun","type":"uint104"},{"name":"startAt","type":"uint40"},{"name":"periodSeconds","type":"uint32"},{"name":"windowSeconds","type":"uint32"},{"name":"maxRuns","type":"uint32"},{"name":"expiresAt","type":"uint40"},{"name":"priceSource","type":"address"},{"name":"limitPriceWad","type":"uint128"},{"name":"maxSlippageBps","type":"uint16"},{"name":"farLimit","type":"bool"},{"name":"triggerPriceWad","type":"uint128"}]';
  string private constant VERDICT_TYPE =
    '"Verdict":[{"name":"tokenIn","type":"address"},{"name":"tokenOut","type":"address"},{"name":"verdict","type":"uint8"},{"name":"maxPriceWad","type":"uint256"},{"name":"maxAmountIn","type":"uint256"},{"name":"issuedAt","type":"uint64"},{"name":"expiresAt","type":"uint64"},{"name":"evidenceHash","type":"bytes32"}]';

  function test_Creation() public view {
    IPlanRegistry.Creation memory creation;
    creation.owner = address(0x11);
    (creation.nonce, creation.deadline, creation.epoch) = (12, 13, 14);
    creation.plans = new IPlanRegistry.Terms[](2);
    (creation.plans[0], creation.plans[1]) = (_plan(100, true), _plan(200, false));
    string memory message = string.concat(
      '{"owner":"0x0000000000000000000000000000000000000011","plans":[',
      _json(creation.plans[0]),
      ",",
      _json(creation.plans[1]),
      '],"nonce":12,"deadline":13,"epoch":14}'
    );
    string memory types = string.concat(CREATION_TYPE, ",", TERMS_TYPE);
    assertEq(registry.digestOf(creation), _digest(types, "Creation", message));
  }

  function test_Ticket() public view {
    IPlanRegistry.Ticket memory ticket =
      IPlanRegistry.Ticket(address(0x11), address(0x12), Verdict.CAUTION, 13, 14, 15, 16, bytes32(uint256(17)));
    string memory message = string.concat(
      '{"tokenIn":"0x0000000000000000000000000000000000000011","tokenOut":"0x0000000000000000000000000000000000000012",',
      '"verdict":2,"maxPriceWad":13,"maxAmountIn":14,"issuedAt":15,"expiresAt":16,',
      '"evidenceHash":"0x0000000000000000000000000000000000000000000000000000000000000011"}'
    );
    assertEq(registry.digestOf(ticket), _digest(VERDICT_TYPE, "Verdict", message));
  }

  function _plan(uint160 from, bool farLimit) private pure returns (IPlanRegistry.Terms memory) {
    return IPlanRegistry.Terms({
      owner: address(from),
      recipient: address(from + 1),
      executor: address(from + 2),
      verdictSigner: address(from + 3),
      tokenIn: address(from + 4),
      tokenOut: address(from + 5),
      amountPerRun: uint104(from + 6),
      startAt: uint40(from + 7),
      periodSeconds: uint32(from + 8),
      windowSeconds: uint32(from + 9),
      maxRuns: uint32(from + 10),
      expiresAt: uint40(from + 11),
      priceSource: address(from + 12),
      limitPriceWad: uint128(from + 13),
      maxSlippageBps: uint16(from + 14),
      farLimit: farLimit,
      triggerPriceWad: uint128(from + 15)
    });
  }

  function _json(IPlanRegistry.Terms memory terms) private pure returns (string memory json) {
    json = string.concat('{"owner":"', vm.toString(terms.owner), '","recipient":"', vm.toString(terms.recipient));
    json = string.concat(json, '","executor":"', vm.toString(terms.executor));
    json = string.concat(json, '","verdictSigner":"', vm.toString(terms.verdictSigner));
    json = string.concat(json, '","tokenIn":"', vm.toString(terms.tokenIn), '","tokenOut":"');
    json = string.concat(json, vm.toString(terms.tokenOut), '","priceSource":"', vm.toString(terms.priceSource));
    json = string.concat(json, '","amountPerRun":', vm.toString(terms.amountPerRun));
    json = string.concat(json, ',"startAt":', vm.toString(terms.startAt));
    json = string.concat(json, ',"periodSeconds":', vm.toString(terms.periodSeconds));
    json = string.concat(json, ',"windowSeconds":', vm.toString(terms.windowSeconds));
    json = string.concat(json, ',"maxRuns":', vm.toString(terms.maxRuns));
    json = string.concat(json, ',"expiresAt":', vm.toString(terms.expiresAt));
    json = string.concat(json, ',"limitPriceWad":', vm.toString(terms.limitPriceWad));
    json = string.concat(json, ',"maxSlippageBps":', vm.toString(terms.maxSlippageBps));
    json = string.concat(json, ',"farLimit":', vm.toString(terms.farLimit));
    json = string.concat(json, ',"triggerPriceWad":', vm.toString(terms.triggerPriceWad), "}");
  }

  function _digest(string memory types, string memory primaryType, string memory message)
    private
    view
    returns (bytes32)
  {
    string memory domain = string.concat(
      '{"name":"Bowline PlanRegistry","version":"1","chainId":',
      vm.toString(block.chainid),
      ',"verifyingContract":"',
      vm.toString(address(registry)),
      '"}'
    );
    string memory json = string.concat('{"types":{', DOMAIN_TYPE, ",", types, '},"primaryType":"', primaryType);
    return vm.eip712HashTypedData(string.concat(json, '","domain":', domain, ',"message":', message, "}"));
  }
}
