import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom, type Random } from '../../agent/test/sim/random.ts';
import { type Door, doors, type Question, type Told } from './doors.ts';
import { type Fault, faults, type Kind, type Moment, moments, type Victim } from './faults.ts';
import { openShop, price, type Shop } from './shop.ts';
import { authorise, base64, type Payload, type Signed } from './signed-payment.ts';

// Faults at each moment of a payment's life, on the agent as a process. An honest payment runs beside each of them.
// Afterwards each payment was charged once and has its one answer, and `npx bowline show payments` finds nothing owed.

/** Another seed gives another order, other doors and other moments: `FAULT_SEED=2 npx vitest run …`. */
const seed = Number(process.env.FAULT_SEED ?? 1);
/** Every caller here is 127.0.0.1. */
const limits = { ANSWER_LIMIT: '10000', CALLER_LIMIT: '20000' };

let shop: Shop;

beforeAll(async () => {
  shop = await openShop('pay-faults', limits);
}, 180_000);

afterAll(() => shop?.stop());

/** A payment, and what it bought. */
interface Bought {
  readonly payer: PrivateKeyAccount;
  readonly signed: Signed;
  readonly door: Door;
  readonly question: Question;
  readonly token: Hex;
  answer?: string;
}

const pick = <Item>(items: readonly Item[], random: Random): Item => items[random.below(items.length)] as Item;

/** Answered payments of this shop. */
const all: Bought[] = [];
let asked = 20;

async function newPayment(payers: PrivateKeyAccount[], random: Random) {
  const payer = payers.pop();
  if (payer === undefined) throw new Error('no payer is left');
  const offer = shop.offers.authorised;
  const signed = await authorise(payer, { offer });
  const question = { asset: pick(['BTCB', 'ETH', 'BNB'], random), usd: ++asked };
  return { payer, signed, door: pick(doors, random), question, token: offer.asset } satisfies Bought;
}

const ask = ({ door, question }: Bought, payment: Payload | string, signal?: AbortSignal) =>
  door.ask(shop.agent.url, question, { payment, ...(signal && { signal }) });

/** If the answer says that nothing was charged, nothing was. */
async function checkWord(told: Told | undefined, { payer, token }: Bought): Promise<void> {
  if (told?.text.includes('nothing was charged')) expect(await shop.held(payer.address, token)).toBe(2n * price);
}

/** Sends the same payment again, in other encodings, until it is answered. */
async function settleUp(bought: Bought, told: Told | undefined, context: string): Promise<void> {
  let last = told;
  let encoding = 0;
  const deadline = performance.now() + 45_000;
  while (last?.isAnswered !== true) {
    if (performance.now() > deadline) throw new Error(`${context}: not answered: ${last?.text}`);
    if (encoding > 0) await sleep(200);
    last = await ask(bought, base64(bought.signed.payload, ++encoding));
    await checkWord(last, bought);
  }
  bought.answer = last.answer ?? '';
  const again = await ask(bought, base64(bought.signed.payload, 99));
  expect(again.answer, context).toBe(bought.answer);
  if (told?.isAnswered) expect(told.answer, context).toBe(bought.answer);
  expect(await shop.held(bought.payer.address, bought.token), context).toBe(price);
  expect(await shop.paidBy(bought.payer.address), context).toBe(1);
  all.push(bought);
}

/** Tracks when a payment reaches each moment, and which one it is at. */
function watch(payer: PrivateKeyAccount) {
  const waiting = new Map(moments.map((moment) => [moment, Promise.withResolvers<void>()]));
  let latest = -1;
  const reach = (moment: Moment) => {
    latest = Math.max(latest, moments.indexOf(moment));
    waiting.get(moment)?.resolve();
  };
  const name = payer.address.slice(2).toLowerCase();
  const isOf = (value: unknown) => JSON.stringify(value).toLowerCase().includes(name);
  shop.node.ask = ({ method, params }) => {
    if (method === 'eth_call' && isOf(params)) reach('checked');
  };
  shop.node.tell = ({ method }, { result }) => {
    if ((method === 'eth_getTransactionReceipt' || method === 'eth_getLogs') && result && isOf(result)) reach('proved');
  };
  return { reach, comes: (moment: Moment) => waiting.get(moment)?.promise, isAt: () => moments[latest] };
}

function calm(): void {
  shop.node.fate = () => 'answered';
  shop.node.ask = () => {};
  shop.node.tell = () => {};
}

/** A fault at a moment of a payment's life. */
interface Planned {
  readonly name: string;
  readonly moment: Moment;
}

/** Milliseconds that an undisturbed payment stays at each moment. A fault strikes within them. */
const stays: Readonly<Record<Moment, number>> = { sent: 10, checked: 6, asked: 100, settled: 4, told: 10, proved: 50 };

/** Returns whether the fault took place, at that moment. */
async function play(
  { name, moment }: Planned,
  withinMs: number,
  payments: readonly [Bought, Bought],
  random: Random,
): Promise<boolean> {
  const [bought, beside] = payments;
  const { payer, signed, door, question } = bought;
  calm();
  const life = watch(payer);
  const hangUp = new AbortController();
  let isOpen = true;
  const victim: Victim = {
    shop,
    random,
    payer: payer.address,
    door,
    question,
    payload: signed.payload,
    isOpen: () => isOpen,
    hangUp: () => hangUp.abort(),
  };
  const { at, make } = faults[name] as Kind;
  const fault: Fault = make(victim);
  // With only one possible moment, the fault waits itself.
  const waitMs = at.length === 1 ? 0 : random.below(withinMs + 1);
  const context = `${name} ${waitMs} ms after ${moment} at ${door.name}, seed ${seed}`;
  shop.settles(payer.address, async (body, settle) => {
    life.reach('asked');
    const noted = async () => {
      const settled = await settle();
      life.reach('settled');
      return settled;
    };
    const answer = fault.settle ? fault.settle(body, noted) : noted();
    return answer.finally(() => setTimeout(() => life.reach('told'), 5));
  });

  const end = () => {
    isOpen = false;
  };
  const first = ask(bought, signed.payload, hangUp.signal).catch(() => undefined);
  first.then(end, end);
  const besideFirst = sleep(random.below(200)).then(() => ask(beside, beside.signed.payload).catch(() => undefined));
  life.reach('sent');
  await Promise.race([life.comes(moment), first]);
  if (isOpen && waitMs > 0) await Promise.race([sleep(waitMs), first]);
  const isThere = isOpen && life.isAt() === moment;
  await fault.strike();
  const told = await Promise.race([first, sleep(30_000).then(() => Promise.reject(new Error(`${context}: no end`)))]);
  const toldBeside = await besideFirst;
  await checkWord(told, bought);
  await fault.heal();
  shop.settles(payer.address, (_body, settle) => settle());
  calm();
  await settleUp(bought, told, context);
  await settleUp(beside, toldBeside, `${context}, the payment beside it`);
  return isThere && fault.hasHit();
}

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, order: random.unit() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);

/** Plans each fault this many times. It goes through all its moments, in random order, before it repeats one. */
function plan(often: Readonly<Record<string, number>>, random: Random): readonly Planned[] {
  const planned = Object.entries(often).flatMap(([name, times]) => {
    const at = shuffled((faults[name] as Kind).at, random);
    return Array.from({ length: times }, (_, nth): Planned => ({ name, moment: at[nth % at.length] as Moment }));
  });
  return shuffled(planned, random);
}

/** Attempts to hit a moment, each closer to its start. */
const tries = 6;

/** Plays each fault until it hits: at its planned moment or, if it always misses that, at another of its own. */
async function playAll(planned: readonly Planned[], playSeed: number) {
  const payers = [...(await shop.newPayers(7 * planned.length))];
  const hits: Planned[] = [];
  let missed = 0;
  for (const [nth, { name, moment }] of planned.entries()) {
    // Each fault has its own random source, so what it does does not depend on the misses of others.
    const random = createRandom(playSeed * 1_000 + nth);
    const isHit = async (at: Moment) => {
      for (let nth = 0; nth < tries; nth++) {
        const pair = [await newPayment(payers, random), await newPayment(payers, random)] as const;
        if (await play({ name, moment: at }, stays[at] >> nth, pair, random)) return true;
        missed += 1;
      }
      return false;
    };
    const others = (faults[name] as Kind).at.filter((each) => each !== moment);
    for (const at of [moment, ...shuffled(others, random)]) {
      if (!(await isHit(at))) continue;
      hits.push({ name, moment: at });
      break;
    }
  }
  return { hits, missed };
}

/** The moments at which this fault, or any, has hit: one entry per hit. */
const momentsOf = (hits: readonly Planned[], fault?: string): readonly Moment[] =>
  hits.filter(({ name }) => fault === undefined || name === fault).map(({ moment }) => moment);

/** After a cold restart every payment still has its answer, and the chain shows the same. */
async function audit(): Promise<void> {
  await shop.agent.kill();
  await shop.start();
  for (const bought of all) {
    const { answer, text } = await ask(bought, base64(bought.signed.payload, 5));
    expect(typeof answer, text).toBe('string');
    expect(answer).toBe(bought.answer);
    expect(await shop.held(bought.payer.address, bought.token)).toBe(price);
  }
  const { code, stdout } = await shop.ledger();
  expect([code, stdout.match(/^(\d+) answered/m)?.[1]], stdout).toEqual([0, `${all.length}`]);
}

test('PY-3: a kill, a broken settlement and a full disk lose no payment (short)', async () => {
  const often = { 'kill -9': 1, 'facilitator settles and fails': 1, 'disk full': 1 };
  const { hits } = await playAll(plan(often, createRandom(seed)), seed);
  expect(hits.map(({ name }) => name).toSorted()).toEqual(Object.keys(often).toSorted());
  await audit();
});

test('PY-9, PY-3, AG-150: 50 faults over all moments lose no payment and charge none twice', {
  tags: ['long'],
  timeout: 1_500_000,
}, async () => {
  const began = performance.now();
  const often = Object.fromEntries(Object.entries(faults).map(([name, { times }]) => [name, times]));
  const planned = plan(often, createRandom(seed));
  const { hits, missed } = await playAll(planned, seed);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const at = moments.map((moment) => `${moment} ${momentsOf(hits).filter((each) => each === moment).length}`);
  process.stdout.write(
    `seed ${seed}: ${hits.length} faults (${at.join(', ')}), ${missed} misses, ${all.length} payments, in ${seconds} s\n`,
  );
  const namesOf = (faults: readonly { readonly name: string }[]) => faults.map(({ name }) => name).toSorted();
  expect(namesOf(hits)).toEqual(namesOf(planned));
  expect(hits).toHaveLength(50);
  for (const fault of ['kill -9', 'SIGTERM']) {
    expect(
      moments.filter((moment) => !momentsOf(hits, fault).includes(moment)),
      fault,
    ).toEqual([]);
  }
  for (const moment of moments) {
    expect(momentsOf(hits).filter((each) => each === moment).length, moment).toBeGreaterThanOrEqual(3);
  }
  await audit();
});
