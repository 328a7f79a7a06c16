import type { ContractFunctionReturnType } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Asset } from '../domain/assets.ts';
import type { Plan, PlanStatus, Run } from '../domain/permissions.ts';
import type { BalanceReader, PlanReader } from '../domain/ports.ts';
import { type Reason, reasonCodes } from '../domain/reasons.ts';
import { BowlineError } from '../domain/result.ts';
import type { Address } from '../domain/units.ts';
import { type Verdict, verdictCodes } from '../domain/verdict.ts';
import { erc20Abi } from './chain-abis.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { contractErrorName, refusalOf } from './contract-error.ts';

/** Plans of one eth_call. The answer comes as a contract's code, of which there may be 24 kB: enough for 31. */
const PAGE = 24;

type PlanOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;
type RunOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];

/** Plans and their records, as the registry keeps them. */
export function createPlanReader(
  client: ChainClient,
  registry: Address,
  assets: readonly Asset[],
): PlanReader & BalanceReader {
  const contract = { address: registry, abi: planRegistryAbi } as const;
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));

  function readPlans(ids: readonly bigint[], blockNumber: bigint): Promise<PlanOnChain[]> {
    const contracts = ids.map((id) => ({ ...contract, functionName: 'plan', args: [id] }) as const);
    return client.multicall({ ...inOneCall, allowFailure: false, blockNumber, contracts });
  }

  /**
   * What the owners hold of their plans' tokenIn and let the registry take. Only of listed tokens, of others nothing: anybody
   * can create a plan for a token of their own making, and one whose balanceOf burns all gas would take every other
   * plan's answer with it.
   */
  async function readFunds(plans: readonly PlanOnChain[], blockNumber: bigint) {
    const wanted = plans.filter(({ terms }) => listed.has(terms.tokenIn.toLowerCase()));
    const holdings = [...new Map(wanted.map(({ terms }) => [holdingKey(terms), terms])).values()];
    const answers = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      blockNumber,
      contracts: holdings.flatMap(({ owner, tokenIn }) => [
        { address: tokenIn, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
        { address: tokenIn, abi: erc20Abi, functionName: 'allowance', args: [owner, registry] } as const,
      ]),
    });
    return new Map(
      holdings.map((terms, at) => [
        holdingKey(terms),
        { ownerBalance: answers[2 * at] ?? 0n, ownerAllowance: answers[2 * at + 1] ?? 0n },
      ]),
    );
  }

  return {
    plans: () =>
      asking(async () => {
        const block = await newestBlock(client);
        const blockNumber = block.number;
        const count = await client.readContract({ ...contract, functionName: 'planCount', blockNumber });
        const plans: Plan[] = [];
        for (let first = 1n; first <= count; first += BigInt(PAGE)) {
          const ids = Array.from({ length: PAGE }, (_, at) => first + BigInt(at)).filter((id) => id <= count);
          const page = await readPlans(ids, blockNumber);
          const funds = await readFunds(page, blockNumber);
          for (const [at, plan] of page.entries()) {
            plans.push(toPlan(first + BigInt(at), plan, funds.get(holdingKey(plan.terms))));
          }
        }
        return { block, plans };
      }),

    runs: (planId, from, to) =>
      asking(async () => {
        const { number: blockNumber } = await newestBlock(client);
        // The registry itself answers no records for a plan that does not exist.
        const plan = await client
          .readContract({ ...contract, functionName: 'plan', args: [planId], blockNumber })
          .catch((error) => {
            const name = contractErrorName(refusalOf(error)?.data);
            throw name === 'plan_unknown' ? new BowlineError('unknown_plan', `There is no plan ${planId}.`) : error;
          });
        const until = Math.min(to, plan.state.records);
        const runs: Run[] = [];
        for (let start = from; start < until; start += PAGE) {
          const args = [planId, BigInt(start), BigInt(Math.min(start + PAGE, until))] as const;
          const page = await client.readContract({ ...contract, functionName: 'runs', args, blockNumber });
          runs.push(...page.map((run, at) => toRun(planId, start + at, run)));
        }
        return runs;
      }),

    balances: (owner, tokens, blockNumber) =>
      asking(() =>
        client.multicall({
          ...inOneCall,
          allowFailure: false,
          blockNumber,
          contracts: tokens.map(
            (address) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) as const,
          ),
        }),
      ),
  };
}

const holdingKey = ({ owner, tokenIn }: PlanOnChain['terms']): string => `${owner}${tokenIn}`;

const statuses: Readonly<Record<number, PlanStatus>> = { 1: 'active', 2: 'paused', 3: 'cancelled' };

function toPlan(
  id: bigint,
  { terms, state }: PlanOnChain,
  funds: Pick<Plan, 'ownerBalance' | 'ownerAllowance'> | undefined,
): Plan {
  return {
    id,
    ...terms,
    startAt: BigInt(terms.startAt),
    periodSeconds: BigInt(terms.periodSeconds),
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: named(statuses, state.status),
    cursor: BigInt(state.cursor),
    runs: state.runs,
    records: state.records,
    deferrals: state.deferrals,
    lastReason: state.lastReason,
    ownerBalance: funds?.ownerBalance ?? 0n,
    ownerAllowance: funds?.ownerAllowance ?? 0n,
  };
}

const outcomes: Readonly<Record<number, Run['outcome']>> = { 1: 'executed', 2: 'deferred' };
const verdicts = inverse<Verdict>(verdictCodes);
const reasons = inverse<Reason>(reasonCodes);

function toRun(planId: bigint, record: number, run: RunOnChain): Run {
  // Numbers that this version has no word for are kept as they are: the executor of a plan writes what it likes.
  const reason = reasons[run.reason];
  return {
    planId,
    record,
    outcome: named(outcomes, run.outcome),
    amountIn: run.amountIn,
    amountOut: run.amountOut,
    floor: run.floor,
    time: BigInt(run.time),
    slotStart: BigInt(run.slotStart),
    reasonCode: run.reason,
    ...(reason !== undefined && { reason }),
    verdict: named(verdicts, run.verdict),
    evidenceHash: run.evidenceHash,
  };
}

function inverse<Name extends string>(codes: Readonly<Record<Name, number>>): Readonly<Record<number, Name>> {
  return Object.fromEntries(Object.entries<number>(codes).map(([name, code]) => [code, name as Name]));
}

function named<Name>(names: Readonly<Record<number, Name>>, code: number): Name {
  const name = names[code];
  if (name === undefined) throw new BowlineError('internal', `The contract answered ${code}, which has no meaning.`);
  return name;
}
