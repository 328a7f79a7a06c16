import type { Guard } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { encodeAbiParameters, getAbiItem } from 'viem';
import { loanGuardAbi } from '../../abis/index.ts';
import type { ChainClient } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { refusalOf } from './errors.ts';
import { GUARDS_PAGE, type GuardOnChain, guardCall, guardStatus, readGuards, toGuard } from './guard.ts';
import { saleAbi } from './guard-abi.ts';
import { inTurn } from './in-pages.ts';
import { createNumberedReader } from './numbered-reader.ts';
import { readSaleGuards, type SaleGuardOnChain, saleGuardCall, toSaleGuard } from './sale-guard.ts';
import { bits, createStructReader, readStates, readStructs, type StateWords } from './states-lens.ts';

/** Guards per eth_call that the lens reads whole: 20,000 gas each, and 1,300 characters of the answer (measured). */
const WHOLE_PAGE = 400;
/** Known guards per eth_call, of which only states are read: 20,000 gas each (measured). */
const STATES_PAGE = 1_800;

type IsOver = (guard: Guard, now: bigint) => boolean;

/** The guards of one contract. */
export interface GuardList extends Pick<ReturnType<typeof createNumberedReader<Guard>>, 'all' | 'find'> {
  /** In one call, at most GUARDS_PAGE. */
  readPage(ids: readonly bigint[]): Promise<readonly Guard[]>;
  /** Throws `unknown_guard`, or viem's error. */
  one(id: bigint): Promise<Guard>;
}

/** @param isOver whether nothing can come of a guard any more. */
export function walletGuards(client: ChainClient, loanGuard: Address, isOver: IsOver): GuardList {
  const structs = createStructReader<GuardOnChain, Guard>(client, {
    address: loanGuard,
    view: guardItem,
    pageSize: GUARDS_PAGE,
    readPage: (ids) => readGuards(client, loanGuard, ids),
    toItem: toGuard,
    encodedTerms: ({ terms, repayToken }) => encodeAbiParameters(termsType, [terms, repayToken]),
    withState,
  });

  /** Known guards as they are now. Only what can change is read, unless more has changed. */
  async function readAgain(known: readonly Guard[]): Promise<(Guard | undefined)[]> {
    const ids = known.map(({ id }) => id);
    const states = await readStates(client, { loanGuard }, ids);
    if (states === undefined) return inTurn(ids, GUARDS_PAGE, structs.readPage);
    return structs.readChanged(known, states);
  }

  const numbered = createNumberedReader<Guard>(client, {
    count: () => client.readContract({ address: loanGuard, abi: loanGuardAbi, functionName: 'guardCount' }),
    first: { pageSize: WHOLE_PAGE, read: structs.readWhole },
    again: { pageSize: STATES_PAGE, read: readAgain },
    isOver,
  });
  const one = (id: bigint) => client.readContract(guardCall(loanGuard, id)).then((answer) => toGuard(id, answer));
  return { ...numbered, readPage: structs.readPage, one: (id) => one(id).catch(unlessUnknown(id)) };
}

/** The same of CollateralGuard, whole at each reading. */
export function saleGuards(client: ChainClient, collateralGuard: Address, isOver: IsOver): GuardList {
  const readPage = async (ids: readonly bigint[]): Promise<Guard[]> =>
    (await readSaleGuards(client, collateralGuard, ids)).map((answer, at) => toSaleGuard(ids[at] as bigint, answer));

  async function readWhole(ids: readonly bigint[]): Promise<(Guard | undefined)[]> {
    const read = await readStructs<SaleGuardOnChain>(client, collateralGuard, saleGuardItem, ids);
    if (read === undefined) return inTurn(ids, GUARDS_PAGE, readPage);
    return ids.map((id, at) => {
      const answer = read[at];
      return answer && toSaleGuard(id, answer);
    });
  }

  const numbered = createNumberedReader<Guard>(client, {
    // Both contracts' function is the same.
    count: () => client.readContract({ address: collateralGuard, abi: loanGuardAbi, functionName: 'guardCount' }),
    first: { pageSize: WHOLE_PAGE, read: readWhole },
    isOver,
  });
  const one = (id: bigint) =>
    client.readContract(saleGuardCall(collateralGuard, id)).then((answer) => toSaleGuard(id, answer));
  return { ...numbered, readPage, one: (id) => one(id).catch(unlessUnknown(`collateral-${id}`)) };
}

const unlessUnknown =
  (key: Parameters<typeof unknownGuard>[0]) =>
  (error: unknown): never => {
    throw contractErrorName(refusalOf(error)?.data) === 'guard_unknown' ? unknownGuard(key) : error;
  };

export const unknownGuard = (key: bigint | string): BowlineError =>
  new BowlineError('unknown_guard', `There is no guard ${key}.`);

/** The state as contracts/lens/StatesLens.sol packs it. */
function withState({ isBySource: _, ...guard }: Guard, { state, more }: StateWords): Guard {
  return {
    ...guard,
    status: guardStatus(Number(bits(state, 0n, 8n)), bits(state, 120n, 8n) === 1n),
    lastRescueAt: bits(state, 8n, 40n),
    day: bits(state, 48n, 32n),
    rescues: Number(bits(state, 80n, 32n)),
    ...(bits(state, 112n, 8n) === 1n && { isBySource: true as const }),
    takenInDay: more,
  };
}

const guardItem = getAbiItem({ abi: loanGuardAbi, name: 'guard' });
const [termsItem, tokenItem] = guardItem.outputs[0].components;
const termsType = [termsItem, tokenItem] as const;
const saleGuardItem = getAbiItem({ abi: saleAbi, name: 'guard' });
