// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What a DCAHub of Mean Finance needs round it, as slim as it can be, so that what is measured is the hub: a price oracle over
/// two Chainlink feeds (tokens and feeds of equal decimals), and a swapper that fills the hub's swap on PancakeSwap v3.
/// Without interfaces, since the bench compiles a file that holds one contract.
contract MeanPeer {
  struct TokenInSwap {
    address token;
    uint256 reward;
    uint256 toProvide;
    uint256 platformFee;
  }

  struct ExactInputParams {
    bytes path;
    address recipient;
    uint256 deadline;
    uint256 amountIn;
    uint256 amountOutMinimum;
  }

  uint256 private constant MAX_AGE_SECONDS = 1 hours;

  address private immutable ROUTER;
  mapping(address token => address feed) private _feedOf;

  error CallFailed(address target, bytes4 selector);
  error AnswerRefused(address feed);

  constructor(address router, address[2] memory tokens, address[2] memory feeds) {
    ROUTER = router;
    _feedOf[tokens[0]] = feeds[0];
    _feedOf[tokens[1]] = feeds[1];
  }

  function addSupportForPairIfNeeded(address, address, bytes calldata) external {}

  function quote(address tokenIn, uint256 amountIn, address tokenOut, bytes calldata) external view returns (uint256) {
    return amountIn * _price(tokenIn) / _price(tokenOut);
  }

  function DCAHubSwapCall(address, TokenInSwap[] calldata tokens, uint256[] calldata, bytes calldata path) external {
    (TokenInSwap calldata sold, TokenInSwap calldata bought) =
      tokens[0].reward != 0 ? (tokens[0], tokens[1]) : (tokens[1], tokens[0]);
    _call(sold.token, abi.encodeWithSignature("approve(address,uint256)", ROUTER, sold.reward));
    ExactInputParams memory order =
      ExactInputParams(path, address(this), block.timestamp, sold.reward, bought.toProvide);
    _call(ROUTER, abi.encodeWithSignature("exactInput((bytes,address,uint256,uint256,uint256))", order));
    _call(bought.token, abi.encodeWithSignature("transfer(address,uint256)", msg.sender, bought.toProvide));
  }

  function _call(address target, bytes memory data) private {
    (bool succeeded,) = target.call(data);
    if (!succeeded) revert CallFailed(target, bytes4(data));
  }

  function _price(address token) private view returns (uint256) {
    address feed = _feedOf[token];
    (bool succeeded, bytes memory round) = feed.staticcall(abi.encodeWithSignature("latestRoundData()"));
    if (!succeeded) revert AnswerRefused(feed);
    (, int256 answer,, uint256 updatedAt,) = abi.decode(round, (uint80, int256, uint256, uint256, uint80));
    if (answer <= 0 || block.timestamp - updatedAt > MAX_AGE_SECONDS) revert AnswerRefused(feed);
    return uint256(answer);
  }
}
