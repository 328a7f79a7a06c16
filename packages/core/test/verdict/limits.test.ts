import { describe, expect, it } from 'vitest';
import { assetClasses } from '../../domain/assets.ts';
import { fittedLimits, limitsOfAsset } from '../../registry/asset-limits.ts';
import limits from '../../registry/limits.json' with { type: 'json' };
import { limitsOf, stricter } from '../../verdict/limits.ts';
import { looserLimits } from '../../verdict/looser.ts';
import { fairProposal } from './proposals.ts';

describe('a plan’s own terms', () => {
  const priceSource = '0x00000000000000000000000000000000000000d1';

  it('are those of its asset’s class where they are looser', () => {
    for (const kind of assetClasses) {
      const most = Number(limitsOf[kind].costBps.noGo);
      expect(stricter(limitsOf[kind], { priceSource, maxSlippageBps: most })).toEqual(limitsOf[kind]);
      expect(stricter(limitsOf[kind], { priceSource, maxSlippageBps: 10_000 })).toEqual(limitsOf[kind]);
    }
  });

  it('hold the cost to what is stricter, and nothing else', () => {
    expect(stricter(limitsOf.crypto, { priceSource, maxSlippageBps: 70 })).toEqual({
      ...limitsOf.crypto,
      costBps: { caution: 40n, noGo: 70n },
    });
    expect(stricter(limitsOf.stable, { priceSource, maxSlippageBps: 30 })).toEqual({
      ...limitsOf.stable,
      costBps: { caution: 20n, noGo: 30n },
    });
    expect(stricter(limitsOf.crypto, { priceSource, maxSlippageBps: 0 })).toMatchObject({
      costBps: { caution: 0n, noGo: 0n },
    });
  });
});

describe('a plan without a price source', () => {
  it('has no slippage to be held to, though the registry keeps a zero', () => {
    const terms = { priceSource: `0x${'00'.repeat(20)}`, maxSlippageBps: 0 } as const;
    expect(stricter(limitsOf.crypto, terms)).toBe(limitsOf.crypto);
  });
});

describe('what is looser than the project’s limits', () => {
  it('is not what is as strict or stricter', () => {
    for (const kind of assetClasses) expect(looserLimits(limitsOf[kind], limitsOf[kind])).toEqual([]);
    const crypto = { ...limitsOf.crypto, pegBps: { caution: 0n, noGo: 99n }, blockAgeSeconds: 59n };
    expect(looserLimits(limitsOf.crypto, crypto)).toEqual([]);
  });

  it('is told part by part, by the limits of its own class', () => {
    const costBps = { ...limitsOf.stable.costBps, caution: 21n };
    const stable = { ...limitsOf.stable, costBps, blockAgeSeconds: 61n };
    expect(looserLimits(limitsOf.stable, stable)).toEqual([
      { limit: 'blockAgeSeconds', own: 61n, usual: 60n },
      { limit: 'costBps.caution', own: 21n, usual: 20n },
    ]);
    expect(looserLimits(limitsOf.stable, limitsOf.crypto).map(({ limit }) => limit)).toContain('moveBps.noGo');
  });
});

describe('the limits of one asset', () => {
  const btcb = fairProposal().asset;
  const unlisted = { ...btcb, symbol: 'DOT' };

  it('have the ages of its own feeds', () => {
    const ages = { referenceAgeSeconds: 180n, quoteAgeSeconds: 1_800n };
    expect(limitsOfAsset(btcb)).toEqual({ ...limitsOf.crypto, ...ages, ...fittedLimits.get('BTCB') });
    expect(limitsOfAsset({ ...btcb, symbol: 'WBNB' }).referenceAgeSeconds).toBe(120n);
    // No feed of its own in the list: the class decides.
    expect(limitsOfAsset(unlisted).referenceAgeSeconds).toBe(300n);
  });

  it('have what its own history says of its moves', () => {
    const { BTCB } = limits;
    expect(limitsOfAsset(btcb).moveBps).toEqual({
      caution: BigInt(BTCB.moveBps.caution),
      noGo: BigInt(BTCB.moveBps.noGo),
    });
    expect(limitsOfAsset(unlisted).moveBps).toEqual(limitsOf.crypto.moveBps);
  });
});
