import type { Asset } from '@bowline/core/domain/assets';
import { BTCB, NOW } from '@bowline/core/test/verdict/proposals';
import { expect, it } from 'vitest';
import { propose } from '../../src/sources/propose.ts';
import { world } from '../tools/world.ts';

const size = { usdWad: 1n };
const asked: unknown[] = [];
const sources = {
  ...world,
  // Later than the block, as the wall clock is.
  clock: () => NOW + 30n,
  calendars: {
    session: (...question: unknown[]) => {
      asked.push(question);
      return question[0] === 'XNYS' ? ({ state: 'closed', opensAt: NOW + 60n } as const) : undefined;
    },
  },
};
const share = (calendar: string): Asset => ({ ...BTCB, calendar });

// GD-11
it('an asset with a calendar is proposed with its session at the time of the block', async () => {
  const proposal = await propose(sources, share('XNYS'), 'buy', size);
  expect(proposal.session).toEqual({ state: 'closed', opensAt: NOW + 60n });
  expect(asked).toEqual([['XNYS', NOW]]);
});

it('and without one where its calendar does not reach, or it has none', async () => {
  expect(await propose(sources, share('XETR'), 'buy', size)).not.toHaveProperty('session');
  asked.length = 0;
  expect(await propose(sources, BTCB, 'buy', size)).not.toHaveProperty('session');
  expect(asked).toEqual([]);
});

it('an asset without a pool is not proposed', async () => {
  const { pool: _, ...priced } = BTCB;
  await expect(propose(sources, priced, 'buy', size)).rejects.toMatchObject({ code: 'no_pool', retryable: false });
});
