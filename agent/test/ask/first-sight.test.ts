import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Half, sighted } from './first-sight.ts';

const assets = readAssetRegistry(localChainId, (text): text is `0x${string}` => isAddress(text));

const outcomesOf = (half: Half) => {
  const all = sighted(half, assets);
  const of = (outcome: string) => all.filter((each) => each.outcome === outcome);
  console.log(
    `${half}: ${of('right').length} of ${all.length} right, ${of('asked').length} asked back, ${of('wrong').length} wrong`,
  );
  return { all, right: of('right'), wrong: of('wrong') };
};

describe('AG-24: questions as people ask them', () => {
  test.each(['worked', 'kept', 'again'] as const)(
    '%s: none is answered wrongly, and 75 in 100 are answered',
    (half) => {
      const { all, right, wrong } = outcomesOf(half);
      expect(wrong).toEqual([]);
      expect(all.length).toBeGreaterThan(70);
      expect(right.length / all.length).toBeGreaterThanOrEqual(0.75);
    },
  );

  test.each(['traps_worked', 'traps_kept'] as const)('%s: none is answered wrongly', (half) => {
    const { all, wrong } = outcomesOf(half);
    expect(wrong).toEqual([]);
    expect(all.length).toBeGreaterThanOrEqual(30);
  });
});
