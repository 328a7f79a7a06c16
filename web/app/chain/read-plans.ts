import { erc20Abi } from '@bowline/chain/erc20-abi';
import { findOwn } from '@bowline/chain/find-own';
import { readInPages } from '@bowline/chain/paginated-reads';
import { PLANS_PAGE, readPlans as readPage, toBarePlan } from '@bowline/chain/plan';
import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { thisMoment } from '../api/age.ts';
import { AT_ONCE, type ChainClient, inOneCall } from './client.ts';
import type { Searched } from './searched.ts';

/** An owner's plans, newest first, with the owner's allowances to the registry and balances, by token (lower case). */
export interface OwnedPlans extends Searched {
  readonly plans: readonly Plan[];
  /** Excludes tokens that could not be read. */
  readonly allowances: Readonly<Record<string, bigint>>;
  readonly balances: Readonly<Record<string, bigint>>;
}

/**
 * The registry has no index by owner, so this searches all plans once for the owner's, and later only new ones. An own
 * plan that cannot be read keeps its last known values.
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
    thisMoment(),
  );
  const { items, unread, cause } = await readInPages(
    ids,
    PLANS_PAGE,
    async (page) => (await readPage(client, registry, page)).map((plan, at) => toBarePlan(page[at] as bigint, plan)),
    AT_ONCE,
  );
  if (items.size === 0 && cause) throw cause;
  const own = [...items.values()].filter((plan) => sameAddress(plan.owner, owner));
  const before = known?.plans.filter(({ id }) => unread.includes(id)) ?? [];
  const plans = [...own, ...before].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const tokens = [...new Set(plans.map(({ tokenIn }) => tokenIn.toLowerCase() as Address))];
  // One call per token, so that one that fails or returns too much does not affect the others.
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
