import type { Asset } from '@bowline/core/domain/assets';
import type { BarePlan, Plan } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import { hasEnded } from '@bowline/core/domain/slots';
import type { Address } from '@bowline/core/domain/units';
import { encodeAbiParameters, getAbiItem } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { asking, type ChainClient, newestBlock } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { erc20Abi } from './erc20-abi.ts';
import { refusalOf } from './errors.ts';
import { inTurn, readInPages } from './in-pages.ts';
import { createNumberedReader } from './numbered-reader.ts';
import { PLANS_PAGE, type PlanOnChain, planCall, planStatus, toBarePlan } from './plan.ts';
import type { BalanceReader, NewestPlans, PlanReader } from './readers.ts';
import { inOneCall } from './reads.ts';
import { readRuns, toRun } from './records.ts';
import { bits, createStructReader, type StateWords } from './states-lens.ts';
import { UnknownAnswer } from './unknown-answer.ts';

/** Plans per eth_call with their owners' funds: 24 kB are enough for 19. */
const FUNDED_PAGE = 18;
/** Plans per eth_call that the lens reads whole: 24,600 gas each, and 1,700 characters of the answer (measured). */
const WHOLE_PAGE = 400;
/** Known plans per eth_call, of which only states and funds are read: 24,600 gas each (measured). */
const STATES_PAGE = 1_600;

export interface PlanContracts {
  readonly planRegistry: Address;
  /** The executor whose plans this agent runs. */
  readonly swapExecutor: Address;
}

/** Reads plans and their records from the registry. */
export function createPlanReader(
  client: ChainClient,
  { planRegistry, swapExecutor }: PlanContracts,
  assets: readonly Asset[],
): PlanReader & BalanceReader {
  const contract = { address: planRegistry, abi: planRegistryAbi } as const;
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));
  const isPayable = ({ tokenIn }: Plan): boolean => listed.has(tokenIn.toLowerCase());
  const structs = createStructReader<PlanOnChain, Plan>(client, {
    ...{ address: planRegistry, view: planItem, pageSize: PLANS_PAGE },
    toItem: (id, answer) => ({ ...toBarePlan(id, answer), ...noFunds }),
    encodedTerms: ({ terms }) => encodeAbiParameters([planItem.outputs[0].components[0]], [terms]),
  });

  /**
   * Plans with the owner's tokenIn balance and allowance, in one call and therefore of one block. One call is enough
   * because owner and tokenIn are already known. Only listed tokens are read: anybody can create a plan for a token of
   * their own, and a balanceOf that burns all gas would take every other plan's answer with it.
   */
  async function readFunded(known: readonly Plan[]): Promise<Plan[]> {
    const payable = known.filter(isPayable);
    const holdings = [...new Map(payable.map((plan) => [holdingKey(plan), plan])).values()];
    const answers = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: [
        ...known.map(({ id }) => planCall(planRegistry, id)),
        ...holdings.flatMap(({ owner, tokenIn }) => [
          { address: tokenIn, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
          { address: tokenIn, abi: erc20Abi, functionName: 'allowance', args: [owner, planRegistry] } as const,
        ]),
      ],
    });
    const plans = answers.slice(0, known.length) as PlanOnChain[];
    const amounts = answers.slice(known.length) as bigint[];
    const funds = new Map(
      holdings.map((plan, at) => [
        holdingKey(plan),
        { ownerBalance: amounts[2 * at] ?? 0n, ownerAllowance: amounts[2 * at + 1] ?? 0n },
      ]),
    );
    return plans.map((answer, at) => {
      const before = known[at] as Plan;
      const plan = structs.known(before.id, answer);
      if (holdingKey(plan) !== holdingKey(before)) {
        throw new UnknownAnswer(`Plan ${plan.id} changed: the chain was reorganised.`);
      }
      return { ...plan, ...funds.get(holdingKey(plan)) };
    });
  }

  /** Known plans as they are now, with their owners' funds. */
  const readAgain = (known: readonly Plan[]) =>
    structs.readAgain(
      known,
      { planRegistry, tokens: assets.map(({ address }) => address) },
      (plan, words) => withState(plan, words, isPayable(plan)),
      (plans) => inTurn(plans, FUNDED_PAGE, readFunded),
    );

  const count = () => client.readContract({ ...contract, functionName: 'planCount' });

  const everyPlan = createNumberedReader<Plan>(client, {
    count,
    first: { pageSize: WHOLE_PAGE, read: structs.readWhole },
    again: { pageSize: STATES_PAGE, read: readAgain },
    // For good: the registry refuses to edit an ended plan, and to change the executor of any.
    isOver: (plan, now) => !sameAddress(plan.executor, swapExecutor) || hasEnded(plan, now),
  });

  // The registry returns no records for an unknown plan, without an error.
  async function readPlan(planId: bigint): Promise<BarePlan> {
    const answer = await client.readContract(planCall(planRegistry, planId)).catch((error) => {
      const name = contractErrorName(refusalOf(error)?.data);
      throw name === 'plan_unknown' ? new BowlineError('unknown_plan', `There is no plan ${planId}.`) : error;
    });
    return toBarePlan(planId, answer);
  }

  /** The registry keeps no list by owner. Without an owner, the newest IDs follow from the count. */
  async function newestIds({ owner, before, count: limit }: NewestPlans) {
    if (owner === undefined) {
      const newest = await count();
      const from = before === undefined || before > newest ? newest : before - 1n;
      const page: bigint[] = [];
      for (let id = from; id > 0n && page.length < limit; id -= 1n) page.push(id);
      return { page, total: Number(newest), more: from > BigInt(page.length), unread: 0 };
    }
    const owned = await everyPlan.find((plan) => sameAddress(plan.owner, owner));
    const ids = owned.items.map(({ id }) => id).filter((id) => before === undefined || id < before);
    const page = ids.slice(0, limit);
    return { page, total: owned.items.length, more: ids.length > page.length, unread: owned.unread };
  }

  return {
    plans: () =>
      asking(async () => {
        const { block, items, unread } = await everyPlan.all();
        return { block, plans: items, unread };
      }),

    plan: (planId) => asking(() => readPlan(planId)),

    planWithFunds: (planId) =>
      asking(async () => {
        const known = { ...(await readPlan(planId)), ...noFunds };
        const [block, [plan]] = await Promise.all([newestBlock(client), readFunded([known])]);
        return { block, plan: plan ?? known };
      }),

    newestPlans: (question) =>
      asking(async () => {
        const [block, { page, total, more, unread }] = await Promise.all([newestBlock(client), newestIds(question)]);
        const read = await readInPages(page, PLANS_PAGE, structs.readPage);
        if (read.silence) throw read.silence;
        const next = more ? page.at(-1) : undefined;
        return {
          block,
          plans: page.flatMap((id) => read.items.get(id) ?? []),
          total,
          ...(next !== undefined && { next }),
          unread: unread + read.unread.length,
        };
      }),

    runs: (planId, from, to) =>
      asking(async () => {
        const { records } = await readPlan(planId);
        const runs = await readRuns(client, planRegistry, planId, from, Math.min(to, records));
        return runs.map((run, at) => toRun(planId, from + at, run));
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

const noFunds = { ownerBalance: 0n, ownerAllowance: 0n } as const;

const holdingKey = ({ owner, tokenIn }: BarePlan): string => `${owner}${tokenIn}`;

/** The state as contracts/lens/StatesLens.sol packs it; undefined if the funds could not be read. */
function withState(plan: Plan, { state, more }: StateWords, isPayable: boolean): Plan | undefined {
  const areFundsRead = bits(state, 144n, 8n) === 1n;
  if (isPayable && !areFundsRead) return undefined;
  return {
    ...plan,
    status: planStatus(Number(bits(state, 0n, 8n)), bits(state, 136n, 8n) === 1n),
    cursor: bits(state, 8n, 40n),
    runs: Number(bits(state, 48n, 32n)),
    records: Number(bits(state, 80n, 32n)),
    deferrals: Number(bits(state, 112n, 8n)),
    lastReason: Number(bits(state, 120n, 16n)),
    // An edit may leave the terms as they were, and with them their tag.
    version: Number(bits(state, 152n, 16n)),
    ownerBalance: bits(more, 0n, 128n),
    ownerAllowance: bits(more, 128n, 128n),
  };
}

const planItem = getAbiItem({ abi: planRegistryAbi, name: 'plan' });
