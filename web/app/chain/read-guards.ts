import { type Address, type Hex, type PublicClient, slice, zeroAddress } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import { comptrollerAbi, erc20Abi } from './abis.ts';
import { inOneCall } from './client.ts';
import { findOwn } from './find-own.ts';
import { inPages } from './in-pages.ts';

const statuses = ['none', 'active', 'cancelled'] as const;

export interface Guard {
  readonly id: bigint;
  readonly borrower: Address;
  /** The account whose tokens repay. */
  readonly funder: Address;
  readonly adapter: Address;
  /** 32 bytes, as the adapter's protocol identifies the market. */
  readonly market: Hex;
  /** The only account that may rescue; undefined if anyone may. */
  readonly keeper: Address | undefined;
  /** Also watched for the trigger, beside the protocol's prices; undefined for none. */
  readonly priceSource: Address | undefined;
  readonly repayToken: Address;
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
  readonly capPerRescue: bigint;
  readonly capPerDay: bigint;
  readonly minRepay: bigint;
  readonly cooldownSeconds: bigint;
  readonly expiresAt: bigint;
  /** `revoked`: its borrower or funder has revoked everything, for good. */
  readonly status: (typeof statuses)[number] | 'revoked';
  readonly rescues: number;
  readonly lastRescueAt: bigint;
  /** The UTC day number that `takenInDay` refers to. */
  readonly day: bigint;
  readonly takenInDay: bigint;
  /** What a rescue would find now; undefined if not requested, or not readable. */
  readonly means: Means | undefined;
}

/** In base units of the repay token; balance and allowance are the funder's. */
interface Means {
  readonly allowance: bigint;
  readonly balance: bigint;
  /** The market's current repay token: a rescue in another token than agreed is refused. */
  readonly marketToken: Address;
  readonly isRepayPaused: boolean;
}

export interface OwnedGuards {
  readonly guards: readonly Guard[];
  /** Number of all accounts' guards at that time. */
  readonly count: bigint;
  /** The last guard whose borrower and funder are known. They never change, so it is not asked for again. */
  readonly upTo: bigint;
  /** The account's guards that could not be read. They and the numbers after `upTo` are tried again next time. */
  readonly unread: readonly bigint[];
  /** The error of the reading; undefined if it read everything, or stopped to go on next time. */
  readonly cause: unknown;
}

interface Contracts {
  readonly loanGuard: Address;
  readonly comptroller: Address;
}

/**
 * The guards whose borrower is the account, or in which it has another of the `roles`, newest first. An own guard that
 * cannot be read keeps its last known values, without its means: whether it is still active is unknown.
 * @throws if nothing can be read.
 */
export async function readGuards(
  client: PublicClient,
  contracts: Contracts,
  account: Address,
  known?: OwnedGuards,
  roles: readonly ('borrower' | 'funder')[] = ['borrower'],
): Promise<OwnedGuards> {
  const { loanGuard: address } = contracts;
  const count = await client.readContract({ address, abi: loanGuardAbi, functionName: 'guardCount' });
  const sought = { functionName: 'guardsOf', contract: address, account } as const;
  const { ids, upTo, ...search } = await findOwn(client, sought, known && { ...known, own: known.guards }, count);
  const { found, unread, cause } = await inPages(ids, (page) => readPage(client, address, page));
  const own = found.filter((guard) => roles.some((role) => guard[role].toLowerCase() === account.toLowerCase()));
  const kept = known?.guards.filter(({ id }) => unread.includes(id)) ?? [];
  const read = await Promise.all(
    own.map(async (guard) => ({ ...guard, means: await readMeans(client, contracts, guard) })),
  );
  const guards = [...read, ...kept.map((guard) => ({ ...guard, means: undefined }))];
  return {
    guards: guards.toSorted((a, b) => (a.id < b.id ? 1 : -1)),
    count,
    upTo,
    unread,
    cause: cause ?? search.cause,
  };
}

async function readPage(client: PublicClient, address: Address, ids: readonly bigint[]): Promise<readonly Guard[]> {
  const guards = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => ({ address, abi: loanGuardAbi, functionName: 'guard', args: [id] }) as const),
  });
  return guards.map(({ terms, repayToken, state, isRevoked }, at) => ({
    id: ids[at] as bigint,
    borrower: terms.borrower,
    funder: terms.funder,
    adapter: terms.adapter,
    market: terms.market,
    keeper: terms.keeper === zeroAddress ? undefined : terms.keeper,
    priceSource: terms.priceSource === zeroAddress ? undefined : terms.priceSource,
    repayToken,
    triggerWad: terms.triggerHealthWad,
    targetWad: terms.targetHealthWad,
    capPerRescue: terms.capPerRescue,
    capPerDay: terms.capPerDay,
    minRepay: terms.minRepay,
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: isRevoked ? 'revoked' : (statuses[state.status] ?? 'none'),
    rescues: state.rescues,
    lastRescueAt: BigInt(state.lastRescueAt),
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    means: undefined,
  }));
}

/** The means of an active guard; undefined if they cannot be read, because an unknown value never counts as enough. */
async function readMeans(
  client: PublicClient,
  { loanGuard, comptroller }: Contracts,
  { status, funder, adapter, market, repayToken }: Guard,
): Promise<Means | undefined> {
  if (status !== 'active') return undefined;
  const token = { address: repayToken, abi: erc20Abi } as const;
  const venus = { address: comptroller, abi: comptrollerAbi } as const;
  try {
    const [allowance, balance, marketToken, isProtocolPaused, isActionPaused] = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        { ...token, functionName: 'allowance', args: [funder, loanGuard] },
        { ...token, functionName: 'balanceOf', args: [funder] },
        { address: adapter, abi: venusMarketAbi, functionName: 'repayToken', args: [market] },
        { ...venus, functionName: 'protocolPaused' },
        { ...venus, functionName: 'actionPaused', args: [slice(market, 12), REPAY] },
      ],
    });
    return { allowance, balance, marketToken, isRepayPaused: isProtocolPaused || isActionPaused };
  } catch {
    return undefined;
  }
}

/** Venus's number for the repay action. */
const REPAY = 3;
