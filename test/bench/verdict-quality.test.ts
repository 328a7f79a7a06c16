import type { Verdict } from '@bowline/core/domain/verdict';
import { checks } from '@bowline/core/verdict/checks/index';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { describe, expect, it } from 'vitest';
import { dangers } from '../../lab/bench/verdict-quality/attacks/dangers.ts';
import { bargain, families } from '../../lab/bench/verdict-quality/attacks/families.ts';
import { pumps } from '../../lab/bench/verdict-quality/attacks/pumps.ts';
import { curveOf, drawBase, UNFAIR_BPS } from '../../lab/bench/verdict-quality/curve.ts';
import { figured } from '../../lab/bench/verdict-quality/figured.ts';
import { symbols } from '../../lab/bench/verdict-quality/history.ts';
import { honestYear, silentDay } from '../../lab/bench/verdict-quality/honest.ts';
import { hashOfInputs, loadedBy } from '../../lab/bench/verdict-quality/inputs.ts';
import { type Judge, judgeScene as judge } from '../../lab/bench/verdict-quality/judge.ts';
import { proposalOf } from '../../lab/bench/verdict-quality/proposal.ts';
import { random } from '../../lab/bench/verdict-quality/random.ts';
import { barsOf, type Result } from '../../lab/bench/verdict-quality/result.ts';
import { lossOf, type Scene, tradeOf } from '../../lab/bench/verdict-quality/scene.ts';
import { hunts, search } from '../../lab/bench/verdict-quality/search.ts';
import { tables } from '../../lab/bench/verdict-quality/tables.ts';
import { meetDanger, pumpedWith } from '../../lab/bench/verdict-quality/tasks.ts';

// `npm run lab -- bench:verdict-quality` makes a hundred times as many of each.

const always =
  (verdict: Verdict): Judge =>
  () => ({ verdict });

const seeds = [7];

function measured(by: Judge): Result {
  const setting = { rules: 0, seeds, every: 0, moments: 0, hunts: 0, steps: 0 };
  const [curve, ...curves] = [bargain, ...families].map((family) => curveOf(family, 3, seeds, by));
  return {
    setting,
    inputs: '',
    honest: symbols.map((symbol) => honestYear(symbol, 2022, 120, seeds, by)),
    silent: symbols.map((symbol) => silentDay(symbol, 40, seeds, by)),
    families: curves,
    bargain: curve as NonNullable<typeof curve>,
    dangers: dangers.map((danger) => meetDanger(danger, 20, seeds, by)),
    pumps: pumps.map((pump) => pumpedWith(pump, 4, seeds, by)),
    search: hunts.slice(1, 2).map((hunt) => search(hunt, 2, 100, seeds, by)),
    events: [],
    waiting: [],
    unseen: [],
  };
}

describe('the votes', () => {
  const draw = random(1);
  const unfair = [
    ...dangers.flatMap((danger) => {
      const scenes = Array.from({ length: 150 }, () => danger.draw(draw));
      return scenes.filter((scene) => danger.isUnpriced || lossOf(scene) * 10_000 > UNFAIR_BPS);
    }),
    ...pumps.filter(({ isSudden }) => isSudden).map(({ strike }) => strike(drawBase(draw), 0.1)),
  ];
  const stoppedBy = unfair.map((scene) =>
    judgeProposal(proposalOf(scene)).findings.flatMap(({ check, outcome }) => (outcome === 'pass' ? [] : [check])),
  );

  it.each(checks.map(({ id }) => id))('%s stops a loss that all others let pass', (id) => {
    expect(stoppedBy).toContainEqual([id]);
  });
});

describe('the benchmark of the rules', () => {
  const found = measured(judge);
  const failed = (result: Result) => barsOf(result).flatMap(({ name, isPassed }) => (isPassed ? [] : [name]));

  it('GD-2: the rules pass what a few moments can show', () => {
    // With so few honest moments, a single refusal is more than one in a hundred.
    expect(failed(found).filter((name) => !name.includes('honest moments') && !name.includes('the same'))).toEqual([]);
  });

  it('GD-1: rules that always say GO fail, and so do rules that never do', () => {
    const loose = failed(measured(always('GO')));
    // Attacks, the search, dangers with a price and without, and pumps.
    expect(loose).toHaveLength(5);
    const strict = failed(measured(always('CAUTION')));
    expect(strict.length).toBeGreaterThanOrEqual(3);
    expect(strict.filter((name) => !name.includes('refused') && !name.includes('the same'))).toEqual([]);
  });

  it('a seed always gives the same', () => {
    const [family] = families;
    if (family === undefined) throw new Error('no family');
    expect(curveOf(family, 2, [3], judge)).toEqual(curveOf(family, 2, [3], judge));
    expect(curveOf(family, 2, [3], judge)).not.toEqual(curveOf(family, 2, [4], judge));
    expect(honestYear('ETH', 2023, 500, [3], judge)).toEqual(honestYear('ETH', 2023, 500, [3], judge));
  });

  it('GD-2: a moment in which a source is late counts by those that are left', () => {
    const [lying, pushed] = [families.find(({ name }) => name === 'exchange lies'), families[0]];
    if (lying === undefined || pushed === undefined) throw new Error('no such family');
    // One of ten moments has a late source. Next to a lie that leaves one honest source, otherwise often two.
    const { late, unfair } = curveOf(lying, 60, seeds, always('GO'));
    expect(late.unfair.all).toBeGreaterThan(0);
    expect(late.unfair.all).toBeLessThan(unfair.all / 5);
    expect(late.worsts).not.toEqual([null]);
    const alone = curveOf(pushed, 60, seeds, always('GO')).late.unfair;
    expect(alone.all).toBeLessThan(late.unfair.all);
  });

  it('GD-2: so does a moment in which nobody attacks', () => {
    // On 11 March 2021 at 13:00:50 all three sources gave an old price of BNB, more than 0.2 % off.
    const moments = ['WBNB', 2021, 8, [2_808_643_366, 1_149_870_075, 467_419_801]] as const;
    const { unfair, late } = honestYear(...moments, always('GO'));
    expect(late).toEqual({ all: 1, go: 1 });
    expect(unfair).toEqual({ all: 6, go: 6 });
    // The rules say GO, too: see docs/reference/accuracy.md.
    expect(honestYear(...moments, judge)).toMatchObject({ late: { go: 1 }, unfair: { go: 0 } });
  });

  it('says of every family how many cases none of was GO', () => {
    const rows = tables(found).families?.split('\n').slice(2) ?? [];
    expect(rows).toHaveLength(families.length + 1);
    for (const row of rows) expect(row).toMatch(/\| \d+ of \d+ \|$/);
  });

  it('a bargain of up to 1 % is GO', () => {
    const calm = found.bargain.points.filter(({ bps }) => bps <= 100);
    expect(calm.map(({ go }) => go)).toEqual(calm.map(() => 1));
  });
});

describe('a family of attacks', () => {
  const base: Scene = { ...drawBase(random(5)), sizeUsd: 1_000 };

  it('there are at least 25, of different names', () => {
    expect(new Set(families.map(({ name }) => name)).size).toBe(families.length);
    expect(families.length).toBeGreaterThanOrEqual(25);
  });

  it.each(families.map(({ name, strike }) => [name, strike] as const))('%s: loses about its magnitude', (_, strike) => {
    for (const side of ['buy', 'sell'] as const) {
      const scene = { ...base, side };
      const extra = lossOf(strike(scene, 0.03, random(1))) - lossOf(strike(scene, 0, random(1)));
      expect(extra).toBeGreaterThan(0.024);
      expect(extra).toBeLessThan(0.036);
    }
  });

  it('a bargain gains as much', () => {
    expect(lossOf(bargain.strike(base, 0.03, random(1))) - lossOf(base)).toBeCloseTo(-0.03, 2);
  });
});

describe('the loss of a trade', () => {
  const base: Scene = { ...drawBase(random(9)), sizeUsd: 1_000 };
  const fair: Scene = {
    ...base,
    side: 'buy',
    usd: 100,
    quoteUsd: 1,
    quoteFeed: { usd: 1, age: 0 },
    pool: { spot: 100, mean: 100, depthUsd: 1e9, detour: 0, taxThere: 0, taxBack: 0 },
  };

  it('is nothing at the true price, the pool’s fee apart', () => {
    expect(lossOf(fair)).toBeCloseTo(0, 5);
    expect(lossOf({ ...fair, usd: 98 })).toBeCloseTo(0.02, 5);
  });

  it('of a trade as large as a hundredth of the reserve is one in a hundred', () => {
    expect(lossOf({ ...fair, pool: { ...fair.pool, depthUsd: 99_000 }, sizeUsd: 1_000 })).toBeCloseTo(0.01, 4);
  });

  it('there and back is the fee twice, whatever the depth', () => {
    const { paid, returned } = tradeOf({ ...fair, pool: { ...fair.pool, depthUsd: 20_000 } });
    expect(returned / paid).toBeCloseTo(0.9995 ** 2, 4);
  });
});

describe('what the result follows from', () => {
  it('is every file that the measurement loads, types apart', () => {
    const files: Readonly<Record<string, string>> = {
      'lab/bench/a.ts': "import type { Gone } from './gone.ts';\nimport { b } from './b/b.ts';\n",
      'lab/bench/b/b.ts':
        "import {\n  c,\n} from '@bowline/core/c';\nimport d from '../d.json' with { type: 'json' };\nimport 'node:fs';\n",
      'packages/core/c.ts': "export { b } from '../../lab/bench/b/b.ts';\n",
    };
    expect(loadedBy('lab/bench/a.ts', (path) => files[path] as string)).toEqual([
      'lab/bench/a.ts',
      'lab/bench/b/b.ts',
      'packages/core/c.ts',
      'lab/bench/d.json',
    ]);
  });

  it('has the rules, the limits and the prices among it', () => {
    const loaded = loadedBy('lab/bench/verdict-quality/tasks.ts');
    for (const file of [
      'verdict/checks/all-in-cost.ts',
      'verdict/limits.ts',
      'registry/limits.json',
      'registry/feeds.json',
    ]) {
      expect(loaded).toContain(`packages/core/${file}`);
    }
    expect(hashOfInputs()).toBe(hashOfInputs());
  });
});

describe('the tables of a page', () => {
  const page =
    'text\n<!-- figures:bars -->\nold\n<!-- /figures -->\nmore\n<!-- figures:honest -->\n<!-- /figures -->\n';

  it('stand between their markers, and nothing else changes', () => {
    const { text, names } = figured(page, { bars: '| a |', honest: '| b |' });
    expect(text).toBe(
      'text\n<!-- figures:bars -->\n| a |\n<!-- /figures -->\nmore\n<!-- figures:honest -->\n| b |\n<!-- /figures -->\n',
    );
    expect(names).toEqual(['bars', 'honest']);
    expect(figured(text, { bars: '| a |', honest: '| b |' }).text).toBe(text);
  });

  it('are named where there is no such table', () => {
    expect(figured(page, { honest: '' }).unknown).toEqual(['bars']);
  });
});
