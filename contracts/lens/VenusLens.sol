// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IResilientOracle, IVToken, IVaiController, IVenusComptroller} from "../interfaces/IVenus.sol";
import {VenusMarket} from "../lending/VenusMarket.sol";
import {BoundedPrices} from "../libraries/BoundedPrices.sol";
import {MarketAddress} from "../libraries/MarketAddress.sol";
import {IVTokenRates, IVenusPools} from "./Sources.sol";

/// @title VenusLens: reads hundreds of Venus accounts in one eth_call
/// @notice Never deployed. The caller uses the state override of an `eth_call` to place this code at an unused address.
/// An account's values equal those of `VenusMarket.accrueAndRead` and `weightedCollateralBy` exactly. What all accounts
/// share is read once per group: prices, exchange rates, borrow indexes, and thresholds by e-mode pool.
///
/// An account that cannot be read here is marked and left to the adapter. No account uses more than its share of the
/// gas. When gas runs out, the accounts read so far are returned: the answer covers a prefix of the request.
contract VenusLens {
  using MarketAddress for bytes32;
  using SafeCast for uint256;

  /// Accounts of guards on one market, with one price source or none.
  struct Group {
    bytes32 market;
    address source;
    address[] borrowers;
  }

  struct Protocol {
    VenusMarket adapter;
    IVenusComptroller comptroller;
    IResilientOracle oracle;
    address vaiController;
    address vBnb;
    address wbnb;
  }

  /// Running totals of an account.
  struct Account {
    address borrower;
    uint96 pool;
    uint256 markets;
    uint256 debtValue;
    uint256 weightedCollateral;
    uint256 weightedBySource;
    uint256[] words;
  }

  uint256 private constant WAD = 1e18;
  uint8 private constant BY_THRESHOLD = 1;
  uint96 private constant CORE_POOL = 0;
  /// Five times the gas of a price from three sources. The oracle burns all gas of a call in which a feed fails.
  uint256 private constant GAS_PER_PRICE = 500_000;
  /// More gas than fifty markets need.
  uint256 private constant GAS_PER_ACCOUNT = 6_000_000;
  /// Gas for the last account and for copying the answer.
  uint256 private constant RESERVE = GAS_PER_ACCOUNT + 3_000_000;
  uint256 private constant READ = 0;
  uint256 private constant FOR_THE_ADAPTER = 1;

  // The kind of value in a market's transient slot, in the bits above its address. From POOL on: its threshold in a
  // pool.
  uint256 private constant PRICE = 0;
  uint256 private constant RATE = 1;
  uint256 private constant INDEX = 2;
  uint256 private constant PRICE_BY_SOURCE = 3;
  uint256 private constant POOL = 4;

  /// @notice Reads the groups one after another, each independently: interest accrues in its own market only.
  /// @return asked Hash of the call's data. In a batch of calls, an answer may reach the wrong caller.
  /// @return answers Per group, the words of each account in order: see `readAccount`.
  function read(VenusMarket adapter, Group[] calldata groups) external returns (bytes32 asked, bytes[] memory answers) {
    asked = keccak256(msg.data);
    answers = new bytes[](groups.length);
    Protocol memory protocol = _protocolOf(adapter);
    for (uint256 i; i < groups.length && gasleft() > RESERVE; ++i) {
      uint256 count = groups[i].borrowers.length;
      // The call always reverts, which undoes the accrual.
      (, answers[i]) = address(this).call(abi.encodeCall(this.readGroup, (protocol, groups[i])));
      if (_accountsIn(answers[i]) < count) break;
    }
  }

  /// @notice Reverts with the accounts' words.
  function readGroup(Protocol calldata protocol, Group calldata group) external {
    bool isAccrued = _accrue(protocol, group.market);
    bytes memory question = abi.encodeCall(this.readAccount, (protocol, group.source, address(0)));
    uint256 start;
    assembly ("memory-safe") {
      start := mload(0x40)
    }
    uint256 end = start;
    for (uint256 i; i < group.borrowers.length && gasleft() > RESERVE; ++i) {
      address borrower = group.borrowers[i];
      // The words are concatenated in free memory: nothing is allocated in this loop.
      assembly ("memory-safe") {
        // The last argument, after the selector and seven words.
        mstore(add(question, 260), borrower)
        let isRead := 0
        if isAccrued { isRead := call(GAS_PER_ACCOUNT, address(), 0, add(question, 32), mload(question), 0, 0) }
        switch isRead
        case 1 {
          returndatacopy(end, 0, returndatasize())
          end := add(end, returndatasize())
        }
        default {
          mstore(end, FOR_THE_ADAPTER)
          end := add(end, 32)
        }
      }
    }
    assembly ("memory-safe") {
      revert(start, sub(end, start))
    }
  }

  /// @notice Returns an account as raw words, without length or offset:
  /// - whether the adapter must read it (then the only word), the number of its markets << 8, its pool << 16
  /// - value of its debt << 128, value of its weighted collateral
  /// - its debt in VAI << 128, value of its weighted collateral at the source's prices, or zero without a source
  /// - for each market with a balance or debt: its address << 96, its borrow index; the balance in vTokens << 128, the
  ///   debt.
  function readAccount(Protocol calldata protocol, address source, address borrower) external {
    address[] memory entered = protocol.comptroller.getAssetsIn(borrower);
    Account memory account;
    account.borrower = borrower;
    account.pool = IVenusPools(address(protocol.comptroller)).userPoolId(borrower);
    account.words = new uint256[](3 + 2 * entered.length);
    for (uint256 i; i < entered.length; ++i) {
      // The adapter reports which market has no price, and whether the account is still readable.
      if (!_addMarket(protocol, source, entered[i], account)) _returnWords(account.words, 0);
    }
    uint256 vaiDebt =
      protocol.vaiController == address(0) ? 0 : IVaiController(protocol.vaiController).getVAIRepayAmount(borrower);
    account.words[0] = READ | account.markets << 8 | uint256(account.pool) << 16;
    account.words[1] = _pair(account.debtValue + vaiDebt, account.weightedCollateral);
    account.words[2] = _pair(vaiDebt, account.weightedBySource);
    _returnWords(account.words, 3 + 2 * account.markets);
  }

  /// @notice Returns what all accounts share, for valuing known positions: first for each pool whether its thresholds
  /// are known; then for each market its price, exchange rate and borrow index as last stored, its price by each
  /// source, and its threshold in each pool. A price is zero if the market cannot be read now, or if the source has
  /// none.
  function rates(VenusMarket adapter, address[] calldata vTokens, address[] calldata sources, uint96[] calldata pools)
    external
    returns (bytes32 asked, uint256[] memory words)
  {
    asked = keccak256(msg.data);
    Protocol memory protocol = _protocolOf(adapter);
    uint256 width = 3 + sources.length + pools.length;
    words = new uint256[](pools.length + vTokens.length * width);
    for (uint256 i; i < vTokens.length; ++i) {
      try this.ratesOf(protocol, vTokens[i], sources) returns (uint256[] memory each) {
        _copy(each, words, pools.length + i * width, 1);
      } catch {}
    }
    for (uint256 i; i < pools.length; ++i) {
      try this.thresholdsOf(protocol.comptroller, pools[i], vTokens) returns (uint256[] memory each) {
        words[i] = 1;
        _copy(each, words, pools.length + 3 + sources.length + i, width);
      } catch {}
    }
  }

  function ratesOf(Protocol calldata protocol, address vToken, address[] calldata sources)
    external
    returns (uint256[] memory each)
  {
    each = new uint256[](3 + sources.length);
    each[0] = _price(protocol, vToken);
    each[1] = _readRate(protocol, vToken, address(0));
    each[2] = _readIndex(protocol, vToken, address(0));
    for (uint256 i; i < sources.length; ++i) {
      each[3 + i] = _readBySource(protocol, vToken, sources[i]);
    }
  }

  /// @notice A pool's thresholds as the comptroller reports them to a member: this contract enters the pool itself. A
  /// queried account could leave the pool, and then nothing would be known about the others in it.
  function thresholdsOf(IVenusComptroller comptroller, uint96 pool, address[] calldata vTokens)
    external
    returns (uint256[] memory each)
  {
    IVenusPools pools = IVenusPools(address(comptroller));
    if (pool != CORE_POOL) {
      (, bool isActive,) = pools.pools(pool);
      if (!isActive) pool = CORE_POOL;
    }
    if (pools.userPoolId(address(this)) != pool) pools.enterPool(pool);
    each = new uint256[](vTokens.length);
    for (uint256 i; i < vTokens.length; ++i) {
      each[i] = comptroller.getEffectiveLtvFactor(address(this), vTokens[i], BY_THRESHOLD);
    }
  }

  function _copy(uint256[] memory from, uint256[] memory to, uint256 place, uint256 step) private pure {
    for (uint256 i; i < from.length; ++i) {
      to[place + i * step] = from[i];
    }
  }

  /// False if the market has no price.
  function _addMarket(Protocol calldata protocol, address source, address vToken, Account memory account)
    private
    returns (bool)
  {
    uint256 priceWad = _price(protocol, vToken);
    if (priceWad == 0) return false;
    uint256 balance = IVTokenRates(vToken).balanceOf(account.borrower);
    uint256 debt = IVToken(vToken).borrowBalanceStored(account.borrower);
    if (balance == 0 && debt == 0) return true;
    account.debtValue += debt * priceWad / WAD;
    if (balance != 0) {
      uint256 threshold = _once(POOL + account.pool, protocol, vToken, account.borrower, _readThreshold);
      uint256 share = threshold * _once(RATE, protocol, vToken, address(0), _readRate) / WAD;
      account.weightedCollateral += share * priceWad / WAD * balance / WAD;
      if (source != address(0) && share != 0) {
        uint256 bySourceWad = _once(PRICE_BY_SOURCE, protocol, vToken, source, _readBySource);
        account.weightedBySource += share * (bySourceWad == 0 ? priceWad : bySourceWad) / WAD * balance / WAD;
      }
    }
    uint256 place = 3 + 2 * account.markets++;
    account.words[place] = uint256(uint160(vToken)) << 96 | _once(INDEX, protocol, vToken, address(0), _readIndex);
    account.words[place + 1] = _pair(balance, debt);
    return true;
  }

  function _pair(uint256 high, uint256 low) private pure returns (uint256) {
    return uint256(high.toUint128()) << 128 | low.toUint128();
  }

  function _protocolOf(VenusMarket adapter) private view returns (Protocol memory) {
    IVenusComptroller comptroller = adapter.comptroller();
    return Protocol({
      adapter: adapter,
      comptroller: comptroller,
      oracle: IResilientOracle(comptroller.oracle()),
      vaiController: comptroller.vaiController(),
      vBnb: adapter.vBnb(),
      wbnb: adapter.wbnb()
    });
  }

  /// Same as the first step of `accrueAndRead`; false if that would refuse every account of this market.
  function _accrue(Protocol calldata protocol, bytes32 market) private returns (bool) {
    try protocol.adapter.repayToken(market) {}
    catch {
      return false;
    }
    address place = market.toAddress();
    if (place == protocol.vaiController) {
      try IVaiController(place).accrueVAIInterest() {
        return true;
      } catch {
        return false;
      }
    }
    try IVToken(place).borrowBalanceCurrent(address(this)) {
      return _price(protocol, place) != 0;
    } catch {
      return false;
    }
  }

  /// The number of accounts in these words.
  function _accountsIn(bytes memory words) private pure returns (uint256 count) {
    for (uint256 next = 32; next <= words.length; ++count) {
      uint256 first;
      assembly ("memory-safe") {
        first := mload(add(words, next))
      }
      next += first & 0xff == READ ? 32 * (3 + 2 * (first >> 8 & 0xff)) : 32;
    }
  }

  function _returnWords(uint256[] memory words, uint256 length) private pure {
    if (length == 0) (words[0], length) = (FOR_THE_ADAPTER, 1);
    assembly ("memory-safe") {
      return(add(words, 32), mul(length, 32))
    }
  }

  /// Zero if there is none.
  function _price(Protocol calldata protocol, address vToken) private returns (uint256) {
    return _once(PRICE, protocol, vToken, address(0), _readPrice);
  }

  function _readPrice(Protocol calldata protocol, address vToken, address) private view returns (uint256 priceWad) {
    try protocol.oracle.getUnderlyingPrice{gas: GAS_PER_PRICE}(vToken) returns (uint256 answer) {
      priceWad = answer;
    } catch {}
  }

  /// Zero if the source gives none.
  function _readBySource(Protocol calldata protocol, address vToken, address source) private view returns (uint256) {
    address token = vToken == protocol.vBnb ? protocol.wbnb : IVToken(vToken).underlying();
    return BoundedPrices.priceOrZero(source, token);
  }

  function _readRate(Protocol calldata, address vToken, address) private view returns (uint256) {
    return IVTokenRates(vToken).exchangeRateStored();
  }

  function _readIndex(Protocol calldata, address vToken, address) private view returns (uint256) {
    return IVTokenRates(vToken).borrowIndex().toUint96();
  }

  /// The comptroller's answer depends on the member's pool alone.
  function _readThreshold(Protocol calldata protocol, address vToken, address member) private view returns (uint256) {
    return protocol.comptroller.getEffectiveLtvFactor(member, vToken, BY_THRESHOLD);
  }

  /// A shared value of a market, read on first use.
  /// @param other The price source, or a member of the pool for a threshold.
  function _once(
    uint256 what,
    Protocol calldata protocol,
    address vToken,
    address other,
    function(Protocol calldata, address, address) view returns (uint256) readIt
  ) private returns (uint256 value) {
    uint256 slot =
      what << 160 | uint160(vToken);
    assembly ("memory-safe") {
      value := tload(slot)
    }
    // Stores the value plus one, because an unwritten slot is zero.
    if (value != 0) return value - 1;
    value = readIt(protocol, vToken, other);
    uint256 kept = value + 1;
    assembly ("memory-safe") {
      tstore(slot, kept)
    }
  }
}
