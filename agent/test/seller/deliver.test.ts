import type { Deliverable } from '@bowline/core/domain/jobs';
import { success } from '@bowline/core/domain/result';
import { expect, test } from 'vitest';
import { deliverableOf } from '../../src/seller/deliver.ts';
import { hashManifest } from '../../src/seller/offers.ts';
import { offer, terms } from './jobs.ts';

const answer = { asset: 'BTCB', side: 'buy', amount_usd: '1000', verdict: 'GO', references: [], findings: [] };

// SL-5, SL-7
test('what was made for a job is kept for it, and is not delivered for another one of the same offer', async () => {
  const kept: Deliverable[] = [];
  let asked = 0;
  const deps = {
    call: async () => {
      asked += 1;
      return success(answer);
    },
    interpret: () => ({ asset: 'BTCB' }),
    store: {
      put: async (made: Deliverable) => void kept.push(made),
      byHash: async () => undefined,
      byOffer: async () => kept[0],
    },
    chainId: 31_337,
    contracts: terms.contracts,
    hashManifest,
  };
  const first = await deliverableOf(3n, offer, deps);
  expect(await deliverableOf(3n, offer, deps)).toBe(first);
  expect(asked).toBe(1);
  const second = await deliverableOf(7n, offer, deps);
  expect([first, second].map(({ manifest }) => manifest.job_id)).toEqual([3, 7]);
  expect(kept).toEqual([first, second]);
});
