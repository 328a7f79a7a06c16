import { guardIrregularities } from '@bowline/core/audit/irregularities';
import { formatUnits } from 'viem';
import { openChain } from '../../cli/audit/read.ts';
import { awaited, good, must, mustBeRegular, post } from './requests.ts';
import { type Stack, told } from './stack.ts';

const health = (wad: bigint) => Number(formatUnits(wad, 18)).toFixed(3);

/** Lets a price fall, and waits until the guard has brought its loan back to the target. */
export async function rescueOf(stack: Stack, id: bigint, ...crash: readonly string[]): Promise<string> {
  const { world, marketUrl, contracts } = stack;
  const guardNow = async () => (await openChain(world.rpcUrl, contracts)).guard(id);
  must((await guardNow()).rescues.length === 0, `guard ${id} has rescued before`);
  const began = performance.now();
  good(await post(`${marketUrl}/scene`, { words: ['crash', ...crash] }));
  const guard = await awaited(async () => {
    const found = await guardNow();
    return found.rescues.length > 0 ? found : undefined;
  }, `guard ${id} does not rescue its loan`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const [rescue] = guard.rescues;
  must(rescue?.outcome === 1, 'does not reach the target');
  mustBeRegular(guardIrregularities(guard));
  await told(stack, `guard ${id} rescued a loan`);
  const { healthBeforeWad, healthAfterWad } = rescue;
  return `guard ${id}, ${crash.join(' ')}: health ${health(healthBeforeWad)} → ${health(healthAfterWad)} after ${seconds} s`;
}
