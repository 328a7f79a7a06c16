import type { Address, PublicClient } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import { erc20Abi } from '../chain/abis.ts';
import { inOneCall } from '../chain/client.ts';

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
  readonly allowances: Readonly<Record<string, bigint>>;
  readonly balances: Readonly<Record<string, bigint>>;
  /** How many plans there were: none of them is asked again for its owner, which never changes. */
  readonly upTo: bigint;
}

/** Plans of one call: the answer must stay below 24 kB. */
const PAGE = 25n;
/** Calls at the same time: public nodes refuse more. */
const TOGETHER = 4;

/**
 * The registry keeps no list by owner, so every plan is asked for once, and afterwards only those that are new.
 * @throws when a page cannot be read: a list with holes would hide a plan from its owner.
 */
export async function readPlans(
  client: PublicClient,
  registry: Address,
  owner: Address,
  known?: OwnedPlans,
): Promise<OwnedPlans> {
  const upTo = await client.readContract({ address: registry, abi: planRegistryAbi, functionName: 'planCount' });
  const fresh: bigint[] = [];
  for (let id = (known?.upTo ?? 0n) + 1n; id <= upTo; id += 1n) fresh.push(id);
  const ids = [...(known?.plans.map(({ id }) => id) ?? []), ...fresh];
  const read = await inPages(ids, (page) => readPage(client, registry, page));
  const own = read.filter(({ terms }) => terms.owner.toLowerCase() === owner.toLowerCase());
  const plans = own.map(({ plan }) => plan).toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const tokens = [...new Set(plans.map(({ tokenIn }) => tokenIn.toLowerCase() as Address))];
  const money = await client.multicall({
    ...inOneCall,
    allowFailure: false,
    contracts: tokens.flatMap((token) => [
      { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, registry] } as const,
      { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
    ]),
  });
  const every = (offset: number) =>
    Object.fromEntries(tokens.map((token, at) => [token, money[2 * at + offset] as bigint]));
  return { plans, allowances: every(0), balances: every(1), upTo };
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

async function inPages<Item>(ids: readonly bigint[], read: (page: readonly bigint[]) => Promise<readonly Item[]>) {
  const pages: (readonly bigint[])[] = [];
  for (let from = 0; from < ids.length; from += Number(PAGE)) pages.push(ids.slice(from, from + Number(PAGE)));
  const found: Item[] = [];
  for (let from = 0; from < pages.length; from += TOGETHER) {
    found.push(...(await Promise.all(pages.slice(from, from + TOGETHER).map(read))).flat());
  }
  return found;
}
