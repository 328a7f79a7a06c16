import { expect, it } from 'vitest';
import { createChain } from '../../agent/test/sim/chain.ts';
import { answer } from '../../agent/test/sim/node.ts';
import { blockGas } from '../../lab/world/block.ts';
import { connect } from '../../lab/world/chain.ts';
import { startLocalChain } from '../../lab/world/fork.ts';
import { alice } from './accounts.ts';

it('a block of the replica, the fork and the simulator holds the 55 million gas of BNB Chain', async () => {
  expect(blockGas).toBe(55_000_000n);
  const simulated = createChain({ operator: alice, plans: [], startsAt: 1n });
  const block = answer(simulated, { behind: 0 }, { method: 'eth_getBlockByNumber', params: ['latest', false] });
  expect(BigInt((block as { gasLimit: string }).gasLimit)).toBe(blockGas);
  const local = await startLocalChain();
  try {
    for (const url of [local.baseUrl, local.url]) expect((await connect(url).getBlock()).gasLimit, url).toBe(blockGas);
    const chain = connect(local.url);
    await chain.mine({ blocks: 1 });
    expect((await chain.getBlock()).gasLimit).toBe(blockGas);
  } finally {
    await local.stop();
  }
});
