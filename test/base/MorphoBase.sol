// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {IMorpho, IMorphoOracle} from "../../contracts/interfaces/IMorpho.sol";
import {Bsc} from "../../script/Bsc.sol";
import {ForkBase, IFeed} from "./ForkBase.sol";

/// The Morpho calls of its owner, a lender and a borrower.
interface IMorphoUser is IMorpho {
  function enableIrm(address irm) external;
  function enableLltv(uint256 lltv) external;
  function createMarket(MarketParams calldata params) external;
  function supply(MarketParams calldata params, uint256 assets, uint256 shares, address onBehalf, bytes calldata data)
    external
    returns (uint256, uint256);
  function supplyCollateral(MarketParams calldata params, uint256 assets, address onBehalf, bytes calldata data)
    external;
  function borrow(MarketParams calldata params, uint256 assets, uint256 shares, address onBehalf, address receiver)
    external
    returns (uint256, uint256);
  function liquidate(
    MarketParams calldata params,
    address borrower,
    uint256 seizedAssets,
    uint256 repaidShares,
    bytes calldata data
  ) external returns (uint256, uint256);
}

/// @notice A market's oracle over two Chainlink feeds of 8 decimals, for tokens of 18.
contract FeedOracle is IMorphoOracle {
  function price() external view returns (uint256) {
    return _answer(Bsc.BTC_FEED) * 1e36 / _answer(Bsc.USDT_FEED);
  }

  function _answer(address feed) private view returns (uint256) {
    return uint256(IFeed(feed).latestAnswer());
  }
}

/// @notice Morpho Blue on the local chain: compiled from the sources that Morpho published on npm, with this contract as
/// its owner, a market for USDT against BTCB, and a lender.
/// @dev `npm run test:fork` compiles it, and names the file in MORPHO_ARTIFACTS.
abstract contract MorphoBase is ForkBase {
  uint256 internal constant LLTV = 0.86e18;

  IMorphoUser internal morpho;
  IMorpho.MarketParams internal params;
  bytes32 internal id;
  address internal lender = address(uint160(uint256(keccak256("bowline.fork.lender"))));

  function setUp() public virtual override {
    super.setUp();
    morpho = IMorphoUser(_create("Morpho", abi.encode(address(this))));
    params = IMorpho.MarketParams(Bsc.USDT, Bsc.BTCB, address(new FeedOracle()), _create("IrmMock", ""), LLTV);
    morpho.enableIrm(params.irm);
    morpho.enableLltv(LLTV);
    id = _createMarket(params);
    _supply(lender, 1_000_000e18);
  }

  function _createMarket(IMorpho.MarketParams memory market) internal returns (bytes32) {
    morpho.createMarket(market);
    return keccak256(abi.encode(market));
  }

  function _supply(address account, uint256 amount) internal {
    deal(Bsc.USDT, account, amount);
    vm.startPrank(account);
    IERC20(Bsc.USDT).approve(address(morpho), amount);
    morpho.supply(params, amount, 0, account, "");
    vm.stopPrank();
  }

  function _supplyCollateral(address account, uint256 amount) internal {
    deal(Bsc.BTCB, account, amount);
    vm.startPrank(account);
    IERC20(Bsc.BTCB).approve(address(morpho), amount);
    morpho.supplyCollateral(params, amount, account, "");
    vm.stopPrank();
  }

  function _borrowFrom(address account, uint256 amount) internal {
    vm.prank(account);
    morpho.borrow(params, amount, 0, account, account);
  }

  /// What Morpho lends on the account's collateral at most.
  function _maxBorrow(address account) internal view returns (uint256) {
    return _maxBorrow(account, id);
  }

  function _maxBorrow(address account, bytes32 market) internal view returns (uint256) {
    (,, uint256 collateral) = morpho.position(market, account);
    return collateral * IMorphoOracle(params.oracle).price() / 1e36 * LLTV / 1e18;
  }

  /// Lowers the price of BTC to `part` of what it is.
  function _priceFalls(uint256 partWad) internal {
    uint256 answer = uint256(IFeed(Bsc.BTC_FEED).latestAnswer());
    vm.mockCall(Bsc.BTC_FEED, abi.encodeCall(IFeed.latestAnswer, ()), abi.encode(answer * partWad / 1e18));
  }

  function _create(string memory name, bytes memory arguments) internal returns (address created) {
    string memory file = vm.readFile(vm.envString("MORPHO_ARTIFACTS"));
    string memory hexCode = vm.parseJsonString(file, string.concat(".", name, ".bytecode"));
    bytes memory code = bytes.concat(vm.parseBytes(hexCode), arguments);
    assembly ("memory-safe") {
      created := create(0, add(code, 0x20), mload(code))
    }
    require(created != address(0), name);
  }
}
