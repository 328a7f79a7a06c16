import { describe, expect, it } from 'vitest';
import { assetClasses } from '../../domain/assets.ts';
import { limitsOfAsset } from '../../registry/asset-limits.ts';
import { fittedLimits } from '../../registry/fitted-limits.ts';
import limits from '../../registry/limits.json' with { type: 'json' };
import { limitsOf, stricter } from '../../verdict/limits.ts';
import { looserLimits } from '../../verdict/looser.ts';
import { withOwnLimits } from '../../verdict/own-limits.ts';
import { fairProposal } from './proposals.ts';

// GD-13
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

// GD-13
describe('an operator’s own limits', () => {
  it('take the place of those that they name', () => {
    expect(withOwnLimits('{}')).toEqual(limitsOf);
    const own = {
      crypto: { costBps: { noGo: 80 }, referenceAgeSeconds: 120 },
      stable: { jumpBps: { caution: 300, noGo: 400 }, taxBps: { noGo: 5 } },
    };
    expect(withOwnLimits(JSON.stringify(own))).toEqual({
      ...limitsOf,
      crypto: { ...limitsOf.crypto, costBps: { caution: 40n, noGo: 80n }, referenceAgeSeconds: 120n },
      stable: { ...limitsOf.stable, jumpBps: { caution: 300n, noGo: 400n }, taxBps: { caution: 0n, noGo: 5n } },
    });
  });

  it('go as far as a check that still is one', () => {
    const own = {
      crypto: {
        pegBps: { noGo: 5_000 },
        jumpBps: { noGo: 10_000 },
        finalityBlocks: { noGo: 4_000 },
        referenceAgeSeconds: 604_800,
      },
    };
    expect(withOwnLimits(JSON.stringify(own)).crypto).toMatchObject({
      pegBps: { noGo: 5_000n },
      jumpBps: { noGo: 10_000n },
      finalityBlocks: { noGo: 4_000n },
      referenceAgeSeconds: 604_800n,
    });
    // What the project sets itself can be said again.
    const plain = JSON.stringify(limitsOf, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
    expect(withOwnLimits(plain)).toEqual(limitsOf);
  });

  const limits = Object.keys(limitsOf.crypto).join(', ');
  const shape = 'must be JSON of classes and their limits, like {"crypto": {"costBps": {"noGo": 80}}}';
  it.each([
    ['crypto', shape],
    ['[]', shape],
    ['null', shape],
    ['{"Crypto": {}}', 'names "Crypto", which is not a class: use one of crypto, stable'],
    ['{"__proto__": {}}', 'names "__proto__", which is not a class: use one of crypto, stable'],
    ['{"stable": 5}', 'must have an object at stable'],
    ['{"crypto": null}', 'must have an object at crypto'],
    ['{"crypto": []}', 'must have an object at crypto'],
    ['{"crypto": false}', 'must have an object at crypto'],
    ['{"crypto": ""}', 'must have an object at crypto'],
    ['{"crypto": {"pegBps": {"noGo": 5001}}}', 'must have a whole number from 0 to 5000 at crypto.pegBps.noGo'],
    [
      '{"crypto": {"pegBps": {"caution": 6000, "noGo": 6000}}}',
      'must have a whole number from 0 to 5000 at crypto.pegBps.caution',
    ],
    ['{"crypto": {"jumpBps": {"noGo": 10001}}}', 'must have a whole number from 0 to 10000 at crypto.jumpBps.noGo'],
    [
      '{"crypto": {"finalityBlocks": {"noGo": 4001}}}',
      'must have a whole number from 0 to 4000 at crypto.finalityBlocks.noGo',
    ],
    ['{"crypto": {"fittedHours": 1}}', 'must have a whole number from 0 to 0 at crypto.fittedHours'],
    [
      '{"stable": {"referenceAgeSeconds": 604801}}',
      'must have a whole number from 0 to 604800 at stable.referenceAgeSeconds',
    ],
    ['{"crypto": {"pegBp": 5}}', `names "pegBp", which is not a limit of crypto: use one of ${limits}`],
    ['{"crypto": {"toString": 5}}', `names "toString", which is not a limit of crypto: use one of ${limits}`],
    ['{"crypto": {"pegBps": 5}}', 'must have an object at crypto.pegBps'],
    ['{"crypto": {"pegBps": null}}', 'must have an object at crypto.pegBps'],
    [
      '{"crypto": {"pegBps": {"nogo": 5}}}',
      'names "nogo", which is not a part of crypto.pegBps: use one of caution, noGo',
    ],
    ['{"crypto": {"pegBps": {"noGo": -1}}}', 'must have a whole number from 0 to 5000 at crypto.pegBps.noGo'],
    ['{"crypto": {"pegBps": {"noGo": "80"}}}', 'must have a whole number from 0 to 5000 at crypto.pegBps.noGo'],
    ['{"stable": {"quoteAgeSeconds": 1.5}}', 'must have a whole number from 0 to 604800 at stable.quoteAgeSeconds'],
    ['{"stable": {"quoteAgeSeconds": 1e30}}', 'must have a whole number from 0 to 604800 at stable.quoteAgeSeconds'],
    ['{"stable": {"quoteAgeSeconds": {}}}', 'must have a whole number from 0 to 604800 at stable.quoteAgeSeconds'],
    [
      '{"crypto": {"pegBps": {"caution": 70, "noGo": 60}}}',
      'must not have the caution of crypto.pegBps, 70, above its noGo, 60',
    ],
    ['{"crypto": {"pegBps": {"noGo": 40}}}', 'must not have the caution of crypto.pegBps, 50, above its noGo, 40'],
  ])('%s is refused: it %s', (json, why) => {
    expect(() => withOwnLimits(json)).toThrow(new Error(why));
  });
});

// GD-13
describe('what is looser than the project’s limits', () => {
  it('is not what is as strict or stricter', () => {
    for (const kind of assetClasses) expect(looserLimits(limitsOf[kind], limitsOf[kind])).toEqual([]);
    const { crypto } = withOwnLimits('{"crypto": {"pegBps": {"caution": 0, "noGo": 99}, "blockAgeSeconds": 59}}');
    expect(looserLimits(limitsOf.crypto, crypto)).toEqual([]);
  });

  it('is told part by part, by the limits of its own class', () => {
    const { stable } = withOwnLimits('{"stable": {"costBps": {"caution": 21}, "blockAgeSeconds": 61}}');
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
    const own = withOwnLimits('{"crypto": {"moveBps": {"caution": 100}}}');
    expect(limitsOfAsset(btcb, own).moveBps).toEqual({ ...limitsOf.crypto.moveBps, caution: 100n });
  });

  it('are those of an operator where there are any', () => {
    const own = withOwnLimits('{"crypto": {"referenceAgeSeconds": 90, "costBps": {"noGo": 60}}}');
    expect(limitsOfAsset(btcb, own)).toMatchObject({
      referenceAgeSeconds: 90n,
      quoteAgeSeconds: 1_800n,
      costBps: { caution: 40n, noGo: 60n },
    });
  });
});
