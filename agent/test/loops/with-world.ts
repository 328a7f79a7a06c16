import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type DeployedChain, endSenders, fund, owner, startDeployedChain } from './world.ts';

/** The chain of the file that runs. */
export let world: DeployedChain;

/** Gives each test of a file the chain to itself. @param usdt what the owner has for plans. */
export function withWorld(usdt?: string): void {
  let clean: Hex;
  beforeAll(async () => {
    world = await startDeployedChain();
  });
  afterAll(() => world?.stop());
  beforeEach(async () => {
    clean = await world.chain.snapshot();
    if (usdt !== undefined) await fund(world, owner, 'USDT', usdt);
  });
  afterEach(async () => {
    await endSenders();
    await world.chain.setAutomine(true);
    await world.chain.revert({ id: clean });
  });
}
