import type { Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { limitsOf } from '@bowline/core/verdict/limits';
import { keccak256, stringToBytes, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { judge } from '../../../src/loops/executor/serve.ts';
import { duePlan } from './plans.ts';

/** Judges on a market where all is well except the pool, which costs 0.8 % in all. */
async function judged(terms: Partial<Plan>) {
  const { chain } = fairProposal();
  const usdWad = 100_000n * WAD;
  const facts = { ...chain, ...(chain.quote && { quote: { ...chain.quote, amountOut: (992n * WAD) / 100_000n } }) };
  const sources = {
    assets: [BTCB, USDT],
    limitsOf: () => limitsOf.crypto,
    chain: { facts: async () => facts },
    clock: () => NOW,
    pyth: { price: async () => ({ source: 'pyth', usdWad, updatedAt: NOW, confidenceWad: 0n }) as const },
  };
  const asset = { ...BTCB, pythId: '0x12' } as const;
  const pairing = { asset, quoteAsset: USDT, side: 'buy' } as const;
  const due = { plan: { ...duePlan, ...terms }, slotStart: NOW, pairing };
  const { judgement, evidence } = await judge({ sources, hash: (text) => keccak256(stringToBytes(text)) }, due);
  const found = judgement.findings.find(({ check }) => check === 'all_in_cost');
  return { found, limits: JSON.parse(evidence).proposal.limits };
}

test('a plan that permits as much as its class is judged by the class', async () => {
  const { found, limits } = await judged({ maxSlippageBps: 100 });
  expect(found).toMatchObject({ outcome: 'caution', reason: 'cost_high', measured: 80n, limit: 90n });
  expect(limits).toMatchObject({ costBps: { caution: '40', noGo: '90' } });
});

test('a plan that permits less is judged by that, and the evidence says so', async () => {
  const { found, limits } = await judged({ maxSlippageBps: 70 });
  expect(found).toMatchObject({ outcome: 'no_go', reason: 'cost_high', measured: 80n, limit: 70n });
  expect(limits).toMatchObject({ costBps: { caution: '40', noGo: '70' } });
});

test('a plan without a price source permits no slippage, and is judged by its class', async () => {
  const { found } = await judged({ priceSource: zeroAddress, limitPriceWad: 10n ** 24n, maxSlippageBps: 0 });
  expect(found).toMatchObject({ outcome: 'caution', limit: 90n });
});
