import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { createRandom, type Random } from '../../agent/test/sim/random.ts';
import { type Door, doors, type Paying, type Question, showsVerdict, type Told } from './doors.ts';
import type { Shop } from './shop.ts';
import { base64, type Payload } from './signed-payment.ts';

// Shared by all thefts: payers, random doors and questions, and a comparison of the answers with the payments.

/** Anvil's fourth account sends the thieves' transactions. */
export const stranger: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** Outcome of a theft. */
export interface Loot {
  /** Distinct questions that were answered: honest ones, and the one that a double payment may get. */
  readonly bought: number;
  /** Transfers that paid the payee without a question, which a thief then read from calldata. */
  readonly gifts?: number;
}

/** A theft in progress: whom it pays with, and what every door said. */
export interface Heist {
  readonly shop: Shop;
  readonly random: Random;
  /** A random door, of this kind or of any. */
  door(kind?: Door['kind'], other?: Door): Door;
  question(): Question;
  /** Adds a payer to the comparison. */
  joins(payer: Address): void;
  /** A payer with funds for two answers. */
  payer(): PrivateKeyAccount;
  permitPayer(): PrivateKeyAccount;
  ask(door: Door, question: Question, paying?: Paying): Promise<Told>;
  /** Repeats `ask` until the outcome is known. */
  askUntilKnown(door: Door, question: Question, paying?: Paying): Promise<Told>;
  /** Records the answer to a request that the theft sent itself; `ask` records its own. */
  hear(door: string, question: string, told: Told): void;
}

export type Theft = (heist: Heist) => Promise<Loot>;

/** Thefts of one kind, keyed by what differs. */
export type Variants = Readonly<Record<string, Theft>>;

/** A theft for each entry of a list. */
export const varied = <Item>(
  list: Readonly<Record<string, Item>>,
  theft: (heist: Heist, item: Item) => Promise<Loot>,
) =>
  Object.fromEntries(
    Object.entries(list).map(([name, item]): [string, Theft] => [name, (heist) => theft(heist, item)]),
  );

const ways = { 'by authorisation': false, 'by permit': true };

/** A theft with each way to pay. */
export const bothWays = (theft: (heist: Heist, isPermit: boolean) => Promise<Loot>): Variants => varied(ways, theft);

/** A theft for each entry of a list, with each way to pay. */
export const variedBothWays = <Item>(
  list: Readonly<Record<string, Item>>,
  theft: (heist: Heist, isPermit: boolean, item: Item) => Promise<Loot>,
): Variants =>
  Object.fromEntries(
    Object.entries(list).flatMap(([name, item]) =>
      Object.entries(ways).map(([way, isPermit]): [string, Theft] => [
        `${name}, ${way}`,
        (heist) => theft(heist, isPermit, item),
      ]),
    ),
  );

const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] as Item;

export function refused(told: Told, ...words: readonly string[]): void {
  expect(told.isAnswered, told.text).toBe(false);
  expect(words, told.text).toContain(told.word);
}

const reversed = (object: object) => Object.fromEntries(Object.entries(object).toReversed());
const textOf = (payment: Payload) => JSON.stringify(payment);
const headerOf = (text: string) => Buffer.from(text).toString('base64');

/** Other encodings of the same payment. */
export const encodings: Readonly<Record<string, (payment: Payload) => Payload | string>> = {
  'with spaces': (payment) => base64(payment, 7),
  'in another order': ({ x402Version, accepted, payload }) => ({ payload, accepted, x402Version }),
  'in another order within': (payment) => ({ ...payment, payload: reversed(payment.payload) as Payload['payload'] }),
  'with its signature in capitals': ({ payload, ...rest }) => {
    const signature: Hex = `0x${payload.signature.slice(2).toUpperCase()}`;
    return { ...rest, payload: { ...payload, signature } };
  },
  'with an extension': (payment) =>
    ({ ...payment, extensions: { free: true }, resource: { url: 'http://elsewhere/' } }) as Payload,
  'with 0X': (payment) => headerOf(textOf(payment).replaceAll('"from":"0x', '"from":"0X')),
  'not padded': (payment) => base64(payment, textOf(payment).length % 3 === 2 ? 2 : 1).replaceAll('=', ''),
  'with an escaped name': (payment) => headerOf(textOf(payment).replace('"signature"', '"sign\\u0061ture"')),
  'on many lines': (payment) => headerOf(JSON.stringify(payment, null, 2)),
};

/** Purses from which a theft takes its payers. */
interface Purses {
  readonly payers: PrivateKeyAccount[];
  readonly permitPayers: PrivateKeyAccount[];
  /** Last amount asked for. It increases, so no question repeats. */
  asked: number;
  /** Number of refusals per door. */
  readonly refusals: Map<string, number>;
}

export async function openPurses(shop: Shop, many: number): Promise<Purses> {
  const payers = [...(await shop.newPayers(2 * many))];
  // Over x402 no permit is accepted.
  const permitPayers = shop.offers.permitted ? [...(await shop.newPermitPayers(many))] : [];
  return { payers, permitPayers, asked: 20, refusals: new Map() };
}

/**
 * Commits one theft, and compares its answers with the transfers of its payers on the chain.
 * @param seed of its doors, questions and moments.
 */
export async function commit(theft: Theft, seed: number, shop: Shop, purses: Purses): Promise<Loot> {
  const random = createRandom(seed);
  const payers: Address[] = [];
  const answered = new Set<string>();
  const take = (purse: PrivateKeyAccount[]) => {
    const payer = purse.pop();
    if (payer === undefined) throw new Error('no payer is left');
    payers.push(payer.address);
    return payer;
  };
  const heist: Heist = {
    shop,
    random,
    door: (kind) => {
      const fitting = doors.filter((each) => kind === undefined || each.kind === kind);
      return pick(fitting, random.below(fitting.length));
    },
    question: () => ({ asset: pick(['BTCB', 'ETH', 'BNB'], random.below(3)), usd: ++purses.asked }),
    joins: (payer) => void payers.push(payer),
    payer: () => take(purses.payers),
    permitPayer: () => take(purses.permitPayers),
    async ask(door, question, paying) {
      const told = await door.ask(shop.agent.url, question, paying);
      heist.hear(door.name, `${door.kind} ${JSON.stringify(question)}`, told);
      return told;
    },
    hear(door, question, told) {
      expect(showsVerdict(told), `${door}: ${told.text}`).toBe(told.isAnswered);
      if (told.isAnswered) answered.add(question);
      else purses.refusals.set(door, (purses.refusals.get(door) ?? 0) + 1);
    },
    async askUntilKnown(door, question, paying) {
      const deadline = performance.now() + 30_000;
      for (;;) {
        const told = await heist.ask(door, question, paying);
        const isOpen = ['settlement_unknown', 'payer_busy', 'earlier_payment_unknown'].includes(told.word);
        if (!isOpen || performance.now() > deadline) return told;
        await sleep(250);
      }
    },
  };
  const loot = await theft(heist);
  let paid = 0;
  for (const payer of payers) paid += await shop.paidBy(payer);
  expect(answered.size).toBe(loot.bought);
  expect(paid).toBe(loot.bought + (loot.gifts ?? 0));
  return loot;
}
