import { type ChainClient, connectChain } from '@bowline/chain/chain-client';
import { erc20Abi, soundDecimals } from '@bowline/chain/erc20-abi';
import { findAllOwn } from '@bowline/chain/find-own';
import { type HistoriesRead, readGuardHistories, readPlanHistories } from '@bowline/chain/history';
import { blocksLate } from '@bowline/chain/rescue-lateness';
import type { GuardHistory, PlanHistory, Terms, Token } from '@bowline/core/audit/history';
import { spans } from '@bowline/core/audit/spans';
import { tokenName } from '@bowline/core/audit/token';
import type { Asset } from '@bowline/core/domain/assets';
import { type GuardKey, numberOf } from '@bowline/core/domain/guard-key';
import { poolFeeOf } from '@bowline/core/domain/route';
import { isSaleOf, type Sided, sidedOf } from '@bowline/core/domain/sided';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { type Address, isAddress } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';

/** Maximum rescues per audit whose delay is measured: each takes about eighty requests. */
const MAX_TIMED = 10;

/** The part of a deployment record that the audit reads. */
export interface Places {
  readonly planRegistry: Address;
  readonly loanGuard: Address;
  /** Absent where it is not deployed. */
  readonly collateralGuard?: Address;
}

/** What was read, plus one sentence for each permission, or part of one, that could not be read. */
export interface Read<History> {
  readonly found: readonly History[];
  readonly unread: readonly string[];
}

/** Reads permissions at the node's newest block (packages/chain/history.ts). Throws viem's errors if the node answers nothing. */
export async function openChain(rpcUrl: string, { planRegistry, loanGuard, collateralGuard }: Places) {
  const client = connectChain(rpcUrl);
  const block = await client.getBlock();
  const tokens = new Map<string, Promise<Token>>();
  const listed = readAssetRegistry(await client.getChainId(), isAddress);

  const plans = async (ids: readonly bigint[], executor?: Address): Promise<Read<PlanHistory>> =>
    inSentences('Plan', await readPlanHistories(client, planRegistry, ids, { block, ...(executor && { executor }) }));
  /** Reads guards of both contracts, as far as they are deployed. */
  const guards = async (keys: readonly GuardKey[]): Promise<Read<GuardHistory>> => {
    const ids = (isSale: boolean) => keys.filter((key) => (typeof key !== 'bigint') === isSale).map(numberOf);
    const wallet = await readGuardHistories(client, loanGuard, ids(false), { block });
    const first = inSentences('Guard', wallet);
    if (collateralGuard === undefined || ids(true).length === 0) return first;
    const sales = await readGuardHistories(client, collateralGuard, ids(true), { block, isSale: true });
    const second = inSentences('Guard collateral', sales, '-');
    return { found: [...first.found, ...second.found], unread: [...first.unread, ...second.unread] };
  };
  const planCount = () =>
    client.readContract({ address: planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
  // Both contracts share this function.
  const countOf = (contract: Address | undefined) =>
    contract === undefined
      ? 0n
      : client.readContract({ address: contract, abi: loanGuardAbi, functionName: 'guardCount' });

  function token(address: Address): Promise<Token> {
    const known = tokens.get(address) ?? readToken(client, address, listed);
    tokens.set(address, known);
    return known;
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
    guard: async (key: GuardKey): Promise<GuardHistory> =>
      one('Guard', key, await countOf(typeof key === 'bigint' ? loanGuard : collateralGuard), guards),
    /** How late each rescue was, from newest to oldest, until the node no longer has the state. */
    async lateness(guard: GuardHistory): Promise<readonly (bigint | undefined)[]> {
      const contract = guard.sale === undefined ? loanGuard : (collateralGuard as Address);
      const late: (bigint | undefined)[] = guard.rescues.map(() => undefined);
      for (const [at, { healthBeforeWad }] of [...guard.rescues.entries()].slice(-MAX_TIMED).toReversed()) {
        late[at] = await blocksLate(client, contract, guard, at);
        // The node has pruned the earlier blocks, too.
        if (late[at] === undefined && healthBeforeWad < guard.terms.triggerHealthWad) break;
      }
      return late;
    },
    /** Ids of all permissions of one owner, and a sentence for each range that could not be searched. */
    async ownedBy(owner: Address) {
      const search = (kind: string, contract: Address | undefined, count: bigint) =>
        searchOwn(
          client,
          kind,
          { functionName: kind === 'plans' ? 'plansOf' : 'guardsOf', contract, account: owner },
          count,
        );
      const ofPlans = await search('plans', planRegistry, await planCount());
      const wallet = await search('guards', loanGuard, await countOf(loanGuard));
      const sales = await search('collateral guards', collateralGuard, await countOf(collateralGuard));
      const guards: GuardKey[] = [...wallet.ids, ...sales.ids.map((id) => `collateral-${id}` as const)];
      return { plans: ofPlans.ids, guards, unread: [...ofPlans.unread, ...wallet.unread, ...sales.unread] };
    },
    /** For display. An unlisted token never gets a listed token's symbol. */
    token,
    /** A plan's trade. */
    async sided(terms: Pick<Terms, 'tokenIn' | 'tokenOut'>): Promise<Sided> {
      const [pay, buy] = await Promise.all([token(terms.tokenIn), token(terms.tokenOut)]);
      return sidedOf(isSaleOf(listed, terms), pay, buy);
    },
  };
}

/** Empty where the contract is not deployed. */
async function searchOwn(
  client: ChainClient,
  kind: string,
  {
    contract,
    ...sought
  }: Omit<Parameters<typeof findAllOwn>[1], 'contract'> & { readonly contract: Address | undefined },
  count: bigint,
) {
  if (contract === undefined) return { ids: [], unread: [] };
  const { ids, unsearched } = await findAllOwn(client, { ...sought, contract }, count);
  const unread = unsearched.map(Number);
  return { ids, unread: unread.length === 0 ? [] : [`NOT SEARCHED for this owner: ${spans(kind, unread)}.`] };
}

/** Throws a sentence if there is no such permission, or it cannot be read. */
async function one<History, Key extends GuardKey>(
  kind: 'Plan' | 'Guard',
  id: Key,
  count: bigint,
  read: (ids: readonly Key[]) => Promise<Read<History>>,
): Promise<History> {
  if (numberOf(id) > count || numberOf(id) === 0n) throw new Error(`${kind} ${id} does not exist.`);
  const { found, unread } = await read([id]);
  const [history] = found;
  if (history === undefined) throw new Error(unread[0]);
  return history;
}

const inSentences = <History>(
  kind: string,
  { found, unread }: HistoriesRead<History>,
  between = ' ',
): Read<History> => ({
  found,
  unread: unread.map(({ id, missing }) => `${kind}${between}${id}: NOT READ. The node did not answer for ${missing}.`),
});

async function readToken(client: ChainClient, address: Address, listed: readonly Asset[]): Promise<Token> {
  const token = { address, abi: erc20Abi } as const;
  const [symbol, decimals] = await Promise.all([
    client.readContract({ ...token, functionName: 'symbol' }).catch(() => ''),
    client
      .readContract({ ...token, functionName: 'decimals' })
      .then(soundDecimals)
      .catch(() => 0),
  ]);
  return { symbol: tokenName(address, symbol, listed), decimals };
}
