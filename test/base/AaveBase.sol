// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAaveAddresses, IAavePool} from "../../contracts/interfaces/IAave.sol";
import {AaveMarket} from "../../contracts/lending/AaveMarket.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase} from "./ForkBase.sol";
import {Product} from "./Product.sol";

/// The Aave calls of a lender and a borrower.
interface IAaveUser is IAavePool {
  struct Configuration {
    uint256 data;
  }

  function supply(address underlying, uint256 amount, address onBehalfOf, uint16 referral) external;
  function borrow(address underlying, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf) external;
  function setUserUseReserveAsCollateral(address underlying, bool isCollateral) external;
  function setUserEMode(uint8 category) external;
  function getReserveNormalizedVariableDebt(address underlying) external view returns (uint256 ray);
  /// Of the configurator alone.
  function setConfiguration(address underlying, Configuration calldata configuration) external;
}

/// The Aave calls with which governance sets the pool up and manages its reserves.
interface IAaveGovernance is IAaveAddresses {
  function setACLAdmin(address admin) external;
  function setACLManager(address manager) external;
  function setPriceOracle(address oracle) external;
  function setPoolDataProvider(address provider) external;
  function setPoolImpl(address pool) external;
  function setPoolConfiguratorImpl(address configurator) external;
  function getPool() external view returns (address);
  function getPoolConfigurator() external view returns (address);
}

interface IAaveRoles {
  function addPoolAdmin(address admin) external;
}

interface IAaveSources {
  function setAssetSources(address[] calldata assets, address[] calldata sources) external;
}

interface IAaveConfigurator {
  struct InitReserveInput {
    address aTokenImpl;
    address stableDebtTokenImpl;
    address variableDebtTokenImpl;
    uint8 underlyingAssetDecimals;
    address interestRateStrategyAddress;
    address underlyingAsset;
    address treasury;
    address incentivesController;
    string aTokenName;
    string aTokenSymbol;
    string variableDebtTokenName;
    string variableDebtTokenSymbol;
    string stableDebtTokenName;
    string stableDebtTokenSymbol;
    bytes params;
  }

  function initReserves(InitReserveInput[] calldata input) external;
  function configureReserveAsCollateral(address asset, uint256 ltv, uint256 threshold, uint256 bonus) external;
  function setReserveBorrowing(address asset, bool enabled) external;
  function setReserveStableRateBorrowing(address asset, bool enabled) external;
  function setReservePause(address asset, bool paused) external;
  function setReserveFreeze(address asset, bool freeze) external;
  function setBorrowCap(address asset, uint256 cap) external;
  function setSupplyCap(address asset, uint256 cap) external;
  function setAssetEModeCategory(address asset, uint8 category) external;
  function setEModeCategory(
    uint8 category,
    uint16 ltv,
    uint16 threshold,
    uint16 bonus,
    address source,
    string calldata label
  ) external;
  function setDebtCeiling(address asset, uint256 ceiling) external;
  function setBorrowableInIsolation(address asset, bool borrowable) external;
}

/// @notice Aave v3.0 on the local chain: linked and deployed from the bytecode that Aave published on npm, with this
/// contract as its governance, and over it Bowline's adapter.
/// @dev `npm run test:fork` names the artifacts' directory in AAVE_ARTIFACTS.
abstract contract AaveBase is ForkBase {
  uint256 private constant RAY = 1e27;
  /// Of BTCB and ETH, in 1/10,000.
  uint256 internal constant LTV = 7_000;
  uint256 internal constant THRESHOLD = 7_800;

  IAaveUser internal pool;
  IAaveConfigurator internal configurator;
  IAaveGovernance internal addresses;
  AaveMarket internal adapter;

  address private _aToken;
  address private _stableDebtToken;
  address private _variableDebtToken;
  address private _rates;

  function setUp() public virtual override {
    super.setUp();
    addresses = IAaveGovernance(_create("protocol/configuration/PoolAddressesProvider", abi.encode("", address(this))));
    addresses.setACLAdmin(address(this));
    address roles = _create("protocol/configuration/ACLManager", abi.encode(addresses));
    addresses.setACLManager(roles);
    IAaveRoles(roles).addPoolAdmin(address(this));
    address[] memory none = new address[](0);
    // In US dollars, without a fallback oracle.
    bytes memory oracle = abi.encode(addresses, none, none, address(0), address(0), 1e8);
    addresses.setPriceOracle(_create("misc/AaveOracle", oracle));
    addresses.setPoolDataProvider(_create("misc/AaveProtocolDataProvider", abi.encode(addresses)));
    _deployPool();
    _deployReserves();
    adapter = Product.aaveMarket(pool);
  }

  /// @param feed Chainlink's for the asset, in US dollars.
  function _list(address asset, uint8 decimals, address feed, uint256 threshold) internal {
    (address[] memory assets, address[] memory feeds) = (new address[](1), new address[](1));
    (assets[0], feeds[0]) = (asset, feed);
    IAaveSources(address(addresses.getPriceOracle())).setAssetSources(assets, feeds);
    IAaveConfigurator.InitReserveInput[] memory input = new IAaveConfigurator.InitReserveInput[](1);
    input[0].aTokenImpl = _aToken;
    input[0].stableDebtTokenImpl = _stableDebtToken;
    input[0].variableDebtTokenImpl = _variableDebtToken;
    input[0].underlyingAssetDecimals = decimals;
    input[0].interestRateStrategyAddress = _rates;
    input[0].underlyingAsset = asset;
    input[0].treasury = address(this);
    configurator.initReserves(input);
    configurator.configureReserveAsCollateral(asset, threshold - (THRESHOLD - LTV), threshold, 10_500);
    configurator.setReserveBorrowing(asset, true);
    configurator.setReserveStableRateBorrowing(asset, true);
  }

  function _deployPool() private {
    string[] memory names = new string[](7);
    names[0] = "BorrowLogic";
    names[1] = "BridgeLogic";
    names[2] = "EModeLogic";
    names[3] = "LiquidationLogic";
    names[4] = "PoolLogic";
    names[5] = "SupplyLogic";
    names[6] = "FlashLoanLogic";
    address[] memory libraries = new address[](7);
    for (uint256 i; i < 6; ++i) {
      libraries[i] = _create(_library(names[i]), "");
    }
    // The one library that calls another.
    libraries[6] = _create(_library(names[6]), "", names, libraries);
    addresses.setPoolImpl(_create("protocol/pool/Pool", abi.encode(addresses), names, libraries));
    pool = IAaveUser(addresses.getPool());

    (names, libraries) = (new string[](1), new address[](1));
    (names[0], libraries[0]) = ("ConfiguratorLogic", _create(_library("ConfiguratorLogic"), ""));
    addresses.setPoolConfiguratorImpl(_create("protocol/pool/PoolConfigurator", "", names, libraries));
    configurator = IAaveConfigurator(addresses.getPoolConfigurator());
  }

  function _deployReserves() private {
    _aToken = _create("protocol/tokenization/AToken", abi.encode(pool));
    _stableDebtToken = _create("protocol/tokenization/StableDebtToken", abi.encode(pool));
    _variableDebtToken = _create("protocol/tokenization/VariableDebtToken", abi.encode(pool));
    _rates = _create(
      "protocol/pool/DefaultReserveInterestRateStrategy",
      abi.encode(
        addresses,
        RAY * 8 / 10,
        RAY / 100,
        RAY * 4 / 100,
        RAY * 75 / 100,
        RAY / 100,
        RAY * 75 / 100,
        RAY / 100,
        RAY * 8 / 100,
        RAY / 5
      )
    );
    _list(Bsc.BTCB, 18, Bsc.BTC_FEED, THRESHOLD);
    _list(Bsc.ETH, 18, Bsc.ETH_FEED, THRESHOLD);
    _list(Bsc.USDT, 18, Bsc.USDT_FEED, 8_000);
    _list(Bsc.USDC, 18, Bsc.USDC_FEED, 8_000);
  }

  function _library(string memory name) private pure returns (string memory) {
    return string.concat("protocol/libraries/logic/", name);
  }

  function _create(string memory path, bytes memory arguments) private returns (address) {
    return _create(path, arguments, new string[](0), new address[](0));
  }

  function _create(string memory path, bytes memory arguments, string[] memory names, address[] memory libraries)
    private
    returns (address created)
  {
    string[] memory parts = vm.split(path, "/");
    string memory file =
      string.concat(vm.envString("AAVE_ARTIFACTS"), "/", path, ".sol/", parts[parts.length - 1], ".json");
    string memory hexCode = vm.parseJsonString(vm.readFile(file), ".bytecode");
    for (uint256 i; i < names.length; ++i) {
      hexCode = vm.replace(hexCode, _placeholder(names[i]), _hex(abi.encodePacked(libraries[i])));
    }
    bytes memory code = bytes.concat(vm.parseBytes(hexCode), arguments);
    assembly ("memory-safe") {
      created := create(0, add(code, 0x20), mload(code))
    }
    require(created != address(0), path);
  }

  /// What the compiler writes in the place of a library's address.
  function _placeholder(string memory name) private pure returns (string memory) {
    bytes32 hash = keccak256(bytes(string.concat("contracts/", _library(name), ".sol:", name)));
    return string.concat("__$", _hex(abi.encodePacked(bytes17(hash))), "$__");
  }

  function _hex(bytes memory data) private pure returns (string memory) {
    return vm.replace(vm.toString(data), "0x", "");
  }
}
