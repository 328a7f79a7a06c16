import { type Address, type PublicClient, zeroAddress } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import { comptrollerAbi, erc20Abi } from './abis.ts';
import { inOneCall } from './client.ts';
import { inPages, numbersAfter } from './in-pages.ts';

const statuses = ['none', 'active', 'cancelled'] as const;

export interface Guard {
  readonly id: bigint;
  readonly borrower: Address;
  /** Whose tokens repay. */
  readonly funder: Address;
  readonly adapter: Address;
  readonly market: Address;
  /** The only account that may rescue; undefined when anybody may. */
  readonly keeper: Address | undefined;
  readonly repayToken: Address;
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
  readonly capPerRescue: bigint;
  readonly capPerDay: bigint;
  readonly minRepay: bigint;
  readonly cooldownSeconds: bigint;
  readonly expiresAt: bigint;
  /** `revoked`: with everything that its borrower or funder had permitted, for good. */
  readonly status: (typeof statuses)[number] | 'revoked';
  readonly rescues: number;
  readonly lastRescueAt: bigint;
  /** UTC day number that `takenInDay` counts. */
  readonly day: bigint;
  readonly takenInDay: bigint;
  /** What a rescue would find now; undefined when it was not asked for, or gave no answer. */
  readonly means: Means | undefined;
}

/** In base units of the repay token, of the funder. */
interface Means {
  readonly allowance: bigint;
  readonly balance: bigint;
  /** Of the market now: a rescue in another token than was agreed on is refused. */
  readonly marketToken: Address;
  readonly isRepayPaused: boolean;
}

export interface OwnedGuards {
  readonly guards: readonly Guard[];
  /** How many guards there were: none of them is asked again for its borrower, which never changes. */
  readonly upTo: bigint;
  /** Guards of anybody that gave no answer; asked again next time. */
  readonly unread: readonly bigint[];
  readonly cause: unknown;
}

interface Contracts {
  readonly loanGuard: Address;
  readonly comptroller: Address;
}

/**
 * The guards of which an account is the borrower, or has another of the `roles`, newest first. An own one that gives no answer stays as it was known, without its means: whether it is
 * still active is not known.
 * @throws when nothing can be read.
 */
export async function readGuards(
  client: PublicClient,
  contracts: Contracts,
  account: Address,
  known?: OwnedGuards,
  roles: readonly ('borrower' | 'funder')[] = ['borrower'],
): Promise<OwnedGuards> {
  const { loanGuard: address } = contracts;
  const upTo = await client.readContract({ address, abi: loanGuardAbi, functionName: 'guardCount' });
  const ids = new Set([...(known?.guards.map(({ id }) => id) ?? []), ...(known?.unread ?? [])]);
  for (const id of numbersAfter(known?.upTo ?? 0n, upTo)) ids.add(id);
  const { found, unread, cause } = await inPages([...ids], (page) => readPage(client, address, page));
  const own = found.filter((guard) => roles.some((role) => guard[role].toLowerCase() === account.toLowerCase()));
  const before = known?.guards.filter(({ id }) => unread.includes(id)) ?? [];
  const read = await Promise.all(
    own.map(async (guard) => ({ ...guard, means: await readMeans(client, contracts, guard) })),
  );
  const guards = [...read, ...before.map((guard) => ({ ...guard, means: undefined }))];
  return { guards: guards.toSorted((a, b) => (a.id < b.id ? 1 : -1)), upTo, unread, cause };
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

/** Of an active guard; without an answer, undefined: what is not known is never taken for enough. */
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
        { ...venus, functionName: 'actionPaused', args: [market, REPAY] },
      ],
    });
    return { allowance, balance, marketToken, isRepayPaused: isProtocolPaused || isActionPaused };
  } catch {
    return undefined;
  }
}

/** Venus's number of the action. */
const REPAY = 3;
