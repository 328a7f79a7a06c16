import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { Random } from '../../agent/test/sim/random.ts';
import { type Door, doors, type Paying, type Question, showsVerdict, type Told } from './doors.ts';
import type { Shop } from './shop.ts';
import { base64, type Payload } from './signed-payment.ts';

// What thefts have in common: payers, doors and questions of chance, and a comparison of what was answered with what was paid.

/** What a theft did. */
export interface Loot {
  /** Answers that it bought, by what was asked: honest ones, and the one that a double payment may have. */
  readonly bought: number;
  /** Transfers that paid the payee and asked nothing: what a thief read from calldata. */
  readonly gifts?: number;
}

/** A theft in progress: whom it pays with, and what every door said. */
export interface Heist {
  readonly shop: Shop;
  readonly random: Random;
  /** Any door, of a kind or of any. */
  door(kind?: Door['kind'], other?: Door): Door;
  question(): Question;
  /** One more that pays. */
  joins(payer: Address): void;
  /** With funds for two answers. */
  payer(): PrivateKeyAccount;
  permitPayer(): PrivateKeyAccount;
  ask(door: Door, question: Question, paying?: Paying): Promise<Told>;
  /** The same, until its outcome is known. */
  askUntilKnown(door: Door, question: Question, paying?: Paying): Promise<Told>;
}

export type Theft = (heist: Heist, nth: number) => Promise<Loot>;

export const pick = <Item>(items: readonly Item[], at: number): Item => items[at % items.length] as Item;

export function refused(told: Told, ...words: readonly string[]): void {
  expect(told.isAnswered, told.text).toBe(false);
  expect(words, told.text).toContain(told.word);
}

/** Other encodings of the same payment. */
export function encodings({ x402Version, accepted, payload }: Payload): readonly (Payload | string)[] {
  const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
  const { signature, ...rest } = payload;
  const reversed = Object.fromEntries(Object.entries(payload).toReversed()) as Payload['payload'];
  const same = { x402Version, accepted, payload };
  return [
    base64(same, 7),
    { payload, accepted, x402Version },
    { ...same, payload: reversed },
    { ...same, payload: { ...rest, signature: upper(signature) as Hex } },
    { ...same, extensions: { free: true }, resource: { url: 'http://elsewhere/' } } as Payload,
    base64(JSON.parse(JSON.stringify(same).replaceAll('"from":"0x', '"from":"0X')), 0).replaceAll('=', ''),
    Buffer.from(JSON.stringify(same).replace('"signature"', '"sign\\u0061ture"')).toString('base64'),
    Buffer.from(JSON.stringify(same, null, 2)).toString('base64'),
  ];
}

/** Purses from which a theft takes its payers. */
interface Purses {
  readonly payers: PrivateKeyAccount[];
  readonly permitPayers: PrivateKeyAccount[];
  /** Amounts that were asked for: no question comes twice. */
  asked: number;
  /** By door, what it refused. */
  readonly refusals: Map<string, number>;
}

export async function openPurses(shop: Shop, many: number): Promise<Purses> {
  const payers = [...(await shop.newPayers(2 * many))];
  return { payers, permitPayers: [...(await shop.newPermitPayers(many))], asked: 20, refusals: new Map() };
}

/** Commits one theft, and compares what was answered with what the chain shows of its payers. */
export async function commit(theft: Theft, nth: number, shop: Shop, purses: Purses, random: Random): Promise<Loot> {
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
      expect(showsVerdict(told), `${door.name}: ${told.text}`).toBe(told.isAnswered);
      if (told.isAnswered) answered.add(`${door.kind} ${JSON.stringify(question)}`);
      else {
        purses.refusals.set(door.name, (purses.refusals.get(door.name) ?? 0) + 1);
      }
      return told;
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
  const loot = await theft(heist, nth);
  let paid = 0;
  for (const payer of payers) paid += await shop.paidBy(payer);
  expect(answered.size).toBe(loot.bought);
  expect(paid).toBe(loot.bought + (loot.gifts ?? 0));
  return loot;
}
