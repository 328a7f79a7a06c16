import { type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { findAllOwn } from '@bowline/chain/find-own';
import { type HistoriesRead, readGuardHistories, readPlanHistories } from '@bowline/chain/history';
import type { GuardHistory, PlanHistory, Token } from '@bowline/core/audit/history';
import { spans } from '@bowline/core/audit/spans';
import { tokenName } from '@bowline/core/audit/token';
import type { Asset } from '@bowline/core/domain/assets';
import { poolFeeOf } from '@bowline/core/domain/route';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, erc20Abi, isAddress } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';

/** The part of a deployment record that the audit reads. */
export interface Places {
  readonly planRegistry: Address;
  readonly loanGuard: Address;
}

/** What could be read, and a sentence for each permission or part of one that could not. */
export interface Read<History> {
  readonly found: readonly History[];
  readonly unread: readonly string[];
}

/** Reads permissions at the node's newest block (packages/chain/history.ts). Throws viem's errors if the node answers nothing. */
export async function openChain(rpcUrl: string, { planRegistry, loanGuard }: Places) {
  const client = connectChain(rpcUrl);
  const block = await client.getBlock();
  const tokens = new Map<string, Promise<Token>>();
  const listed = readAssetRegistry(await client.getChainId(), isAddress);

  const plans = async (ids: readonly bigint[], executor?: Address): Promise<Read<PlanHistory>> =>
    inSentences('Plan', await readPlanHistories(client, planRegistry, ids, { block, ...(executor && { executor }) }));
  const guards = async (ids: readonly bigint[]): Promise<Read<GuardHistory>> =>
    inSentences('Guard', await readGuardHistories(client, loanGuard, ids, { block }));
  const planCount = () =>
    client.readContract({ address: planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
  const guardCount = () => client.readContract({ address: loanGuard, abi: loanGuardAbi, functionName: 'guardCount' });

  async function search(functionName: 'plansOf' | 'guardsOf', kind: string, account: Address) {
    const [contract, count] =
      functionName === 'plansOf' ? [planRegistry, await planCount()] : [loanGuard, await guardCount()];
    const { ids, unsearched } = await findAllOwn(client, { functionName, contract, account }, count);
    const unread = unsearched.map(Number);
    return {
      ids,
      unread: unread.length === 0 ? [] : [`NOT SEARCHED for this owner: ${spans(kind, unread)}.`],
    };
  }

  return {
    blockNumber: block.number,
    timestamp: block.timestamp,
    poolFee: (tokenIn: Address, tokenOut: Address) => poolFeeOf(listed, tokenIn, tokenOut),
    plans,
    guards,
    async servedBy(executor: Address): Promise<Read<PlanHistory>> {
      const ids = Array.from({ length: Number(await planCount()) }, (_, at) => BigInt(at + 1));
      return plans(ids, executor);
    },
    plan: async (id: bigint): Promise<PlanHistory> => one('Plan', id, await planCount(), plans),
    guard: async (id: bigint): Promise<GuardHistory> => one('Guard', id, await guardCount(), guards),
    /** Ids of all permissions of one owner, and a sentence for each range that could not be searched. */
    async ownedBy(owner: Address) {
      const [ofPlans, ofGuards] = [await search('plansOf', 'plans', owner), await search('guardsOf', 'guards', owner)];
      return { plans: ofPlans.ids, guards: ofGuards.ids, unread: [...ofPlans.unread, ...ofGuards.unread] };
    },
    /** For display. A token that is not listed never has a listed one's symbol. */
    token(address: Address): Promise<Token> {
      const known = tokens.get(address) ?? readToken(client, address, listed);
      tokens.set(address, known);
      return known;
    },
  };
}

/** Throws a sentence if there is no such permission, or it cannot be read. */
async function one<History>(
  kind: 'Plan' | 'Guard',
  id: bigint,
  count: bigint,
  read: (ids: readonly bigint[]) => Promise<Read<History>>,
): Promise<History> {
  if (id > count) throw new Error(`${kind} ${id} does not exist.`);
  const { found, unread } = await read([id]);
  const [history] = found;
  if (history === undefined) throw new Error(unread[0]);
  return history;
}

const inSentences = <History>(kind: string, { found, unread }: HistoriesRead<History>): Read<History> => ({
  found,
  unread: unread.map(({ id, missing }) => `${kind} ${id}: NOT READ. The node did not answer for ${missing}.`),
});

async function readToken(client: ChainClient, address: Address, listed: readonly Asset[]): Promise<Token> {
  const token = { address, abi: erc20Abi } as const;
  const [symbol, decimals] = await Promise.all([
    client.readContract({ ...token, functionName: 'symbol' }).catch(() => ''),
    client.readContract({ ...token, functionName: 'decimals' }).catch(() => 0),
  ]);
  return { symbol: tokenName(address, symbol, listed), decimals };
}
