// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Contract addresses on BNB Chain and on its local replica.
library Bsc {
  // Tokens, all with 18 decimals.
  address internal constant USDT = 0x55d398326f99059fF775485246999027B3197955;
  address internal constant USDC = 0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d;
  address internal constant BTCB = 0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c;
  address internal constant ETH = 0x2170Ed0880ac9A755fd29B2688956BD959F933F8;
  address internal constant WBNB = 0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c;

  // Chainlink feeds, asset / USD, 8 decimals.
  address internal constant USDT_FEED = 0xB97Ad0E74fa7d920791E90258A6E2085088b4320;
  address internal constant USDC_FEED = 0x51597f405303C4377E36123cBc172b13269EA163;
  address internal constant BTC_FEED = 0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf;
  address internal constant ETH_FEED = 0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e;
  address internal constant BNB_FEED = 0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE;

  // Venus core pool.
  address internal constant VENUS_TIMELOCK = 0x939bD8d64c0A9583A7Dcea9933f7b21697ab6396;
  address internal constant VENUS_ACCESS_CONTROL = 0x4788629ABc6cFCA10F9f969efdEAa1cF70c23555;
  address internal constant COMPTROLLER = 0xfD36E2c2a6789Db23113685031d7F16329158384;
  address internal constant RESILIENT_ORACLE = 0x6592b5DE802159F3E74B2486b091D11a8256ab8A;
  address internal constant VAI_CONTROLLER = 0x004065D34C6b18cE4370ced1CeBDE94865DbFAFE;
  address internal constant V_USDT = 0xfD5840Cd36d94D7229439859C0112a4185BC0255;
  address internal constant V_USDC = 0xecA88125a5ADbe82614ffC12D0DB554E2e2867C8;
  address internal constant V_BTC = 0x882C173bC7Ff3b7786CA16dfeD3DFFfb9Ee7847B;
  address internal constant V_ETH = 0xf508fCD89b8bd15579dc79A6827cB4686A3592c8;
  address internal constant V_BNB = 0xA07c5b74C9B40447a954e1466938b865b6BBea36;

  // Lista Lending, and one of its markets: USDT against BTCB, to be liquidated above 80 % of its worth.
  address internal constant MOOLAH = 0x8F73b65B4caAf64FBA2aF91cC5D4a2A1318E5D8C;
  bytes32 internal constant MOOLAH_BTCB_USDT = 0x975f4cf3db16812d995f60e19bec91a96108d47429237acc8d208bc0519c5b19;

  // PancakeSwap v3.
  address internal constant PANCAKE_POOL_DEPLOYER = 0x41ff9AA7e16B8B1a8a8dc4f0eFacd93D02d071c9;
  address internal constant PANCAKE_FACTORY = 0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865;
  address internal constant PANCAKE_QUOTER = 0xB048Bbc1Ee6b733FFfCFb9e9CeF7375518e25997;
  address internal constant PANCAKE_ROUTER = 0x1b81D678ffb9C0263b24A97847620C99d213eB14;

  // ERC-4337 v0.9.
  address internal constant ENTRY_POINT = 0x433709009B8330FDa32311DF1C2AFA402eD8D009;
}
