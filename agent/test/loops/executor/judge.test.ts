import type { Plan } from '@bowline/core/domain/permissions';
import { WAD } from '@bowline/core/domain/units';
import { BTCB, fairProposal, NOW, USDT } from '@bowline/core/test/verdict/proposals';
import { limitsOf } from '@bowline/core/verdict/limits';
import { keccak256, stringToBytes, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { judge } from '../../../src/loops/executor/judge.ts';
import { duePlan } from './plans.ts';

/** On a market where all is well but the pool, which stands 0.8 % above the reference price. */
async function judged(terms: Partial<Plan>) {
  const { chain } = fairProposal();
  const pushedWad = (chain.spotWad ?? 0n) + 800n * WAD;
  const facts = { ...chain, spotWad: pushedWad, twapWad: pushedWad };
  const sources = {
    assets: [BTCB, USDT],
    limitsOf: () => limitsOf.crypto,
    chain: { facts: async () => facts },
    clock: () => NOW,
    calendars: { session: () => undefined },
  };
  const pairing = { asset: BTCB, quoteAsset: USDT, side: 'buy' } as const;
  const due = { plan: { ...duePlan, ...terms }, slotStart: NOW, pairing };
  const { judgement, evidence } = await judge({ sources, hash: (text) => keccak256(stringToBytes(text)) }, due);
  const found = judgement.findings.find(({ check }) => check === 'pool_against_reference');
  return { found, limits: JSON.parse(evidence).proposal.limits };
}

test('a plan that permits as much as its class is judged by the class', async () => {
  const { found, limits } = await judged({ maxSlippageBps: 100 });
  expect(found).toMatchObject({ outcome: 'caution', reason: 'pool_off_reference', measured: 80n, limit: 100n });
  expect(limits).toMatchObject({ poolBps: { caution: '50', noGo: '100' }, impactBps: { caution: '50', noGo: '100' } });
});

test('a plan that permits less is judged by that, and the evidence says so', async () => {
  const { found, limits } = await judged({ maxSlippageBps: 70 });
  expect(found).toMatchObject({ outcome: 'no_go', reason: 'pool_off_reference', measured: 80n, limit: 70n });
  expect(limits).toMatchObject({ poolBps: { caution: '50', noGo: '70' }, impactBps: { caution: '50', noGo: '70' } });
});

test('a plan without a price source permits no slippage, and is judged by its class', async () => {
  const { found } = await judged({ priceSource: zeroAddress, limitPriceWad: 10n ** 24n, maxSlippageBps: 0 });
  expect(found).toMatchObject({ outcome: 'caution', limit: 100n });
});
