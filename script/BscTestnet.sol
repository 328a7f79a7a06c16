// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Contract addresses on BNB Chain's test network, as Venus, PancakeSwap and Chainlink publish them. The tokens are
/// Venus's own, which anybody can mint.
library BscTestnet {
  // Tokens. USDT and USDC have 6 decimals, the others 18.
  address internal constant USDT = 0xA11c8D9DC9b66E209Ef60F0C8D969D3CD988782c;
  address internal constant USDC = 0x16227D60f7a0e586C66B005219dfc887D13C9531;
  address internal constant BTCB = 0xA808e341e8e723DC6BA0Bb5204Bafc2330d7B8e4;
  address internal constant ETH = 0x98f7A83361F7Ac8765CcEBAB1425da6b341958a7;
  address internal constant WBNB = 0xae13d989daC2f0dEbFf460aC112a837C89BAa7cd;

  // Chainlink feeds, asset / USD, 8 decimals.
  address internal constant USDT_FEED = 0xEca2605f0BCF2BA5966372C99837b1F182d3D620;
  address internal constant USDC_FEED = 0x90c069C4538adAc136E051052E14c1cD799C41B7;
  address internal constant BTC_FEED = 0x5741306c21795FdCBb9b265Ea0255F499DFe515C;
  address internal constant ETH_FEED = 0x143db3CEEfbdfe5631aDD3E50f7614B6ba708BA7;
  address internal constant BNB_FEED = 0x2514895c72f50D8bd4B4F9b1110F0D6bD2c97526;

  // Venus core pool.
  address internal constant COMPTROLLER = 0x94d1820b2D1c7c7452A163983Dc888CEC546b77D;
  address internal constant RESILIENT_ORACLE = 0x3cD69251D04A28d887Ac14cbe2E14c52F3D57823;
  address internal constant V_USDT = 0xb7526572FFE56AB9D7489838Bf2E18e3323b441A;
  address internal constant V_BNB = 0x2E7222e51c0f6e98610A1543Aa3836E092CDe62c;

  // PancakeSwap v3.
  address internal constant PANCAKE_POOL_DEPLOYER = 0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9;
}
