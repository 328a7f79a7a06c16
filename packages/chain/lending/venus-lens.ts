// Venus accounts by contracts/lens/VenusLens.sol, and what they are worth at later prices.

import type { Values } from '@bowline/core/domain/loan-health';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address, Hex } from '@bowline/core/domain/units';
import { decodeFunctionResult, encodeFunctionData, keccak256, zeroAddress } from 'viem';
import { venusLensAbi } from '../../../abis/index.ts';
import { venusLensCode } from '../../../abis/venus-lens.ts';
import { type ChainClient, runLens } from '../chain-client.ts';
import { nodeAnswer } from '../errors.ts';
import { type Account, type LendingLens, LensUnsupported } from './lens.ts';
import { worthOf } from './venus.ts';

interface Holding {
  readonly vToken: Address;
  /** The market's borrow index that `debt` is of. */
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
}

/** What one vToken is worth to all accounts now. */
interface Rates {
  readonly priceWad: bigint;
  readonly exchangeRate: bigint;
  readonly index: bigint;
  /** By source; zero if it has none. */
  readonly sourcePricesWad: ReadonlyMap<Address, bigint>;
  /** By pool. */
  readonly thresholdsWad: ReadonlyMap<bigint, bigint>;
}

const keyOf = ({ borrower, market, priceSource = '0x' }: Account): string => `${borrower}${market}${priceSource}`;

/** JSON-RPC: the node knows no state overrides, or no such call (EIP-1474). No later answer will be another. */
const unsupportedCodes: ReadonlySet<number> = new Set([-32_601, -32_602, -32_004]);

/** In a batch of calls, an answer may reach the wrong caller. */
const otherAnswer = () => new BowlineError('chain_unavailable', 'The chain does not answer.', { retryable: true });

export function createVenusLens(client: ChainClient, adapter: Address): LendingLens {
  const positions = new Map<string, Position>();

  async function run(question: Hex): Promise<Hex> {
    try {
      const data = await runLens(client, venusLensCode, question);
      if (data === undefined) throw new LensUnsupported();
      return data;
    } catch (error) {
      throw unsupportedCodes.has(nodeAnswer(error)?.code ?? 0) ? new LensUnsupported() : error;
    }
  }

  async function readRates(known: readonly Position[], sources: readonly Address[]) {
    const vTokens = [...new Set(known.flatMap(({ holdings }) => holdings.map(({ vToken }) => vToken)))];
    const pools = [...new Set(known.map(({ pool }) => pool))];
    const args = [adapter, vTokens, sources, pools] as const;
    const question = encodeFunctionData({ abi: venusLensAbi, functionName: 'rates', args });
    const data = await run(question);
    const [asked, words] = decodeFunctionResult({ abi: venusLensAbi, functionName: 'rates', data });
    if (asked !== keccak256(question)) throw otherAnswer();
    const width = 3 + sources.length + pools.length;
    const rates = new Map<Address, Rates>();
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

  async function readPositions(accounts: readonly Account[]) {
    const groups = groupsOf(accounts);
    const question = encodeFunctionData({ abi: venusLensAbi, functionName: 'read', args: [adapter, groups] });
    const data = await run(question);
    const [asked, answers] = decodeFunctionResult({ abi: venusLensAbi, functionName: 'read', data });
    if (asked !== keccak256(question)) throw otherAnswer();
    const reads = answers.flatMap((words) => [...accountsIn(words)]);
    if (reads.length > accounts.length) throw otherAnswer();
    return reads;
  }

  /** A price may have been missing for one block: the position is estimated by until the next reading. */
  function doubt(key: string): void {
    const position = positions.get(key);
    if (position === undefined || position.isDoubted) positions.delete(key);
    else positions.set(key, { ...position, isDoubted: true });
  }

  return {
    async read(accounts) {
      const reads = await readPositions(accounts);
      return reads.map((read, at) => {
        const account = accounts[at] as Account;
        if (read === undefined) doubt(keyOf(account));
        else positions.set(keyOf(account), read.position);
        return read && valuesOf(account, read.values);
      });
    },

    async estimate(accounts) {
      const keys = accounts.map(keyOf);
      const known = keys.map((key) => positions.get(key));
      if (positions.size > accounts.length) {
        const watched = new Set(keys);
        for (const key of positions.keys()) if (!watched.has(key)) positions.delete(key);
      }
      const sources = new Set<Address>();
      for (const [at, { priceSource }] of accounts.entries()) {
        if (known[at] !== undefined && priceSource !== undefined) sources.add(priceSource);
      }
      const read = known.filter((position) => position !== undefined);
      if (read.length === 0) return known.map(() => undefined);
      const rates = await readRates(read, [...sources]);
      return accounts.map((account, at) => {
        const position = known[at];
        return position && valued(account, position, rates);
      });
    },
  };
}

function groupsOf(accounts: readonly Account[]) {
  const groups: { market: Hex; source: Address; borrowers: Address[] }[] = [];
  for (const { borrower, market, priceSource: source = zeroAddress } of accounts) {
    const last = groups.at(-1);
    // Without capitals, which viem would check by a hash each.
    const plain = borrower.toLowerCase() as Address;
    if (last?.market === market && last.source === source) last.borrowers.push(plain);
    else groups.push({ market, source, borrowers: [plain] });
  }
  return groups;
}

const valuesOf = ({ priceSource }: Account, { weightedBySource, ...values }: Required<Values>): Values =>
  priceSource === undefined ? values : { ...values, weightedBySource };

const HALF = 128n;
const LOW = 2n ** HALF - 1n;

/** The words of `VenusLens.readAccount`, one account after the other. */
function* accountsIn(words: Hex): Generator<{ values: Required<Values>; position: Position } | undefined> {
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

/** The comptroller's sums, at the rates of now; undefined without one of its prices. */
function valued(account: Account, position: Position, rates: ReadonlyMap<Address, Rates>): Values | undefined {
  let debtValue = position.vaiDebt;
  let weightedCollateralValue = 0n;
  let weightedBySource = 0n;
  for (const { vToken, index, balance, debt } of position.holdings) {
    const of = rates.get(vToken);
    if (of === undefined || of.priceWad === 0n || index === 0n) return undefined;
    const { priceWad, exchangeRate } = of;
    const thresholdWad = balance === 0n ? 0n : of.thresholdsWad.get(position.pool);
    if (thresholdWad === undefined) return undefined;
    const worth = worthOf({ thresholdWad, exchangeRate, balance, debt: (debt * of.index) / index });
    debtValue += worth.debtAt(priceWad);
    if (balance === 0n) continue;
    weightedCollateralValue += worth.weightedAt(priceWad);
    if (account.priceSource === undefined) continue;
    const sourceWad = of.sourcePricesWad.get(account.priceSource) ?? 0n;
    weightedBySource += worth.weightedAt(sourceWad === 0n ? priceWad : sourceWad);
  }
  return valuesOf(account, { debtValue, weightedCollateralValue, weightedBySource });
}
