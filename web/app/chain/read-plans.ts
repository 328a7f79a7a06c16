import type { Address, PublicClient } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { erc20Abi } from './abis.ts';
import { inOneCall } from './client.ts';
import { inPages, numbersAfter } from './in-pages.ts';

const statuses = ['none', 'active', 'paused', 'cancelled'] as const;
/** `revoked`: with everything that its owner had permitted, for good. */
type Status = (typeof statuses)[number] | 'revoked';

export interface Plan {
  readonly id: bigint;
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
  /** Of the terms in force. */
  readonly version: number;
}

/** An owner's plans, newest first, with what the registry may take and the owner has, by token (lower case). */
export interface OwnedPlans {
  readonly plans: readonly Plan[];
  /** Without the tokens that gave no answer. */
  readonly allowances: Readonly<Record<string, bigint>>;
  readonly balances: Readonly<Record<string, bigint>>;
  /** How many plans there were: none of them is asked again for its owner, which never changes. */
  readonly upTo: bigint;
  /** Plans of anybody that gave no answer; asked again next time. */
  readonly unread: readonly bigint[];
  readonly cause: unknown;
}

/**
 * The registry keeps no list by owner, so every plan is asked for once, and afterwards only those that are new. An own plan
 * that gives no answer stays as it was known.
 * @throws when nothing can be read.
 */
export async function readPlans(
  client: PublicClient,
  registry: Address,
  owner: Address,
  known?: OwnedPlans,
): Promise<OwnedPlans> {
  const upTo = await client.readContract({ address: registry, abi: planRegistryAbi, functionName: 'planCount' });
  const ids = new Set([...(known?.plans.map(({ id }) => id) ?? []), ...(known?.unread ?? [])]);
  for (const id of numbersAfter(known?.upTo ?? 0n, upTo)) ids.add(id);
  const { found, unread, cause } = await inPages([...ids], (page) => readPage(client, registry, page));
  const own = found.filter(({ terms }) => terms.owner.toLowerCase() === owner.toLowerCase()).map(({ plan }) => plan);
  const before = known?.plans.filter(({ id }) => unread.includes(id)) ?? [];
  const plans = [...own, ...before].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const tokens = [...new Set(plans.map(({ tokenIn }) => tokenIn.toLowerCase() as Address))];
  // A call for each: a token that gives no answer, or too long a one, takes nothing from the others.
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
  return { plans, allowances: every(0), balances: every(1), upTo, unread, cause };
}

async function readPage(client: PublicClient, address: Address, ids: readonly bigint[]) {
  const answers = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: ids.map((id) => ({ address, abi: planRegistryAbi, functionName: 'plan', args: [id] }) as const),
  });
  return answers.map(({ terms, state, isRevoked }, at) => ({
    terms,
    plan: {
      id: ids[at] as bigint,
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
