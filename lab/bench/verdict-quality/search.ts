import {
  detour,
  pushChainlink,
  pushExchange,
  pushPool,
  pushPyth,
  pushQuoteFeed,
  rampPast,
  silence,
  tax,
  thinPool,
} from './attacks/moves.ts';
import { drawBase, rounded } from './curve.ts';
import { type Judge, seedOf } from './judge.ts';
import { type Random, random } from './random.ts';
import { lossOf, type Scene } from './scene.ts';

// The worst stack: searches for the combination of magnitudes that loses the most and is still GO. It knows the verdict
// and the loss, but no limit.

type Source = 'exchange' | 'pyth' | 'chainlink';

export interface Hunt {
  readonly name: string;
  /** Independent sources that stay honest and heard. */
  readonly honest: number;
  readonly liars: readonly (Source | 'quote')[];
  readonly silent: readonly Source[];
}

export const hunts: readonly Hunt[] = [
  { name: 'pool, depth, route and taxes', honest: 3, liars: [], silent: [] },
  { name: 'the same, and the exchange lies', honest: 2, liars: ['exchange'], silent: [] },
  { name: 'the same, and Pyth lies', honest: 2, liars: ['pyth'], silent: [] },
  { name: 'the same, and Chainlink lies', honest: 2, liars: ['chainlink'], silent: [] },
  { name: 'the same, and the exchange is silent', honest: 2, liars: [], silent: ['exchange'] },
  { name: 'the same, and Pyth is silent', honest: 2, liars: [], silent: ['pyth'] },
  { name: 'the same, and Chainlink is silent', honest: 2, liars: [], silent: ['chainlink'] },
  { name: 'the same, and the quote coin’s feed lies', honest: 1, liars: ['quote'], silent: [] },
  { name: 'the same, and exchange and Pyth lie', honest: 1, liars: ['exchange', 'pyth'], silent: [] },
  { name: 'the same, and Chainlink and the exchange lie', honest: 1, liars: ['chainlink', 'exchange'], silent: [] },
  { name: 'the same, and Chainlink and Pyth lie', honest: 1, liars: ['chainlink', 'pyth'], silent: [] },
  { name: 'the same, and all lie', honest: 0, liars: ['chainlink', 'exchange', 'pyth', 'quote'], silent: [] },
];

/** Far beyond anything that a rule could let pass: a find near it counts as unbounded. */
export const BOX = 5;

/** Magnitudes as shares, by name, with their maximum; those that a hunt may not use stay 0. */
const knobs = [
  ['push', BOX],
  ['ofMean', 1],
  ['impact', 0.99],
  ['detour', 0.99],
  ['taxThere', 0.99],
  ['taxBack', 0.99],
  ['exchange', BOX],
  ['spread', 0.99],
  ['pyth', BOX],
  ['confidence', 0.99],
  ['chainlink', BOX],
  ['before', BOX],
  ['quote', BOX],
  ['closes', BOX],
  ['closesHours', 1],
] as const;
type Knob = (typeof knobs)[number][0];
type Stack = Readonly<Record<Knob, number>>;

const still = Object.fromEntries(knobs.map(([name]) => [name, 0])) as Stack;

export interface Found {
  readonly name: string;
  readonly honest: number;
  /** Largest loss with GO in 1/10,000 over all moments of each seed. */
  readonly worsts: readonly (number | null)[];
  /** Over all moments of all seeds. */
  readonly median: number | null;
  readonly moments: number;
  /** The magnitudes of the worst find, in 1/10,000. */
  readonly stack: Readonly<Record<string, number>>;
}

/** @param count of honest starting moments per seed, each searched with this many `steps`. */
export function search(hunt: Hunt, count: number, steps: number, seeds: readonly number[], judge: Judge): Found {
  const bySeed = seeds.map((seed) => {
    const draw = random(seedOf(seed, hunt.name));
    const finds: { loss: number; stack: Stack }[] = [];
    // With a source silent, the rules may never give GO.
    for (let tries = 0; tries < 2 * count && finds.length < count; tries += 1) {
      const found = climb(drawBase(draw), hunt, steps, draw, judge);
      if (found !== undefined) finds.push(found);
    }
    return finds.sort((a, b) => a.loss - b.loss);
  });
  const finds = bySeed.flat().sort((a, b) => a.loss - b.loss);
  const [worst, median] = [finds.at(-1), finds[Math.floor(finds.length / 2)]];
  const named = Object.entries(worst?.stack ?? {}).map(([name, by]) => [name, rounded(by * 10_000, 1)] as const);
  const lossIn = (find: (typeof finds)[number] | undefined) =>
    find === undefined ? null : rounded(find.loss * 10_000, 1);
  return {
    name: hunt.name,
    honest: hunt.honest,
    worsts: bySeed.map((each) => lossIn(each.at(-1))),
    median: lossIn(median),
    moments: finds.length,
    stack: Object.fromEntries(named.filter(([, by]) => by !== 0)),
  };
}

/** Undefined if the unchanged moment is not GO. */
function climb(base: Scene, hunt: Hunt, steps: number, draw: Random, judge: Judge) {
  const usable = knobs.filter(([name]) => isUsable(hunt, name));
  const tryOut = (stack: Stack) => {
    const scene = applied(base, hunt, stack);
    return { stack, loss: lossOf(scene), isGo: judge(scene).verdict === 'GO' };
  };
  let best = tryOut(still);
  if (!best.isGo) return undefined;
  let size = 0.02;
  for (let step = 0; step < steps; step += 1) {
    const next = tryOut(mutated(best.stack, hunt, usable, size, draw));
    const isBetter = next.isGo && next.loss >= best.loss;
    // Larger steps while they succeed, smaller ones when they do not: a fifth of them should.
    size = Math.min(1, Math.max(0.000_02, size * (isBetter ? 1.5 : 0.9)));
    if (isBetter) best = next;
  }
  return best;
}

const isUsable = ({ liars }: Hunt, name: Knob): boolean => {
  if (name === 'exchange' || name === 'spread') return liars.includes('exchange');
  if (name === 'closes' || name === 'closesHours') return liars.includes('exchange');
  if (name === 'pyth' || name === 'confidence') return liars.includes('pyth');
  if (name === 'before') return liars.includes('chainlink');
  return (name !== 'chainlink' && name !== 'quote') || liars.includes(name);
};

/** Magnitudes that may also move in the trader's favour. */
const signed: ReadonlySet<Knob> = new Set(['exchange', 'pyth', 'chainlink', 'before', 'quote', 'closes']);

function mutated(
  stack: Stack,
  { liars }: Hunt,
  usable: readonly (readonly [Knob, number])[],
  size: number,
  draw: Random,
): Stack {
  const next: Record<Knob, number> = { ...stack };
  const move = (name: Knob, by: number) => {
    const max = knobs.find(([each]) => each === name)?.[1] ?? 0;
    // Below this, a price would not stay above zero.
    const least = signed.has(name) ? -0.9 : 0;
    next[name] = Math.min(max, Math.max(least, next[name] + by));
  };
  // Half of the steps move the pool and its liars together, as an attacker would.
  if (liars.length > 0 && draw.chance(0.5)) {
    const by = size * draw.normal();
    move('push', by);
    move('ofMean', draw.normal() * 0.3);
    for (const liar of liars) move(liar, liar === 'quote' ? -by : by);
    if (liars.includes('exchange')) move('closes', by);
    if (liars.includes('chainlink')) move('before', by);
    return next;
  }
  for (let more = 0; more < 1 + Math.floor(draw.between(0, 3)); more += 1) {
    const [name = 'push', max = 0] = usable[Math.floor(draw.between(0, usable.length))] ?? [];
    move(name, max === 1 ? draw.normal() * 0.3 : size * draw.normal());
  }
  return next;
}

function applied(base: Scene, { silent }: Hunt, by: Stack): Scene {
  const pushed = pushPool(base, by.push, by.ofMean);
  const thin = by.impact > 0 ? thinPool(pushed, by.impact) : pushed;
  const worse = tax(detour(thin, by.detour), by.taxThere, by.taxBack);
  const lied = pushQuoteFeed(pushChainlink(pushExchange(worse, by.exchange), by.chainlink), by.quote);
  const unsure = by.confidence > 0 ? by.confidence : undefined;
  const { exchange } = lied;
  const wide = exchange && { ...lied, exchange: { ...exchange, halfSpread: exchange.halfSpread + by.spread } };
  const ramped = rampPast(wide ?? lied, by.closes, 1 + Math.round(by.closesHours * (base.closes.length - 1)));
  const { chainlink } = ramped;
  const before = chainlink && { ...ramped, chainlink: { ...chainlink, before: chainlink.before * (1 + by.before) } };
  return silence(pushPyth(before ?? ramped, by.pyth, unsure), ...silent);
}
