// Reads Venus accounts through contracts/lens/VenusLens.sol, and values them at later prices.

import type { Values } from '@bowline/core/domain/loan-health';
import { BowlineError } from '@bowline/core/domain/result';
import type { Shape } from '@bowline/core/domain/trigger-index';
import { type Address, type Hex, WAD } from '@bowline/core/domain/units';
import { decodeFunctionResult, encodeFunctionData, keccak256, pad, slice, zeroAddress } from 'viem';
import { venusLensAbi } from '../../../abis/index.ts';
import { venusLensCode } from '../../../abis/venus-lens.ts';
import { type ChainClient, tryLens } from '../chain-client.ts';
import { type Account, type LendingLens, LensUnsupported, type Rates } from './lens.ts';
import { worthOf } from './venus.ts';

interface Holding {
  readonly vToken: Address;
  /** The market's borrow index when `debt` was read. */
  readonly index: bigint;
  /** In vTokens. */
  readonly balance: bigint;
  readonly debt: bigint;
}

interface Position {
  /** The last reading failed. */
  readonly isDoubted?: true;
  /** The account's e-mode pool. */
  readonly pool: bigint;
  readonly vaiDebt: bigint;
  readonly holdings: readonly Holding[];
  readonly shape: Shape;
}

/** What one vToken is worth to all accounts now. */
interface Rate {
  readonly priceWad: bigint;
  readonly exchangeRate: bigint;
  readonly index: bigint;
  /** By source; zero if it has none. */
  readonly sourcePricesWad: ReadonlyMap<Address, bigint>;
  /** By pool. */
  readonly thresholdsWad: ReadonlyMap<bigint, bigint>;
}

type ByVToken = ReadonlyMap<Address, Rate>;
type Read = Omit<Position, 'shape'>;

/** In a batch of calls, an answer may reach the wrong caller. */
const otherAnswer = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });

export function createVenusLens(client: ChainClient, adapter: Address): LendingLens {
  const positions = new Positions();
  return {
    async read(accounts) {
      const reads = await readPositions(client, adapter, accounts);
      return reads.map((read, at) => {
        const account = accounts[at] as Account;
        if (read === undefined) positions.doubt(account);
        else positions.note(account, read.position);
        return read && valuesOf(account, read.values);
      });
    },

    async rates(accounts) {
      positions.keepOnly(accounts);
      const parts = positions.parts();
      if (parts === undefined) return undefined;
      const named = <Name>(names: readonly (Name | undefined)[]): Name[] => [
        ...new Set(names.filter((each) => each !== undefined)),
      ];
      const asked = {
        vTokens: named(parts.map(({ vToken }) => vToken)),
        sources: named(parts.map(({ source }) => source)),
        pools: named(parts.map(({ pool }) => pool)),
      };
      const counted = named(parts.map(({ vToken, pool }) => (pool === undefined ? undefined : vToken)));
      const rates = await readRates(client, adapter, asked);
      return ratesOf(
        rates,
        counted.map((vToken) => pad(vToken)),
        (account) => positions.of(account),
      );
    },

    shapeOf: (account) => positions.of(account)?.shape,
  };
}

/** Positions as last read. Equal shapes share one object, so that what they name is requested once. */
class Positions {
  #positions = new Map<Account, Position>();
  #shapes = new Map<string, Shape>();
  /** Whose positions are remembered. */
  #watched: readonly Account[] = [];

  of(account: Account): Position | undefined {
    return this.#positions.get(account);
  }

  note(account: Account, read: Read): void {
    this.#positions.set(account, { ...read, shape: this.#shared(shapeOf(account, read)) });
  }

  /** A price may have been missing for one block, so estimates use the position until the next reading. */
  doubt(account: Account): void {
    const position = this.of(account);
    if (position === undefined || position.isDoubted) this.#positions.delete(account);
    else this.#positions.set(account, { ...position, isDoubted: true });
  }

  /** Forgets all other accounts, and what only they depended on. */
  keepOnly(accounts: readonly Account[]): void {
    if (accounts === this.#watched) return;
    const kept = new Map<Account, Position>();
    this.#shapes = new Map();
    for (const account of accounts) {
      const position = this.of(account);
      if (position) kept.set(account, { ...position, shape: this.#shared(position.shape) });
    }
    [this.#positions, this.#watched] = [kept, accounts];
  }

  /** What the positions' healths depend on; undefined if none is known. */
  parts(): ReturnType<typeof partOf>[] | undefined {
    if (this.#positions.size === 0) return undefined;
    return [...this.#shapes.values()].flatMap(({ counted, owed }) => [...counted, ...owed]).map(partOf);
  }

  #shared(shape: Shape): Shape {
    const key = `${shape.counted}|${shape.owed}`;
    const known = this.#shapes.get(key);
    if (known === undefined) this.#shapes.set(key, shape);
    return known ?? shape;
  }
}

async function run(client: ChainClient, question: Hex): Promise<Hex> {
  const data = await tryLens(client, venusLensCode, question);
  if (data === undefined) throw new LensUnsupported();
  return data;
}

async function readRates(
  client: ChainClient,
  adapter: Address,
  asked: {
    readonly vTokens: readonly Address[];
    readonly sources: readonly Address[];
    readonly pools: readonly bigint[];
  },
): Promise<ByVToken> {
  const { vTokens, sources, pools } = asked;
  const args = [adapter, vTokens, sources, pools] as const;
  const question = encodeFunctionData({ abi: venusLensAbi, functionName: 'rates', args });
  const data = await run(client, question);
  const [hash, words] = decodeFunctionResult({ abi: venusLensAbi, functionName: 'rates', data });
  if (hash !== keccak256(question)) throw otherAnswer();
  const width = 3 + sources.length + pools.length;
  const rates = new Map<Address, Rate>();
  for (const [at, vToken] of vTokens.entries()) {
    const from = pools.length + at * width;
    const [priceWad = 0n, exchangeRate = 0n, index = 0n, ...others] = words.slice(from, from + width);
    const thresholdsWad = new Map<bigint, bigint>();
    for (const [of, pool] of pools.entries()) {
      if (words[of] === 1n) thresholdsWad.set(pool, others[sources.length + of] ?? 0n);
    }
    const sourcePricesWad = new Map(sources.map((source, of) => [source, others[of] ?? 0n]));
    rates.set(vToken, { priceWad, exchangeRate, index, sourcePricesWad, thresholdsWad });
  }
  return rates;
}

async function readPositions(client: ChainClient, adapter: Address, accounts: readonly Account[]) {
  const args = [adapter, groupsOf(accounts)] as const;
  const question = encodeFunctionData({ abi: venusLensAbi, functionName: 'read', args });
  const [asked, answers] = answersIn(await run(client, question));
  if (asked !== keccak256(question)) throw otherAnswer();
  const reads = answers.flatMap((words) => [...accountsIn(words)]);
  if (reads.length > accounts.length) throw otherAnswer();
  return reads;
}

function groupsOf(accounts: readonly Account[]) {
  const groups: { market: Hex; source: Address; borrowers: Address[] }[] = [];
  for (const { borrower, market, priceSource: source = zeroAddress } of accounts) {
    const last = groups.at(-1);
    // In lower case: viem would compute a hash to check each mixed-case address.
    const plain = borrower.toLowerCase() as Address;
    if (last?.market === market && last.source === source) last.borrowers.push(plain);
    else groups.push({ market, source, borrowers: [plain] });
  }
  return groups;
}

const valuesOf = ({ priceSource }: Account, { weightedBySource, ...values }: Required<Values>): Values =>
  priceSource === undefined ? values : { ...values, weightedBySource };

/** Decodes `(bytes32 asked, bytes[] answers)`. viem would copy each answer twice, a fifth of a block's work. */
function answersIn(data: Hex): readonly [Hex, readonly Hex[]] {
  const word = (at: number): string => data.slice(2 + 64 * at, 66 + 64 * at);
  const numberAt = (at: number): number => Number(`0x${word(at)}`);
  const list = numberAt(1) / 32;
  const answers: Hex[] = [];
  for (let at = list + 1; at <= list + numberAt(list); at++) {
    const from = list + 1 + numberAt(at) / 32;
    const [begin, length] = [2 + 64 * (from + 1), 2 * numberAt(from)];
    const words = data.slice(begin, begin + length);
    if (words.length !== length) throw otherAnswer();
    answers.push(`0x${words}`);
  }
  return [`0x${word(0)}`, answers];
}

const HALF = 128n;
const LOW = 2n ** HALF - 1n;

/** The words of `VenusLens.readAccount`, one account after the other. */
function* accountsIn(words: Hex): Generator<{ values: Required<Values>; position: Read } | undefined> {
  let at = 2;
  const word = () => {
    const text = words.slice(at, at + 64);
    at += 64;
    return text;
  };
  const pair = () => {
    const both = BigInt(`0x${word()}`);
    return [both >> HALF, both & LOW] as const;
  };
  while (at < words.length) {
    const first = BigInt(`0x${word()}`);
    if ((first & 0xffn) !== 0n) {
      yield undefined;
      continue;
    }
    const [debtValue, weightedCollateralValue] = pair();
    const [vaiDebt, weightedBySource] = pair();
    const holdings: Holding[] = [];
    for (let left = (first >> 8n) & 0xffn; left > 0n; left -= 1n) {
      const market = word();
      const [balance, debt] = pair();
      holdings.push({ vToken: `0x${market.slice(0, 40)}`, index: BigInt(`0x${market.slice(40)}`), balance, debt });
    }
    const position = { pool: first >> 16n, vaiDebt, holdings };
    yield { values: { debtValue, weightedCollateralValue, weightedBySource }, position };
  }
}

// Names of what a health depends on: `debt`, `balance.pool`, and `balance.pool.source` for a vToken.

const VAI = 'vai';

function shapeOf({ priceSource }: Account, { pool, vaiDebt, holdings }: Read): Shape {
  const counted: string[] = [];
  const owed = vaiDebt > 0n ? [VAI] : [];
  for (const { vToken, balance, debt } of holdings) {
    if (debt > 0n) owed.push(vToken);
    if (balance === 0n) continue;
    counted.push(`${vToken}.${pool}`);
    if (priceSource !== undefined) counted.push(`${vToken}.${pool}.${priceSource}`);
  }
  return { counted, owed };
}

function partOf(name: string) {
  if (name === VAI) return {};
  const [vToken, pool, source] = name.split('.') as [Address, string?, Address?];
  return { vToken, pool: pool === undefined ? undefined : BigInt(pool), source };
}

/** @param positionOf an account's position as last read. */
function ratesOf(
  byVToken: ByVToken,
  markets: readonly Hex[],
  positionOf: (account: Account) => Position | undefined,
): Rates {
  const worths = new Map<string, number | undefined>();
  return {
    markets,
    worths: (name) => {
      if (!worths.has(name)) worths.set(name, worthOfPart(name, byVToken));
      return worths.get(name);
    },
    valued(account) {
      const position = positionOf(account);
      return position && valued(account, position, byVToken);
    },
    moved(market, factor) {
      const vToken = slice(market, 12);
      const rate = byVToken.get(vToken);
      if (rate === undefined) return this;
      const move = (priceWad: bigint) => (priceWad * BigInt(Math.round(factor * 10_000))) / 10_000n;
      const sourcePricesWad = new Map([...rate.sourcePricesWad].map(([source, priceWad]) => [source, move(priceWad)]));
      const moved = { ...rate, priceWad: move(rate.priceWad), sourcePricesWad };
      return ratesOf(new Map(byVToken).set(vToken, moved), markets, positionOf);
    },
  };
}

function worthOfPart(name: string, byVToken: ByVToken): number | undefined {
  if (name === VAI) return 1;
  const { vToken, pool, source } = partOf(name);
  const rate = byVToken.get(vToken as Address);
  if (rate === undefined || rate.priceWad === 0n || rate.index === 0n) return undefined;
  if (pool === undefined) return Number(rate.priceWad) * Number(rate.index);
  const thresholdWad = rate.thresholdsWad.get(pool);
  if (thresholdWad === undefined) return undefined;
  const { weightedAt } = worthOf({ thresholdWad, exchangeRate: rate.exchangeRate, balance: WAD, debt: 0n });
  return Number(weightedAt(source === undefined ? rate.priceWad : priceBy(source, rate)));
}

/** Falls back to the protocol's price if the source has none. */
const priceBy = (source: Address, { sourcePricesWad, priceWad }: Rate): bigint =>
  sourcePricesWad.get(source) || priceWad;

/** The comptroller's sums at the current rates; undefined if one of its prices is missing. */
function valued(account: Account, position: Position, rates: ByVToken): Values | undefined {
  let debtValue = position.vaiDebt;
  let weightedCollateralValue = 0n;
  let weightedBySource = 0n;
  for (const { vToken, index, balance, debt } of position.holdings) {
    if (balance === 0n && debt === 0n) continue;
    const of = rates.get(vToken);
    if (of === undefined || of.priceWad === 0n || index === 0n) return undefined;
    const { priceWad, exchangeRate } = of;
    const thresholdWad = balance === 0n ? 0n : of.thresholdsWad.get(position.pool);
    if (thresholdWad === undefined) return undefined;
    const worth = worthOf({ thresholdWad, exchangeRate, balance, debt: (debt * of.index) / index });
    debtValue += worth.debtAt(priceWad);
    if (balance === 0n) continue;
    weightedCollateralValue += worth.weightedAt(priceWad);
    if (account.priceSource !== undefined) weightedBySource += worth.weightedAt(priceBy(account.priceSource, of));
  }
  return valuesOf(account, { debtValue, weightedCollateralValue, weightedBySource });
}
