import type { Facts } from '../facts.ts';
import { bitcoin, ether, tether, WAD } from './basics.ts';

// The contracts' latest public records.

export const proofs: Facts['proofs'] = {
  run: {
    ...{ planId: 11n, block: 999_871n, tokenIn: tether.address, tokenOut: bitcoin.address },
    ...{ amountIn: 25n * WAD, amountOut: 259_190_000_000_000n, floor: 252_000_000_000_000n },
  },
  skip: { planId: 9n, block: 999_540n, tokenIn: tether.address, tokenOut: ether.address, reason: 7 },
  rescue: {
    ...{ guardId: 2n, block: 998_112n, repayToken: tether.address, repaid: 412n * WAD },
    ...{ healthBeforeWad: (WAD * 1_098n) / 1_000n, healthAfterWad: (WAD * 1_301n) / 1_000n, outcome: 'full' },
  },
  blocks: 4_096n,
};

export const noProofs: Facts['proofs'] = { ...{ run: undefined, skip: undefined, rescue: undefined }, blocks: 4_096n };
