import type { Address, PublicClient } from 'viem';
import { type Asset, assetAt, type Settings } from '../api/settings.ts';
import { erc20Abi } from '../chain/abis.ts';
import { inOneCall } from '../chain/client.ts';
import { isWhole } from '../chain/find-own.ts';
import { readGuards } from '../chain/read-guards.ts';
import { readLoan } from '../chain/read-loan.ts';
import { type OwnedPlans, readPlans } from '../chain/read-plans.ts';
import { shortAddress } from '../words/address.ts';

export interface Approval {
  readonly token: Address;
  readonly symbol: string;
  /** Undefined for a token that the page does not list. */
  readonly decimals: number | undefined;
  readonly spender: Address;
  /** The spender in words: "plans". */
  readonly of: string;
  /** Base units. */
  readonly amount: bigint;
}

export interface Approvals {
  readonly left: readonly Approval[];
  /** Symbols of the tokens that could not be read. */
  readonly unread: readonly string[];
  /** Sources of unlisted tokens that could not be read: "your plans". */
  readonly unsearched: readonly string[];
}

/** Names of the contracts that take tokens. Other known contracts are shown by their address. */
const spenders: Readonly<Record<string, string>> = {
  planRegistry: 'plans',
  loanGuard: 'guards',
  quoteDesk: 'the desk',
  swapExecutor: 'the executor',
  venusMarket: 'the Venus adapter',
  router: 'PancakeSwap',
};

/**
 * Whether an invented token has no contract, as on a fork of BNB Chain. For any other token, missing code means that
 * the node is behind.
 */
const isAbsent = async (client: PublicClient, asset: Asset | undefined): Promise<boolean> =>
  asset?.class === 'tokenised_stock' &&
  client.getCode({ address: asset.address }).then(
    (code) => code === undefined,
    () => false,
  );

/**
 * Remaining allowances of `owner` to the contracts that this page knows, for every listed token and for those in the
 * owner's plans, guards and loan. Never throws: what could not be read is named.
 */
export async function readApprovals(
  client: PublicClient,
  settings: Settings,
  owner: Address,
  known: OwnedPlans | undefined,
): Promise<Approvals> {
  const { contracts, assets } = settings;
  const named = await Promise.allSettled([
    readPlans(client, contracts.planRegistry, owner, known).then((owned) => ({
      tokens: owned.plans.map(({ tokenIn }) => tokenIn),
      isWhole: isWhole(owned),
    })),
    readGuards(client, contracts, owner, undefined, ['borrower', 'funder']).then((owned) => ({
      tokens: owned.guards.map(({ repayToken }) => repayToken),
      isWhole: isWhole(owned),
    })),
    readLoan(client, settings, owner).then(({ markets }) => ({
      tokens: markets.map(({ token }) => token),
      isWhole: true,
    })),
  ]);
  const sources = ['your plans', 'your guards', 'your loan'];
  const unsearched = sources.filter((_, at) => {
    const found = named[at];
    return found?.status !== 'fulfilled' || !found.value.isWhole;
  });
  const found = named.flatMap((each) => (each.status === 'fulfilled' ? each.value.tokens : []));
  const tokens = new Map([...assets.map(({ address }) => address), ...found].map((at) => [at.toLowerCase(), at]));
  const asked = Object.entries(contracts).flatMap(([name, spender]) =>
    spender === null ? [] : [{ spender, of: spenders[name] ?? shortAddress(spender) }],
  );
  // One call per token: a token that fails, or answers too much, does not affect the others.
  const read = await Promise.all(
    [...tokens.values()].map(async (token) => {
      const asset = assetAt(settings, token);
      const symbol = asset?.symbol ?? shortAddress(token);
      try {
        const amounts = await client.multicall({
          ...inOneCall,
          allowFailure: false,
          contracts: asked.map(
            ({ spender }) =>
              ({ address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }) as const,
          ),
        });
        return asked.map(({ spender, of }, at) => {
          return { token, symbol, decimals: asset?.decimals, spender, of, amount: amounts[at] as bigint };
        });
      } catch {
        return (await isAbsent(client, asset)) ? [] : symbol;
      }
    }),
  );
  return {
    left: read.flatMap((each) => (typeof each === 'string' ? [] : each)).filter(({ amount }) => amount > 0n),
    unread: read.filter((each) => typeof each === 'string'),
    unsearched,
  };
}
