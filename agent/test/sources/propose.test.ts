import { BTCB } from '@bowline/core/test/verdict/proposals';
import { expect, it } from 'vitest';
import { propose } from '../../src/sources/propose.ts';
import { world } from '../tools/world.ts';

it('an asset without a pool is not proposed', async () => {
  const { pool: _, ...priced } = BTCB;
  await expect(propose(world, priced, 'buy', { usdWad: 1n })).rejects.toMatchObject({
    code: 'no_pool',
    retryable: false,
  });
});
