import { erc20Abi } from '@bowline/chain/erc20-abi';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { type ChainClient, inOneCall } from './client.ts';
import { findOwn, type Looked } from './find-own.ts';
import { inPages } from './in-pages.ts';
import type { PlanTerms } from './rehearse.ts';

const statuses = ['none', 'active', 'paused', 'cancelled'] as const;
/** `revoked`: its owner has revoked everything, for good. */
type Status = (typeof statuses)[number] | 'revoked';

export interface Plan {
  readonly id: bigint;
  /** The current terms, whole. */
  readonly terms: PlanTerms;
  readonly tokenIn: Address;
  readonly tokenOut: Address;
  readonly recipient: Address;
  readonly amountPerRun: bigint;
  readonly startAt: bigint;
  readonly periodSeconds: bigint;
  readonly windowSeconds: bigint;
  readonly maxRuns: number;
  readonly expiresAt: bigint;
  readonly limitPriceWad: bigint;
  readonly maxSlippageBps: number;
  readonly status: Status;
  readonly cursor: bigint;
  readonly runs: number;
  readonly records: number;
  /** Version of the current terms. */
  readonly version: number;
}

/** An owner's plans, newest first, with the owner's allowances to the registry and balances, by token (lower case). */
export interface OwnedPlans {
  readonly plans: readonly Plan[];
  /** Excludes tokens that could not be read. */
  readonly allowances: Readonly<Record<string, bigint>>;
  readonly balances: Readonly<Record<string, bigint>>;
  /** Number of all accounts' plans at that time. */
  readonly count: bigint;
  /** The last plan that was searched for. The numbers after it, and the newest while they are young, are searched next. */
  readonly upTo: bigint;
  /** When the newest numbers were searched; undefined: not that it is known. */
  readonly looked?: Looked;
  /** The owner's plans that could not be read. They and the numbers after `upTo` are tried again next time. */
  readonly unread: readonly bigint[];
  /** Why the `unread` ones could not be read; undefined if there are none. */
  readonly cause: unknown;
  /** What ended the search at `upTo`; undefined if it searched everything, or stopped to go on next time. */
  readonly searchCause: unknown;
}

/**
 * The registry has no index by owner, so this looks for the owner's among all plans once, and later among new ones. An
 * own plan that cannot be read keeps its last known values.
 * @throws if nothing can be read.
 */
export async function readPlans(
  client: ChainClient,
  registry: Address,
  owner: Address,
  known?: OwnedPlans,
): Promise<OwnedPlans> {
  const count = await client.readContract({ address: registry, abi: planRegistryAbi, functionName: 'planCount' });
  const sought = { functionName: 'plansOf', contract: registry, account: owner } as const;
  const { ids, upTo, looked, ...search } = await findOwn(
    client,
    sought,
    known && { ...known, own: known.plans },
    count,
  );
  const { found, unread, cause } = await inPages(ids, (page) => readPage(client, registry, page));
  const own = found.filter(({ terms }) => sameAddress(terms.owner, owner)).map(({ plan }) => plan);
  const before = known?.plans.filter(({ id }) => unread.includes(id)) ?? [];
  const plans = [...own, ...before].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const tokens = [...new Set(plans.map(({ tokenIn }) => tokenIn.toLowerCase() as Address))];
  // One call per token: a token that fails, or answers too much, does not affect the others.
  const money = await Promise.allSettled(
    tokens.map((address) =>
      client.multicall({
        ...inOneCall,
        allowFailure: false,
        contracts: [
          { address, abi: erc20Abi, functionName: 'allowance', args: [owner, registry] },
          { address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
        ],
      }),
    ),
  );
  const every = (at: 0 | 1): Record<string, bigint> =>
    Object.fromEntries(
      money.flatMap((read, token) => (read.status === 'fulfilled' ? [[tokens[token], read.value[at]]] : [])),
    );
  return {
    plans,
    allowances: every(0),
    balances: every(1),
    count,
    upTo,
    looked,
    unread,
    cause,
    searchCause: search.cause,
  };
}

async function readPage(client: ChainClient, address: Address, ids: readonly bigint[]) {
  const answers = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => ({ address, abi: planRegistryAbi, functionName: 'plan', args: [id] }) as const),
  });
  return answers.map(({ terms, state, isRevoked }, at) => ({
    terms,
    plan: {
      id: ids[at] as bigint,
      terms,
      tokenIn: terms.tokenIn,
      tokenOut: terms.tokenOut,
      recipient: terms.recipient,
      amountPerRun: terms.amountPerRun,
      startAt: BigInt(terms.startAt),
      periodSeconds: BigInt(terms.periodSeconds),
      windowSeconds: BigInt(terms.windowSeconds),
      maxRuns: terms.maxRuns,
      expiresAt: BigInt(terms.expiresAt),
      limitPriceWad: terms.limitPriceWad,
      maxSlippageBps: terms.maxSlippageBps,
      status: isRevoked ? 'revoked' : (statuses[state.status] ?? 'none'),
      cursor: BigInt(state.cursor),
      runs: state.runs,
      records: state.records,
      version: state.version,
    } satisfies Plan,
  }));
}
