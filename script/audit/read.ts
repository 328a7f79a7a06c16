import {
  type Address,
  type ContractFunctionReturnType,
  createPublicClient,
  type Hex,
  http,
  type PublicClient,
} from 'viem';
import { loanGuardAbi, planRegistryAbi, venusMarketAbi } from '../../abis/index.ts';

export type Terms = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>['terms'];
type State = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>['state'];
type Run = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];
type Guard = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'guard'>;
type Rescue = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'rescues'>[number];

/** Everything the chain stores about a plan. */
export interface PlanHistory {
  readonly id: bigint;
  readonly state: State;
  readonly isRevoked: boolean;
  /** Version n is at index n − 1. */
  readonly versions: readonly Terms[];
  readonly runs: readonly Run[];
}

/** Everything the chain stores about a guard. */
export interface GuardHistory extends Guard {
  readonly id: bigint;
  readonly rescues: readonly Rescue[];
  /** Markets in which the borrower's debt can be liquidated at any health; undefined if the adapter did not say. */
  readonly forcedMarkets: readonly Hex[] | undefined;
}

/** The part of a deployment record that the audit reads. */
export interface Places {
  readonly planRegistry: Address;
  readonly loanGuard: Address;
}

/** Records per call. */
const page = 50n;

/** Reads everything at one block, so that all values are consistent. Throws viem's errors. */
export async function openChain(rpcUrl: string, { planRegistry, loanGuard }: Places) {
  const client: PublicClient = createPublicClient({ transport: http(rpcUrl) });
  const { number: blockNumber, timestamp } = await client.getBlock();
  const registry = { address: planRegistry, abi: planRegistryAbi, blockNumber } as const;
  const contract = { address: loanGuard, abi: loanGuardAbi, blockNumber } as const;

  async function plan(id: bigint): Promise<PlanHistory> {
    const { state, isRevoked } = await client.readContract({ ...registry, functionName: 'plan', args: [id] });
    const versions: Terms[] = [];
    for (let version = 1n; version <= BigInt(state.version); version++) {
      versions.push(await client.readContract({ ...registry, functionName: 'termsOf', args: [id, version] }));
    }
    const runs: Run[] = [];
    for (let from = 0n; from < BigInt(state.records); from += page) {
      runs.push(...(await client.readContract({ ...registry, functionName: 'runs', args: [id, from, from + page] })));
    }
    return { id, state, isRevoked, versions, runs };
  }

  async function guard(id: bigint): Promise<GuardHistory> {
    const read = await client.readContract({ ...contract, functionName: 'guard', args: [id] });
    const rescues: Rescue[] = [];
    for (let from = 0n; from < BigInt(read.state.rescues); from += page) {
      rescues.push(
        ...(await client.readContract({ ...contract, functionName: 'rescues', args: [id, from, from + page] })),
      );
    }
    const { adapter: address, borrower } = read.terms;
    const asked = { address, abi: venusMarketAbi, functionName: 'forcedMarkets', args: [borrower] } as const;
    const forcedMarkets = await client.readContract({ ...asked, blockNumber }).catch(() => undefined);
    return { id, ...read, rescues, forcedMarkets };
  }

  return {
    blockNumber,
    timestamp,
    plan,
    guard,
    /** Ids of all permissions of one owner. The contracts keep no such index, so this reads every permission. */
    async ownedBy(owner: Address): Promise<{ plans: bigint[]; guards: bigint[] }> {
      const isOwn = (address: Address) => address.toLowerCase() === owner.toLowerCase();
      const [planCount, guardCount] = await Promise.all([
        client.readContract({ ...registry, functionName: 'planCount' }),
        client.readContract({ ...contract, functionName: 'guardCount' }),
      ]);
      const plans: bigint[] = [];
      const guards: bigint[] = [];
      for (let id = 1n; id <= planCount; id++) {
        const { terms } = await client.readContract({ ...registry, functionName: 'plan', args: [id] });
        if (isOwn(terms.owner)) plans.push(id);
      }
      for (let id = 1n; id <= guardCount; id++) {
        const { terms } = await client.readContract({ ...contract, functionName: 'guard', args: [id] });
        if (isOwn(terms.borrower)) guards.push(id);
      }
      return { plans, guards };
    },
    /** For display. An account without a symbol is shown by its address. */
    async token(address: Address): Promise<{ symbol: string; decimals: number }> {
      const abi = [
        { type: 'function', name: 'symbol', stateMutability: 'view', inputs: [], outputs: [{ type: 'string' }] },
        { type: 'function', name: 'decimals', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint8' }] },
      ] as const;
      const [symbol, decimals] = await Promise.all([
        client.readContract({ address, abi, functionName: 'symbol', blockNumber }).catch(() => address),
        client.readContract({ address, abi, functionName: 'decimals', blockNumber }).catch(() => 0),
      ]);
      return { symbol, decimals };
    },
  };
}
