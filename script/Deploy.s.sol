// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";
import {Script} from "forge-std/Script.sol";
import {VmSafe} from "forge-std/Vm.sol";
import {console} from "forge-std/console.sol";

import {CollateralGuard} from "../contracts/CollateralGuard.sol";
import {CollateralTerms} from "../contracts/CollateralTerms.sol";
import {LoanGuard} from "../contracts/LoanGuard.sol";
import {PlanRegistry} from "../contracts/PlanRegistry.sol";
import {QuoteDesk} from "../contracts/QuoteDesk.sol";
import {Revocations} from "../contracts/Revocations.sol";
import {SwapExecutor} from "../contracts/SwapExecutor.sol";
import {IAggregatorV3} from "../contracts/interfaces/IAggregatorV3.sol";
import {IMoolah} from "../contracts/interfaces/IMorpho.sol";
import {IResilientOracle, IVenusComptroller} from "../contracts/interfaces/IVenus.sol";
import {MoolahMarket} from "../contracts/lending/MoolahMarket.sol";
import {VenusCollateral} from "../contracts/lending/VenusCollateral.sol";
import {VenusMarket} from "../contracts/lending/VenusMarket.sol";
import {MarketAddress} from "../contracts/libraries/MarketAddress.sol";
import {ChainlinkPriceSource} from "../contracts/prices/ChainlinkPriceSource.sol";
import {VenusPriceSource} from "../contracts/prices/VenusPriceSource.sol";
import {Bsc} from "./Bsc.sol";
import {BscTestnet} from "./BscTestnet.sol";
import {Contracts} from "./Contracts.sol";

/// @title Deploys Bowline's contracts
/// @notice `run` sends the transactions. `record`, called afterwards, reads the settings back from the chain and only
/// then writes script/deployments/<chainId>.json (or to DEPLOYMENTS_DIR). These are two steps because forge runs a
/// script before it sends the script's transactions: a file written by `run` could list contracts that are never
/// deployed. For the same reason, whatever `run` refuses is refused before the first transaction: it checks all that
/// `record` will need, reads the settings back from the contracts that it would create, and prints their addresses.
///
/// CREATE2 derives every address from code and settings, so a second run finds the contracts of the first.
contract Deploy is Script {
  using SafeCast for uint256;

  error ChainNotSupported(uint256 chainId);
  /// Forge's own chain, where no `--rpc-url` names another, has no Venus; nor has a local chain that is no fork.
  error VenusMissing(uint256 chainId, string remedy);
  error SettingsMissing(string names);
  error NotDeployed(string name, address expected);
  error DeploymentFailed(string name);
  error ReadBackDiffers(string what);
  /// foundry.toml lists the folders that may be written (fs_permissions).
  error RecordFolderNotWritable(string DEPLOYMENTS_DIR);
  error NotAddresses(string setting);

  bytes32 private constant SALT = "bowline";
  uint256 private constant BSC = 56;
  uint256 private constant BSC_TESTNET = 97;
  uint256 private constant LOCAL = 31_337;

  /// Maximum age of a feed on the test network, where nobody promises a heartbeat.
  uint32 private constant TESTNET_MAX_AGE_SECONDS = 1 days;

  /// Maximum age and band of each Chainlink feed, by the symbol of its token.
  string private constant FEEDS = "packages/core/registry/feeds.json";

  /// Others' contracts on this chain.
  struct Others {
    address comptroller;
    address resilientOracle;
    address vBnb;
    address vUsdt;
    address usdt;
    address wbnb;
    address poolDeployer;
    /// Zero on a chain without Lista.
    address moolah;
  }

  /// Whether to deploy a missing contract (`run`) or revert (`record`).
  bool private _deploying;

  function run() external returns (Contracts memory contracts) {
    _requireChain();
    _requireSettings();
    _requireWritable(_recordFolder());
    _verdictSigners();
    _deploying = true;
    contracts = _all();
    _readBack(contracts);
    if (vm.isContext(VmSafe.ForgeContext.ScriptDryRun)) {
      console.log("Nothing is sent. Next: the same with --broadcast and a paying key, for example --account NAME.");
    } else {
      console.log(
        "Next, once all is sent, the record: %sforge script script/Deploy.s.sol --sig 'record()' --rpc-url URL",
        _settings()
      );
    }
  }

  function record() external returns (Contracts memory contracts) {
    _requireChain();
    _requireSettings();
    contracts = _all();
    _readBack(contracts);
    console.log("Recorded in %s. Next: docs/operations.md, from Deploy on.", _write(contracts));
  }

  /// Every address follows from the settings, whether the contract exists yet or not.
  function _all() private returns (Contracts memory c) {
    (address operator, address rotator) = _keys();
    Others memory others = _others();

    c.revocations = Revocations(_at("Revocations", type(Revocations).creationCode, ""));
    c.venusMarket = VenusMarket(
      payable(_at(
          "VenusMarket",
          type(VenusMarket).creationCode,
          abi.encode(IVenusComptroller(others.comptroller), others.vBnb, others.wbnb)
        ))
    );
    c.venusPriceSource = VenusPriceSource(
      _at("VenusPriceSource", type(VenusPriceSource).creationCode, abi.encode(IResilientOracle(others.resilientOracle)))
    );
    c.chainlinkPriceSource =
      ChainlinkPriceSource(_at("ChainlinkPriceSource", type(ChainlinkPriceSource).creationCode, abi.encode(_feeds())));
    address[] memory sources = new address[](2);
    sources[0] = address(c.venusPriceSource);
    sources[1] = address(c.chainlinkPriceSource);

    if (others.moolah.code.length != 0 && vm.envOr("MOOLAH_MARKET", true)) {
      c.moolahMarket =
        MoolahMarket(_at("MoolahMarket", type(MoolahMarket).creationCode, abi.encode(IMoolah(others.moolah))));
    }
    address[] memory adapters = new address[](address(c.moolahMarket) == address(0) ? 1 : 2);
    adapters[0] = address(c.venusMarket);
    if (adapters.length == 2) adapters[1] = address(c.moolahMarket);
    // Venus's own prices would tell a guard nothing that Venus does not.
    address[] memory watched = new address[](1);
    watched[0] = address(c.chainlinkPriceSource);
    c.loanGuard =
      LoanGuard(_at("LoanGuard", type(LoanGuard).creationCode, abi.encode(c.revocations, adapters, watched)));
    c.planRegistry = PlanRegistry(
      _at("PlanRegistry", type(PlanRegistry).creationCode, abi.encode(c.revocations, c.loanGuard, sources))
    );

    c.swapExecutor = SwapExecutor(
      _at(
        "SwapExecutor",
        type(SwapExecutor).creationCode,
        abi.encode(c.planRegistry, others.poolDeployer, operator, rotator)
      )
    );
    if (_maker() != address(0)) {
      c.quoteDesk = QuoteDesk(_at("QuoteDesk", type(QuoteDesk).creationCode, abi.encode(_maker())));
    }
    if (vm.envOr("COLLATERAL_GUARD", false)) _collateralGuard(c, others, watched);
  }

  function _collateralGuard(Contracts memory c, Others memory others, address[] memory watched) private {
    c.venusCollateral = VenusCollateral(
      payable(_at(
          "VenusCollateral",
          type(VenusCollateral).creationCode,
          abi.encode(IVenusComptroller(others.comptroller), others.vBnb, others.wbnb)
        ))
    );
    address[] memory adapters = new address[](1);
    adapters[0] = address(c.venusCollateral);
    c.collateralTerms = CollateralTerms(
      _at("CollateralTerms", type(CollateralTerms).creationCode, abi.encode(others.poolDeployer, adapters, watched))
    );
    c.collateralGuard = CollateralGuard(
      _at("CollateralGuard", type(CollateralGuard).creationCode, abi.encode(c.revocations, c.collateralTerms))
    );
  }

  function _at(string memory name, bytes memory creationCode, bytes memory arguments) private returns (address place) {
    bytes memory initCode = bytes.concat(creationCode, arguments);
    place = vm.computeCreate2Address(SALT, keccak256(initCode));
    if (_deploying) console.log("%s %s %s", place, place.code.length == 0 ? "new     " : "deployed", name);
    if (place.code.length != 0) return place;
    if (!_deploying) revert NotDeployed(name, place);
    vm.broadcast();
    (bool done,) = CREATE2_FACTORY.call(bytes.concat(SALT, initCode));
    if (!done || place.code.length == 0) revert DeploymentFailed(name);
  }

  /// Before the settings: which of them are needed depends on the chain.
  function _requireChain() private view {
    if (block.chainid != LOCAL && block.chainid != BSC && block.chainid != BSC_TESTNET) {
      revert ChainNotSupported(block.chainid);
    }
    if (_others().comptroller.code.length == 0) {
      revert VenusMissing(block.chainid, "name a node of BNB Chain, or of a fork of it, with --rpc-url");
    }
  }

  /// Those that are set, as a shell reads them before a command. The record needs the same.
  function _settings() private view returns (string memory text) {
    string[7] memory names =
      ["OPERATOR", "ROTATOR", "DESK_MAKER", "MOOLAH_MARKET", "COLLATERAL_GUARD", "VERDICT_SIGNERS", "DEPLOYMENTS_DIR"];
    for (uint256 i; i < names.length; ++i) {
      string memory value = vm.envOr(names[i], string(""));
      if (bytes(value).length != 0) text = string.concat(text, names[i], "=", value, " ");
    }
  }

  /// Names all that are missing at once. A local chain has defaults.
  function _requireSettings() private view {
    if (block.chainid == LOCAL) return;
    string memory missing = _ifMissing("OPERATOR", _ifMissing("ROTATOR", ""));
    if (block.chainid == BSC_TESTNET) missing = _ifMissing("DESK_MAKER", missing);
    if (bytes(missing).length != 0) revert SettingsMissing(missing);
  }

  function _ifMissing(string memory name, string memory others) private view returns (string memory) {
    return vm.envExists(name) ? others : string.concat(name, bytes(others).length == 0 ? "" : " ", others);
  }

  /// The keys behind the one setting that can change. A local chain has well-known defaults; other chains must name
  /// them.
  function _keys() private view returns (address operator, address rotator) {
    if (block.chainid == LOCAL) {
      operator = vm.envOr("OPERATOR", 0x70997970C51812dc3A010C7d01b50e0d17dc79C8);
      rotator = vm.envOr("ROTATOR", 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC);
    } else {
      operator = vm.envAddress("OPERATOR");
      rotator = vm.envAddress("ROTATOR");
    }
  }

  /// The account whose quotes the desk honours; zero: no desk.
  function _maker() private view returns (address) {
    if (block.chainid == BSC_TESTNET) return vm.envAddress("DESK_MAKER");
    return block.chainid == LOCAL ? vm.envOr("DESK_MAKER", address(0)) : address(0);
  }

  function _others() private view returns (Others memory) {
    if (block.chainid == BSC_TESTNET) {
      return Others({
        comptroller: BscTestnet.COMPTROLLER,
        resilientOracle: BscTestnet.RESILIENT_ORACLE,
        vBnb: BscTestnet.V_BNB,
        vUsdt: BscTestnet.V_USDT,
        usdt: BscTestnet.USDT,
        wbnb: BscTestnet.WBNB,
        poolDeployer: BscTestnet.PANCAKE_POOL_DEPLOYER,
        moolah: address(0)
      });
    }
    return Others({
      comptroller: Bsc.COMPTROLLER,
      resilientOracle: Bsc.RESILIENT_ORACLE,
      vBnb: Bsc.V_BNB,
      vUsdt: Bsc.V_USDT,
      usdt: Bsc.USDT,
      wbnb: Bsc.WBNB,
      poolDeployer: Bsc.PANCAKE_POOL_DEPLOYER,
      moolah: Bsc.MOOLAH
    });
  }

  function _feeds() private view returns (ChainlinkPriceSource.FeedConfig[] memory feeds) {
    bool isTest = block.chainid == BSC_TESTNET;
    string[5] memory keys = [".USDT", ".USDC", ".BTCB", ".ETH", ".WBNB"];
    address[5] memory tokens = isTest
      ? [BscTestnet.USDT, BscTestnet.USDC, BscTestnet.BTCB, BscTestnet.ETH, BscTestnet.WBNB]
      : [Bsc.USDT, Bsc.USDC, Bsc.BTCB, Bsc.ETH, Bsc.WBNB];
    address[5] memory aggregators = isTest
      ? [BscTestnet.USDT_FEED, BscTestnet.USDC_FEED, BscTestnet.BTC_FEED, BscTestnet.ETH_FEED, BscTestnet.BNB_FEED]
      : [Bsc.USDT_FEED, Bsc.USDC_FEED, Bsc.BTC_FEED, Bsc.ETH_FEED, Bsc.BNB_FEED];
    string memory json = vm.readFile(FEEDS);
    feeds = new ChainlinkPriceSource.FeedConfig[](5);
    for (uint256 i; i < feeds.length; ++i) {
      feeds[i] = _feed(json, keys[i], tokens[i], aggregators[i]);
      if (isTest) feeds[i].maxAgeSeconds = TESTNET_MAX_AGE_SECONDS;
    }
  }

  function _feed(string memory json, string memory key, address token, address feed)
    private
    pure
    returns (ChainlinkPriceSource.FeedConfig memory)
  {
    return ChainlinkPriceSource.FeedConfig({
      token: token,
      feed: IAggregatorV3(feed),
      maxAgeSeconds: vm.parseJsonUint(json, string.concat(key, ".maxAgeSeconds")).toUint32(),
      bandDecimals: vm.parseJsonUint(json, string.concat(key, ".bandDecimals")).toUint8(),
      bandMin: vm.parseJsonUint(json, string.concat(key, ".bandMin")).toUint24(),
      bandMax: vm.parseJsonUint(json, string.concat(key, ".bandMax")).toUint24()
    });
  }

  /// CREATE2 addresses already prove code and settings. This checks that the code uses the settings as intended.
  function _readBack(Contracts memory c) private view {
    Others memory others = _others();
    _require(address(c.venusMarket.comptroller()) == others.comptroller, "VenusMarket.comptroller");
    _require(c.venusMarket.vBnb() == others.vBnb, "VenusMarket.vBnb");
    _require(c.venusMarket.wbnb() == others.wbnb, "VenusMarket.wbnb");
    _require(c.venusMarket.repayToken(MarketAddress.toMarket(others.vUsdt)) == others.usdt, "VenusMarket.repayToken");
    _require(address(c.loanGuard.revocations()) == address(c.revocations), "LoanGuard.revocations");
    _require(c.loanGuard.isAdapter(address(c.venusMarket)), "LoanGuard.isAdapter");
    _require(!c.loanGuard.isPriceSource(address(c.venusPriceSource)), "LoanGuard.isPriceSource(Venus)");
    _require(c.loanGuard.isPriceSource(address(c.chainlinkPriceSource)), "LoanGuard.isPriceSource(Chainlink)");
    _require(address(c.venusPriceSource.oracle()) == others.resilientOracle, "VenusPriceSource.oracle");
    ChainlinkPriceSource.FeedConfig[] memory feeds = _feeds();
    for (uint256 i; i < feeds.length; ++i) {
      (
        IAggregatorV3 aggregator,
        uint32 maxAgeSeconds,
        uint8 exponent,
        uint8 bandExponent,
        uint24 bandMin,
        uint24 bandMax
      ) = c.chainlinkPriceSource.feedOf(feeds[i].token);
      uint256 decimals = IERC20Metadata(feeds[i].token).decimals();
      _require(aggregator == feeds[i].feed && exponent == 36 - decimals - 8, "ChainlinkPriceSource.feedOf");
      _require(maxAgeSeconds == feeds[i].maxAgeSeconds, "ChainlinkPriceSource.feedOf.maxAgeSeconds");
      _require(
        bandExponent == 8 - feeds[i].bandDecimals && bandMin == feeds[i].bandMin && bandMax == feeds[i].bandMax,
        "ChainlinkPriceSource.feedOf.band"
      );
    }
    _require(address(c.planRegistry.revocations()) == address(c.revocations), "PlanRegistry.revocations");
    _require(c.planRegistry.loanGuard() == address(c.loanGuard), "PlanRegistry.loanGuard");
    _require(c.planRegistry.isPriceSource(address(c.venusPriceSource)), "PlanRegistry.isPriceSource(Venus)");
    _require(c.planRegistry.isPriceSource(address(c.chainlinkPriceSource)), "PlanRegistry.isPriceSource(Chainlink)");
    _require(address(c.swapExecutor.registry()) == address(c.planRegistry), "SwapExecutor.registry");
    _require(c.swapExecutor.poolDeployer() == others.poolDeployer, "SwapExecutor.poolDeployer");
    // The operator may have been rotated since deployment.
    (, address rotator) = _keys();
    _require(c.swapExecutor.rotator() == rotator, "SwapExecutor.rotator");
    if (address(c.quoteDesk) != address(0)) _require(c.quoteDesk.maker() == _maker(), "QuoteDesk.maker");
    if (address(c.moolahMarket) != address(0)) {
      _require(address(c.moolahMarket.morpho()) == others.moolah, "MoolahMarket.morpho");
      _require(c.loanGuard.isAdapter(address(c.moolahMarket)), "LoanGuard.isAdapter(MoolahMarket)");
    }
    if (address(c.collateralGuard) != address(0)) _readBackCollateral(c, others);
  }

  function _readBackCollateral(Contracts memory c, Others memory others) private view {
    _require(address(c.venusCollateral.comptroller()) == others.comptroller, "VenusCollateral.comptroller");
    _require(c.venusCollateral.vBnb() == others.vBnb, "VenusCollateral.vBnb");
    _require(c.venusCollateral.wbnb() == others.wbnb, "VenusCollateral.wbnb");
    _require(
      c.venusCollateral.collateralToken(MarketAddress.toMarket(others.vUsdt)) == others.usdt,
      "VenusCollateral.collateralToken"
    );
    _require(c.collateralTerms.poolDeployer() == others.poolDeployer, "CollateralTerms.poolDeployer");
    _require(c.collateralTerms.isAdapter(address(c.venusCollateral)), "CollateralTerms.isAdapter");
    _require(!c.collateralTerms.isPriceSource(address(c.venusPriceSource)), "CollateralTerms.isPriceSource(Venus)");
    _require(
      c.collateralTerms.isPriceSource(address(c.chainlinkPriceSource)), "CollateralTerms.isPriceSource(Chainlink)"
    );
    _require(address(c.collateralGuard.revocations()) == address(c.revocations), "CollateralGuard.revocations");
    _require(address(c.collateralGuard.rules()) == address(c.collateralTerms), "CollateralGuard.rules");
  }

  function _require(bool same, string memory what) private pure {
    if (!same) revert ReadBackDiffers(what);
  }

  function _write(Contracts memory c) private returns (string memory file) {
    string memory json = "deployment";
    vm.serializeUint(json, "chainId", block.chainid);
    vm.serializeAddress(json, "revocations", address(c.revocations));
    vm.serializeAddress(json, "venusMarket", address(c.venusMarket));
    if (address(c.moolahMarket) != address(0)) vm.serializeAddress(json, "moolahMarket", address(c.moolahMarket));
    vm.serializeAddress(json, "loanGuard", address(c.loanGuard));
    vm.serializeAddress(json, "venusPriceSource", address(c.venusPriceSource));
    vm.serializeAddress(json, "chainlinkPriceSource", address(c.chainlinkPriceSource));
    vm.serializeAddress(json, "planRegistry", address(c.planRegistry));
    if (address(c.quoteDesk) != address(0)) vm.serializeAddress(json, "quoteDesk", address(c.quoteDesk));
    if (address(c.collateralGuard) != address(0)) {
      vm.serializeAddress(json, "venusCollateral", address(c.venusCollateral));
      vm.serializeAddress(json, "collateralTerms", address(c.collateralTerms));
      vm.serializeAddress(json, "collateralGuard", address(c.collateralGuard));
    }
    address[] memory signers = _verdictSigners();
    if (signers.length > 0) vm.serializeAddress(json, "verdictSigners", signers);
    string memory text = vm.serializeAddress(json, "swapExecutor", address(c.swapExecutor));
    string memory folder = _recordFolder();
    vm.createDir(folder, true);
    file = string.concat(folder, "/", vm.toString(block.chainid), ".json");
    vm.writeJson(text, file);
  }

  /// Accounts that sign verdicts for this deployment; `npx bowline replay` names a ticket of any other.
  /// @dev Forge takes the default in place of a list that it cannot read.
  function _verdictSigners() private view returns (address[] memory signers) {
    signers = vm.envOr("VERDICT_SIGNERS", ",", new address[](0));
    if (signers.length == 0 && bytes(vm.envOr("VERDICT_SIGNERS", string(""))).length != 0) {
      revert NotAddresses("VERDICT_SIGNERS");
    }
  }

  function _recordFolder() private view returns (string memory) {
    return vm.envOr("DEPLOYMENTS_DIR", string("script/deployments"));
  }

  function _requireWritable(string memory folder) private {
    try vm.createDir(folder, true) {}
    catch {
      revert RecordFolderNotWritable(folder);
    }
    string memory empty = string.concat(folder, "/.writable");
    try vm.writeFile(empty, "") {}
    catch {
      revert RecordFolderNotWritable(folder);
    }
    // Another run that checks the same folder may have removed it first.
    try vm.removeFile(empty) {} catch {}
  }
}
