import { erc20Abi } from '@bowline/chain/erc20-abi';
import { isWhole } from '@bowline/chain/find-own';
import { localChainId } from '@bowline/core/domain/chains';
import { shortAddress } from '@bowline/core/domain/readable';
import type { QueryClient } from '@tanstack/react-query';
import type { Address } from 'viem';
import { thisMoment } from '../api/age.ts';
import { assetAt, type Settings } from '../api/settings.ts';
import { type ChainClient, inOneCall } from '../chain/client.ts';
import { areWhole, type OwnedGuards, readGuards } from '../chain/read-guards.ts';
import { type Loan, readLoan } from '../chain/read-loan.ts';
import { type OwnedPlans, readPlans } from '../chain/read-plans.ts';
import { receiptOf } from '../chain/receipt.ts';
import { sawBlock } from '../chain/use-clock.ts';
import { words } from '../words/en/frame.ts';

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

/** What was read of an account's plans and guards; a search continues from there. */
interface Known {
  readonly plans: OwnedPlans | undefined;
  readonly guards: OwnedGuards | undefined;
}

export interface Approvals {
  readonly left: readonly Approval[];
  /** Symbols of the tokens that could not be read. */
  readonly unread: readonly string[];
  /** Sources of unlisted tokens that were not read to their end: "your plans". */
  readonly unsearched: readonly string[];
  readonly known: Known;
}

/** Names of the contracts that take tokens. Other known contracts are shown by their address. */
const spenders = (): Readonly<Record<string, string>> => ({
  planRegistry: words.stop.plans,
  loanGuard: words.stop.guards,
  collateralGuard: words.stop.guards,
  quoteDesk: words.stop.desk,
  swapExecutor: words.stop.executor,
  router: 'PancakeSwap',
});

/** The query of an owner's approvals. Continues from its previous result, or else from what the sections have read. */
export const approvalsQuery = (queries: QueryClient, client: ChainClient, settings: Settings, owner: Address) => {
  const queryKey = ['chain', 'approvals', owner];
  return {
    queryKey,
    queryFn: async () => {
      const before = queries.getQueryData<Approvals>(queryKey)?.known;
      const known = {
        plans: before?.plans ?? queries.getQueryData<OwnedPlans>(['chain', 'plans', owner]),
        guards: before?.guards ?? queries.getQueryData<OwnedGuards>(['chain', 'guards', owner]),
      };
      const asked = thisMoment();
      const read = await readApprovals(client, settings, owner, known);
      return { ...read, readAt: sawBlock(queries, undefined, asked, settings.chainId === localChainId) };
    },
  };
};

/**
 * Remaining allowances of `owner` to the contracts that this page knows, for every listed token and for those in the
 * owner's plans, guards and loan. Never throws: what could not be read is named.
 */
async function readApprovals(
  client: ChainClient,
  settings: Settings,
  owner: Address,
  known: Known,
): Promise<Approvals> {
  const { contracts, lending, assets } = settings;
  const [plans, guards, loans] = await Promise.all([
    orUndefined(readPlans(client, contracts.planRegistry, owner, known.plans)),
    orUndefined(readGuards(client, { ...contracts, lending }, owner, known.guards)),
    orUndefined(Promise.all(lending.map((protocol) => readLoan(client, settings, protocol, owner)))),
  ]);
  const unsearched = [
    ...(plans && isWhole(plans) ? [] : [words.stop.yourPlans]),
    ...(guards && areWhole(guards) ? [] : [words.stop.yourGuards]),
    ...(loans ? [] : [words.stop.yourLoan]),
  ];
  const latest = { plans: plans ?? known.plans, guards: guards ?? known.guards };
  const receipts = contracts.collateralGuard ? receiptsIn(latest.guards, loans ?? []) : new Map<Address, Address>();
  const found = [
    ...(latest.plans?.plans.map(({ tokenIn }) => tokenIn) ?? []),
    ...[...(latest.guards?.guards ?? []), ...(latest.guards?.funded ?? [])].map(({ repayToken }) => repayToken),
    ...(loans?.flatMap(({ markets }) => markets.map(({ token }) => token)) ?? []),
    // A deposit's receipts: what CollateralGuard takes.
    ...receipts.keys(),
  ];
  const tokens = new Map([...assets.map(({ address }) => address), ...found].map((at) => [at.toLowerCase(), at]));
  const named = [
    ...Object.entries(contracts).flatMap(([name, spender]) =>
      spender === null ? [] : [{ spender, of: spenders()[name] ?? shortAddress(spender) }],
    ),
    ...lending.flatMap(({ name, adapter, core, payable = [] }) => [
      { spender: adapter, of: words.stop.adapter(name) },
      { spender: core, of: shortAddress(core) },
      // An approval to repay a whole debt may be a little more than is owed in the end.
      ...payable.map((spender) => ({ spender, of: name })),
    ]),
  ];
  // Several markets of one protocol may share a contract.
  const asked = [...new Map(named.map((each) => [each.spender.toLowerCase(), each])).values()];
  const nameOf = (token: Address): string => assetAt(settings, token)?.symbol ?? shortAddress(token);
  // One call per token: a token that fails, or answers too much, does not affect the others.
  const read = await Promise.all(
    [...tokens.values()].map(async (token) => {
      const asset = assetAt(settings, token);
      const deposited = receipts.get(token);
      const symbol = asset?.symbol ?? (deposited ? words.stop.receipts(nameOf(deposited)) : shortAddress(token));
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
        return symbol;
      }
    }),
  );
  return {
    left: read.flatMap((each) => (typeof each === 'string' ? [] : each)).filter(({ amount }) => amount > 0n),
    unread: read.filter((each) => typeof each === 'string'),
    unsearched,
    known: latest,
  };
}

/** The tokens of deposits, keyed by their receipt tokens. */
function receiptsIn(owned: OwnedGuards | undefined, loans: readonly Loan[]): ReadonlyMap<Address, Address> {
  const sold = [...(owned?.guards ?? []), ...(owned?.funded ?? [])].flatMap(({ sale }) =>
    sale ? [{ market: sale.collateralMarket, token: sale.collateralToken }] : [],
  );
  const supplied = loans.flatMap(({ markets }) => markets.filter((each) => each.supplied > 0n));
  return new Map([...sold, ...supplied].map(({ market, token }) => [receiptOf(market), token]));
}

const orUndefined = <Read>(reading: Promise<Read>): Promise<Read | undefined> => reading.catch(() => undefined);
