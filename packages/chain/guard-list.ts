import type { Guard } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import type { Address } from '@bowline/core/domain/units';
import { encodeAbiParameters, getAbiItem } from 'viem';
import type { ChainClient } from './chain-client.ts';
import { refusalName } from './contract-error.ts';
import { GUARDS_PAGE, guardCall, guardIn, guardStatus, toGuard, type WalletGuard } from './guard.ts';
import { guardAbi, saleAbi } from './guard-abi.ts';
import { createNumberedReader } from './numbered-reader.ts';
import { bits, createStructReader, type StateWords } from './states-lens.ts';

/** Guards per eth_call that the lens reads whole: 20,000 gas each, and 1,300 characters of the answer (measured). */
const WHOLE_PAGE = 400;
/** Known guards per eth_call, if only their states are read: 20,000 gas each (measured). */
const STATES_PAGE = 1_800;

type IsOver = (guard: Guard, now: bigint) => boolean;

/** The guards of one contract. */
export interface GuardList extends Pick<ReturnType<typeof createNumberedReader<Guard>>, 'all' | 'find'> {
  /** In one call, at most GUARDS_PAGE. */
  readPage(ids: readonly bigint[]): Promise<readonly Guard[]>;
  /** Throws `unknown_guard`, or viem's error. */
  one(id: bigint): Promise<Guard>;
}

/**
 * Guards of LoanGuard, or of CollateralGuard, which are read whole each time.
 * @param isOver whether a guard can never be acted on again.
 */
export function guardsIn(client: ChainClient, address: Address, isSale: boolean, isOver: IsOver): GuardList {
  const structs = createStructReader<WalletGuard, Guard>(client, {
    ...{ address, view: isSale ? saleGuardItem : guardItem, pageSize: GUARDS_PAGE },
    toItem: (id, answer) => toGuard(id, guardIn(answer)),
    ...(!isSale && { encodedTerms }),
  });

  const states = { loanGuard: address };
  const numbered = createNumberedReader<Guard>(client, {
    // The function is the same in both contracts.
    count: () => client.readContract({ address, abi: guardAbi, functionName: 'guardCount' }),
    first: { pageSize: WHOLE_PAGE, read: structs.readWhole },
    ...(!isSale && { again: { pageSize: STATES_PAGE, read: (known) => structs.readAgain(known, states, withState) } }),
    isOver,
  });
  return {
    ...numbered,
    readPage: structs.readPage,
    async one(id) {
      const answer = await client.readContract(guardCall(address, id, isSale)).catch((error) => {
        throw refusalName(error) === 'guard_unknown' ? unknownGuard(isSale ? `collateral-${id}` : id) : error;
      });
      return toGuard(id, guardIn(answer));
    },
  };
}

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

const guardItem = getAbiItem({ abi: guardAbi, name: 'guard' });
const [termsItem, tokenItem] = guardItem.outputs[0].components;
const encodedTerms = ({ terms, repayToken }: WalletGuard) =>
  encodeAbiParameters([termsItem, tokenItem], [terms, repayToken]);
const saleGuardItem = getAbiItem({ abi: saleAbi, name: 'guard' });
