import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../agent/test/sim/random.ts';
import { doors } from './doors.ts';
import { commit, openPurses } from './heist.ts';
import { openShop, type Shop } from './shop.ts';
import { thefts } from './thefts.ts';

// Payers who try not to pay, at every door that sells a verdict, against the agent as a process. What was answered is compared with
// the chain's transfers after each of them, and with `npm run ledger` after all.

/** Another one for another order, other doors and other moments: `THEFT_SEED=2 npx vitest run …`. */
const seed = Number(process.env.THEFT_SEED ?? 1);
/** Every caller here is 127.0.0.1, and a theft that a limit stops shows nothing of the till. */
const limits = { ANSWER_LIMIT: '10000', CALLER_LIMIT: '20000', DOOR_LIMIT: '40000', REFUSAL_LIMIT: '60000' };

let shop: Shop;

beforeAll(async () => {
  shop = await openShop('pay-thefts', limits);
}, 180_000);

afterAll(() => shop?.stop());

/** So many thefts, of every kind in turn, in an order that the seed decides; four at once. */
async function play(many: number, random: Random) {
  const kinds = Object.entries(thefts);
  const planned = Array.from({ length: many }, (_, at) => {
    const [name, theft] = kinds[at % kinds.length] as (typeof kinds)[number];
    return { name, theft, nth: Math.floor(at / kinds.length) + (seed - 1), order: random.unit() };
  }).toSorted((one, other) => one.order - other.order);
  const purses = await openPurses(shop, many);
  const sums = { thefts: 0, bought: 0, gifts: 0 };
  const lane = async () => {
    for (let next = planned.pop(); next !== undefined; next = planned.pop()) {
      const { name, theft, nth } = next;
      const loot = await commit(theft, nth, shop, purses, random).catch((error: Error) => {
        error.message = `${name} ${nth}, seed ${seed}: ${error.message}`;
        throw error;
      });
      sums.thefts += 1;
      sums.bought += loot.bought;
      sums.gifts += loot.gifts ?? 0;
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  all.bought += sums.bought;
  all.gifts += sums.gifts;
  return { ...sums, refusals: purses.refusals };
}

/** Of all that were played on this shop. */
const all = { bought: 0, gifts: 0 };

/** What the chain alone shows of them, beside the files. */
async function compareWithLedger() {
  const { stdout } = await shop.ledger();
  expect(stdout).toContain(`\n${all.bought} answered,`);
  expect(stdout.match(/^no question known: /gm) ?? []).toHaveLength(all.gifts);
  expect(stdout).not.toMatch(/^(owed|answered, and not paid|not read)/m);
}

test('AG-286: a theft of each kind, at doors of chance, buys nothing (short)', async () => {
  const { thefts: tried } = await play(Object.keys(thefts).length, createRandom(seed + 1_000));
  expect(tried).toBe(16);
});

test('AG-148, AG-286: 100 thefts over all priced doors buy nothing, and the ledger says so', {
  tags: ['long'],
  timeout: 900_000,
}, async () => {
  const began = performance.now();
  const { refusals, ...sums } = await play(100, createRandom(seed));
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const told = [...refusals].map(([door, times]) => `${door} ${times}`).join(', ');
  process.stdout.write(`seed ${seed}: ${JSON.stringify(sums)} in ${seconds} s; refused: ${told}\n`);
  expect(sums.thefts).toBe(100);
  for (const { name } of doors) expect(refusals.get(name) ?? 0, name).toBeGreaterThan(4);
  await compareWithLedger();
});
