import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../agent/test/sim/random.ts';
import { doors } from './doors.ts';
import { commit, openPurses, type Theft } from './heist.ts';
import { openShop, type Shop } from './shop.ts';
import { thefts } from './thefts.ts';

// Payers who try not to pay, at every door that sells a verdict, against the agent as a process. The answers are
// compared with the chain's transfers after each theft, and with `npx bowline show payments` at the end.

/** Another seed gives another order, other doors and other moments: `THEFT_SEED=2 npx vitest run …`. */
const seed = Number(process.env.THEFT_SEED ?? 1);
/** Every caller here is 127.0.0.1, and a theft that a rate limit stops proves nothing about payment. */
const limits = { ANSWER_LIMIT: '10000', CALLER_LIMIT: '20000' };

/** One over x402, and one over B402, where permits pay too. */
let shops: readonly [Shop, Shop];

beforeAll(async () => {
  shops = [await openShop('pay-thefts', limits), await openShop('pay-thefts-b402', limits, 'b402')];
}, 300_000);

afterAll(() => Promise.all((shops ?? []).map((shop) => shop.stop())));

const isOfPermit = ({ kind, name }: Pick<Planned, 'kind' | 'name'>) =>
  kind === 'otherPermit' || name.includes('by permit');

interface Planned {
  readonly kind: string;
  readonly name: string;
  readonly theft: Theft;
  /** Per theft, so that it does the same alone and among others. */
  readonly seed: number;
}

/** Every variant of every kind. */
const every: readonly Planned[] = Object.entries(thefts)
  .flatMap(([kind, variants]) => Object.entries(variants).map(([name, theft]) => ({ kind, name, theft })))
  .map((each, at) => ({ ...each, seed: seed * 1_000 + at }));
const namesOf = (planned: readonly Planned[]) => planned.map(({ kind, name }) => `${kind}: ${name}`).toSorted();

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, order: random.unit() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);

/** One variant of each kind, and one more for each sixteen. */
const sample = (random: Random): readonly Planned[] =>
  Object.keys(thefts).flatMap((kind) => {
    const variants = every.filter((each) => each.kind === kind);
    return shuffled(variants, random).slice(0, 1 + Math.floor(variants.length / 16));
  });

/** Plays them in random order, four at a time. Returns them; throws unless all ended as they must. */
async function play(thefts: readonly Planned[], random: Random) {
  const planned = shuffled(thefts, random);
  const [standard, b402] = shops;
  const purses = {
    x402: await openPurses(standard, planned.length),
    b402: await openPurses(b402, planned.filter(isOfPermit).length),
  };
  const played: Planned[] = [];
  const failures: unknown[] = [];
  const buyer = async () => {
    for (let next = planned.pop(); next !== undefined; next = planned.pop()) {
      const { kind, name, theft, seed: own } = next;
      try {
        const isPermit = isOfPermit(next);
        const loot = await commit(theft, own, isPermit ? b402 : standard, isPermit ? purses.b402 : purses.x402);
        const sum = all[isPermit ? 'b402' : 'x402'];
        sum.bought += loot.bought;
        sum.gifts += loot.gifts ?? 0;
        played.push(next);
      } catch (error) {
        failures.push(new Error(`${kind}: ${name}, seed ${seed}: ${(error as Error).message}`, { cause: error }));
      }
    }
  };
  await Promise.all([buyer(), buyer(), buyer(), buyer()]);
  if (failures.length > 0) throw new AggregateError(failures, failures.join('\n'));
  const refusals = new Map(
    doors.map(({ name }) => {
      const { x402, b402: other } = purses;
      return [name, (x402.refusals.get(name) ?? 0) + (other.refusals.get(name) ?? 0)];
    }),
  );
  return { played, refusals };
}

/** Totals of all thefts that were played, by shop. */
const all = { x402: { bought: 0, gifts: 0 }, b402: { bought: 0, gifts: 0 } };

/** Compares the totals with the ledger's, which is made from the chain and the files. */
async function compareWithLedger() {
  for (const [at, shop] of shops.entries()) {
    const { bought, gifts } = at === 0 ? all.x402 : all.b402;
    const { stdout } = await shop.ledger();
    expect(stdout).toContain(`\n${bought} answered,`);
    expect(stdout.match(/^no question known: /gm) ?? []).toHaveLength(gifts);
    expect(stdout).not.toMatch(/^(owed|answered, and not paid|not read)/m);
  }
}

test('PY-9: thefts of each kind, of a chance variant at doors of chance, buy nothing (short)', async () => {
  const random = createRandom(seed);
  const { played } = await play(sample(random), random);
  expect(new Set(played.map(({ kind }) => kind)).size).toBe(16);
});

test('PY-9: each of over 100 thefts, at all priced doors, buys nothing, and the ledger says so', {
  tags: ['long'],
  timeout: 900_000,
}, async () => {
  const began = performance.now();
  const { played, refusals } = await play(every, createRandom(seed));
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const told = [...refusals].map(([door, times]) => `${door} ${times}`).join(', ');
  process.stdout.write(
    `seed ${seed}: ${played.length} thefts in ${seconds} s, ${JSON.stringify(all)}; refused: ${told}\n`,
  );
  expect(namesOf(played)).toEqual(namesOf(every));
  expect(new Set(namesOf(played)).size).toBeGreaterThanOrEqual(100);
  for (const { name } of doors) expect(refusals.get(name) ?? 0, name).toBeGreaterThan(4);
  await compareWithLedger();
});
