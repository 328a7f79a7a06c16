// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {LibCall} from "solady/utils/LibCall.sol";

import {BoundedCall} from "./BoundedCall.sol";

/// @title JobsLens: reads the heads of many ERC-8183 jobs in one eth_call
/// @notice Never deployed. The caller uses the state override of an `eth_call` to place this code at an unused address.
/// Anybody may create jobs, with descriptions of any length: a head is read without its description.
contract JobsLens {
  using BoundedCall for bytes;
  using LibCall for address;

  /// More than a job with the longest description that the ecosystem allows (4,096 bytes) needs. A job that needs more
  /// cannot carry an offer.
  uint256 private constant JOB_GAS = 1_000_000;
  /// What the lens itself needs after the last job.
  uint256 private constant OWN_GAS = 100_000;
  /// Length of a job's number in `ids`.
  uint256 private constant ID_BYTES = 5;

  bytes4 private constant GET_JOB = bytes4(keccak256("getJob(uint256)"));
  /// The kernel answers an offset and the struct's eleven words; the description follows.
  uint16 private constant HEAD_BYTES = 384;

  uint256 private constant OURS = 1;
  uint256 private constant NOBODYS = 2;

  /// @param router Evaluator and hook of a job that this seller takes.
  /// @param ids The jobs' numbers, five bytes each.
  /// @return asked Hash of the call's data. In a batch of calls, an answer may reach the wrong caller.
  /// @return heads One word a job; zero for one that does not exist, or before which the gas ended. From the low bits: status (8), expiry (40), time of
  /// the submission (40), provider (8: 1 is `provider`, 2 is nobody yet, 0 anybody else), whether it is routed (8), budget
  /// (128, at most the maximum); the top bit says that the job was read. Of a job of somebody else, and of one that
  /// cannot be read, only the top bit.
  function jobs(address commerce, address router, address provider, bytes calldata ids)
    external
    view
    returns (bytes32 asked, uint256[] memory heads)
  {
    asked = keccak256(msg.data);
    uint256 count = ids.length / ID_BYTES;
    heads = new uint256[](count);
    for (uint256 i; i < count; ++i) {
      // A call passes on 63 of 64 parts. With less, a job that can be read would seem to be unreadable.
      if (gasleft() < JOB_GAS + JOB_GAS / 32 + OWN_GAS) break;
      heads[i] = _head(commerce, router, provider, uint40(bytes5(ids[i * ID_BYTES:(i + 1) * ID_BYTES])));
    }
  }

  function _head(address commerce, address router, address provider, uint256 id) private view returns (uint256 head) {
    head = 1 << 255;
    (bool isRead,, bytes memory job) = commerce.tryStaticCall(JOB_GAS, HEAD_BYTES, abi.encodeWithSelector(GET_JOB, id));
    if (!isRead || job.length < HEAD_BYTES) return head;
    // A node that lags behind does not know of it yet.
    if (job.wordAt(1) != id) return 0;
    uint256 whose = job.wordAt(3) == uint160(provider) ? OURS : job.wordAt(3) == 0 ? NOBODYS : 0;
    if (whose == 0) return head;
    uint256 isRouted = job.wordAt(4) == uint160(router) && job.wordAt(9) == uint160(router) ? 1 : 0;
    head |= job.wordAt(8) & 0xff | _atMost(job.wordAt(7), 40) << 8 | _atMost(job.wordAt(10), 40) << 48;
    head |= whose << 88 | isRouted << 96 | _atMost(job.wordAt(6), 128) << 104;
  }

  function _atMost(uint256 value, uint256 bits) private pure returns (uint256) {
    return Math.min(value, (1 << bits) - 1);
  }
}
