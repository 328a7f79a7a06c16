// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Vm, VmSafe} from "forge-std/Vm.sol";

import {LoanGuard} from "../../contracts/LoanGuard.sol";
import {PlanRegistry} from "../../contracts/PlanRegistry.sol";
import {QuoteDesk} from "../../contracts/QuoteDesk.sol";
import {Revocations} from "../../contracts/Revocations.sol";
import {SwapExecutor} from "../../contracts/SwapExecutor.sol";
import {IMoolah, IMorpho} from "../../contracts/interfaces/IMorpho.sol";
import {IPlanRegistry} from "../../contracts/interfaces/IPlanRegistry.sol";
import {IRevocations} from "../../contracts/interfaces/IRevocations.sol";
import {IResilientOracle, IVenusComptroller} from "../../contracts/interfaces/IVenus.sol";
import {MoolahMarket} from "../../contracts/lending/MoolahMarket.sol";
import {VenusMarket} from "../../contracts/lending/VenusMarket.sol";
import {MarketLens} from "../../contracts/lens/MarketLens.sol";
import {ChainlinkPriceSource} from "../../contracts/prices/ChainlinkPriceSource.sol";
import {VenusPriceSource} from "../../contracts/prices/VenusPriceSource.sol";
import {BareMorphoMarket} from "../mocks/BareMorphoMarket.sol";

/// @notice Bowline's contracts with the very bytecode that is deployed. Tests are compiled without the optimizer, which
/// takes most of a build's time; `new` in a test would build a contract without it, too.
library Product {
  Vm private constant VM = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

  function revocations() internal returns (Revocations) {
    return Revocations(create("Revocations", ""));
  }

  function planRegistry(IRevocations revocations_, address loanGuard_, address[] memory sources)
    internal
    returns (PlanRegistry)
  {
    return PlanRegistry(create("PlanRegistry", abi.encode(revocations_, loanGuard_, sources)));
  }

  function swapExecutor(IPlanRegistry registry, address poolDeployer, address operator, address rotator)
    internal
    returns (SwapExecutor)
  {
    return SwapExecutor(create("SwapExecutor", abi.encode(registry, poolDeployer, operator, rotator)));
  }

  function loanGuard(IRevocations revocations_, address[] memory adapters, address[] memory sources)
    internal
    returns (LoanGuard)
  {
    return LoanGuard(create("LoanGuard", abi.encode(revocations_, adapters, sources)));
  }

  function venusMarket(IVenusComptroller comptroller, address vBnb, address wbnb) internal returns (VenusMarket) {
    return VenusMarket(payable(create("VenusMarket", abi.encode(comptroller, vBnb, wbnb))));
  }

  function bareMorphoMarket(IMorpho morpho) internal returns (BareMorphoMarket) {
    return BareMorphoMarket(create("BareMorphoMarket", abi.encode(morpho)));
  }

  function moolahMarket(IMoolah moolah) internal returns (MoolahMarket) {
    return MoolahMarket(create("MoolahMarket", abi.encode(moolah)));
  }

  function quoteDesk(address maker) internal returns (QuoteDesk) {
    return QuoteDesk(create("QuoteDesk", abi.encode(maker)));
  }

  function chainlinkPriceSource(ChainlinkPriceSource.FeedConfig[] memory configs)
    internal
    returns (ChainlinkPriceSource)
  {
    return ChainlinkPriceSource(create("ChainlinkPriceSource", abi.encode(configs)));
  }

  function venusPriceSource(IResilientOracle oracle) internal returns (VenusPriceSource) {
    return VenusPriceSource(create("VenusPriceSource", abi.encode(oracle)));
  }

  function marketLens() internal returns (MarketLens) {
    return MarketLens(create("MarketLens", ""));
  }

  /// @notice Reverts as the constructor does.
  function create(string memory name, bytes memory arguments) internal returns (address created) {
    string memory place = string.concat(name, ".sol");
    // By name forge would take the contract as it was compiled for the test. Coverage has nothing else.
    string memory artifact = VM.isContext(VmSafe.ForgeContext.Coverage)
      ? string.concat(place, ":", name)
      : string.concat("out/", place, "/", name, ".json");
    bytes memory code = bytes.concat(VM.getCode(artifact), arguments);
    assembly ("memory-safe") {
      created := create(0, add(code, 0x20), mload(code))
      if iszero(created) {
        let error := mload(0x40)
        returndatacopy(error, 0, returndatasize())
        revert(error, returndatasize())
      }
    }
  }
}
