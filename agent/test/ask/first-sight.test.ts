import { isAddress } from 'viem';
import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { describe, expect, test } from 'vitest';
import { type Half, type Outcome, sighted } from './first-sight.ts';

const assets = readAssetRegistry(localChainId, (text): text is `0x${string}` => isAddress(text));

const count = (half: Half, outcome: Outcome) => sighted(half, assets).filter((each) => each.outcome === outcome).length;

describe('questions at first sight', () => {
  test.each(['worked', 'kept', 'traps_worked', 'traps_kept', 'again'] as const)('%s', (half) => {
    const all = sighted(half, assets);
    console.log(
      half,
      all.length,
      'right',
      count(half, 'right'),
      'asked',
      count(half, 'asked'),
      'wrong',
      count(half, 'wrong'),
    );
    if (!half.endsWith('kept'))
      for (const { outcome, prompt, wanted, got } of all)
        if (outcome !== 'right') console.log(`${outcome}\t${prompt}\t[${wanted}]\t-> ${got}`);
    expect(all.filter(({ outcome }) => outcome === 'wrong').length).toBe(0);
  });
});
