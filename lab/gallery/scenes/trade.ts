import { concat, encodeFunctionData, parseAbi, toHex } from 'viem';
import type { AgentAnswer, BuyAnswer } from '../../../web/wire.ts';
import type { Facts } from '../facts.ts';
import { bitcoin, moment, now, owner, passes, refusal, settings, tether, WAD, wary } from './basics.ts';

// A purchase of BTCB for 1,000 US dollars, as the server answers it and as the chain prices it.

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct SwapPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(SwapPath swap) payable returns (uint256)',
]);

const amountIn = 1_000n * WAD;
const amountOut = 10_259_000_000_000_000n;
const least = (amountOut * 9_950n) / 10_000n;
const deadline = now + 290n;
const { router } = settings.contracts;
const terms = {
  path: concat([tether.address, toHex(500, { size: 3 }), bitcoin.address]),
  ...{ recipient: owner, deadline, amountIn, amountOutMinimum: least },
} as const;

export const bought: BuyAnswer = {
  ...{ verdict: 'GO', reason: null, findings: [...passes], asset: 'BTCB', side: 'buy' },
  ...{ token_in: tether.address, amount_in: String(amountIn) },
  ...{ token_out: bitcoin.address, min_amount_out: String(least) },
  calls: [
    {
      ...{ kind: 'approve', to: tether.address, value: '0' },
      data: encodeFunctionData({ abi, functionName: 'approve', args: [router, amountIn] }),
    },
    {
      ...{ kind: 'swap', to: router, value: '0' },
      data: encodeFunctionData({ abi, functionName: 'exactInput', args: [terms] }),
    },
  ],
  withheld: null,
  simulated: { token_in_delta: String(-amountIn), token_out_delta: String(amountOut) },
  expires_at: String(deadline),
};

const without = { token_in: null, amount_in: null, token_out: null, min_amount_out: null, calls: null } as const;

export const refused: BuyAnswer = {
  ...{ ...bought, ...without, simulated: null, withheld: 'verdict_no_go' },
  ...{ verdict: 'NO_GO', reason: 'cost_high', findings: [...passes, refusal] },
};

export const unsure: BuyAnswer = {
  ...{ ...bought, ...without, simulated: null, withheld: 'caution_not_acknowledged' },
  ...{ verdict: 'CAUTION', reason: 'volatility_high', findings: [...passes, wary] },
};

const dollarWad = WAD;
const bitcoinWad = 97_412n * WAD;
export const market: Facts['market'] = {
  ...{ time: now, quoted: amountOut, best: amountOut, payUsdWad: dollarWad, receiveUsdWad: bitcoinWad },
  ...{ held: 1_420n * WAD, isQuoteRefused: false, unmoved: (amountOut * 10_011n) / 10_000n },
};

export const cost: Facts['cost'] = { cost: { gas: 214_000n, wei: 214_000n * 100_000_000n } };

export const simulation: Facts['simulation'] = {
  run: {
    ...{ state: 'run', amountIn: 25n * WAD, amountOut: 256_400_000_000_000n, floor: 253_900_000_000_000n },
    ...{ route: [{ feeMillionths: 500, token: bitcoin }], unmoved: 256_500_000_000_000n },
    ...{ held: 1_395n * WAD, allowed: 775n * WAD },
  },
  cost: { gas: 310_000n, wei: 310_000n * 100_000_000n },
  readAt: moment,
};

export const answered: AgentAnswer = {
  result:
    'BTCB is fairly priced: the pool is 4 bps from the median of Chainlink, the exchange and Pyth. A buy of 1,000 USDT would move it by 11 bps.',
  tools: ['check_asset'],
  tickets: [
    {
      ...{ token_in: tether.address, token_out: bitcoin.address, verdict: 3 },
      ...{ max_price_wad: String(97_900n * WAD), max_amount_in: String(amountIn), expires_at: String(now + 100n) },
    },
  ],
  choices: [
    { label: 'Ether instead', prompt: 'Is ETH fairly priced right now?' },
    { label: 'Every plan', prompt: 'Which plans do I have?' },
  ],
  answered_by: 'embedded',
};

export const unanswerable: AgentAnswer = {
  ...{ ...answered, tools: [], tickets: [] },
  result: 'That asset is not listed, so there is no verdict on it. Listed are BTCB, ETH, WBNB, USDT and USDC.',
};
