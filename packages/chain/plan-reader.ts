import type { Asset } from '@bowline/core/domain/assets';
import type { Plan } from '@bowline/core/domain/permissions';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import { hasEnded } from '@bowline/core/domain/slots';
import type { Address } from '@bowline/core/domain/units';
import { encodeAbiParameters, getAbiItem } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { askingAll, type ChainClient, newestBlock } from './chain-client.ts';
import { refusalName } from './contract-error.ts';
import { erc20Abi } from './erc20-abi.ts';
import { createNumberedReader } from './numbered-reader.ts';
import { inTurn, readInPages } from './paginated-reads.ts';
import { PLANS_PAGE, type PlanOnChain, planCall, planStatus, toBarePlan } from './plan.ts';
import type { BalanceReader, NewestPlans, PlanReader } from './readers.ts';
import { inOneCall } from './reads.ts';
import { readRuns, toRun } from './records.ts';
import { bits, createStructReader, type StateWords } from './states-lens.ts';
import { UnknownAnswer } from './unknown-answer.ts';

/** Plans per eth_call of which the owners' funds are read: 24 kB are enough for 75. */
const FUNDED_PAGE = 50;
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
  contracts: PlanContracts,
  assets: readonly Asset[],
): PlanReader & BalanceReader {
  const { planRegistry } = contracts;
  const { everyPlan, count, structs, readAgain } = planList(client, contracts, assets);

  // The registry returns no records for an unknown plan, without an error.
  const readPlan = (planId: bigint): Promise<PlanOnChain> =>
    client.readContract(planCall(planRegistry, planId)).catch((error) => {
      throw refusalName(error) === 'plan_unknown'
        ? new BowlineError('unknown_plan', `There is no plan ${planId}.`)
        : error;
    });

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

  return askingAll<PlanReader & BalanceReader>({
    async plans() {
      const { block, items, unread } = await everyPlan.all();
      return { block, plans: items, unread };
    },

    plan: async (planId) => toBarePlan(planId, await readPlan(planId)),

    async planWithFunds(planId) {
      const known = structs.known(planId, await readPlan(planId));
      const [block, [plan]] = await Promise.all([newestBlock(client), readAgain([known])]);
      if (plan === undefined) throw new UnknownAnswer(`The node returned no funds of plan ${planId}.`);
      return { block, plan };
    },

    async newestPlans(question) {
      const [block, { page, total, more, unread }] = await Promise.all([newestBlock(client), newestIds(question)]);
      const read = await readInPages(page, PLANS_PAGE, structs.readPage);
      if (read.silence) throw read.silence;
      const plans = page.flatMap((id) => read.items.get(id) ?? []);
      const next = more ? page.at(-1) : undefined;
      return { block, plans, total, ...(next !== undefined && { next }), unread: unread + read.unread.length };
    },

    async runs(planId, from, to) {
      const { state } = await readPlan(planId);
      const runs = await readRuns(client, planRegistry, planId, from, Math.min(to, state.records));
      return runs.map((run, at) => toRun(planId, from + at, run));
    },

    balances: (owner, tokens, blockNumber) =>
      client.multicall({
        ...{ ...inOneCall, allowFailure: false, blockNumber },
        contracts: tokens.map(
          (address) => ({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }) as const,
        ),
      }),
  });
}

/** Lists all plans. Those that may still run for this agent include their owners' funds. */
function planList(client: ChainClient, { planRegistry, swapExecutor }: PlanContracts, assets: readonly Asset[]) {
  const listed = new Set(assets.map(({ address }) => address.toLowerCase()));
  const isPayable = ({ tokenIn }: Plan): boolean => listed.has(tokenIn.toLowerCase());
  // For good: the registry refuses to edit an ended plan, and to change the executor of any.
  const isOver = (plan: Plan, now: bigint) => !sameAddress(plan.executor, swapExecutor) || hasEnded(plan, now);
  const structs = createStructReader<PlanOnChain, Plan>(client, {
    ...{ address: planRegistry, view: planItem, pageSize: PLANS_PAGE },
    toItem: (id, answer) => ({ ...toBarePlan(id, answer), ownerBalance: 0n, ownerAllowance: 0n }),
    encodedTerms: ({ terms }) => encodeAbiParameters([planItem.outputs[0].components[0]], [terms]),
  });

  /**
   * The same plans with their owners' tokenIn balance and allowance. Only listed tokens are read: anybody can create a plan
   * for a token of their own, and a balanceOf that burns all gas would take every other plan's answer with it.
   */
  async function funded(plans: readonly Plan[], isPaid: typeof isPayable): Promise<Plan[]> {
    const answers = await client.multicall({
      ...{ ...inOneCall, allowFailure: false },
      contracts: plans
        .filter(isPaid)
        .flatMap(({ owner, tokenIn }) => [
          { address: tokenIn, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const,
          { address: tokenIn, abi: erc20Abi, functionName: 'allowance', args: [owner, planRegistry] } as const,
        ]),
    });
    const amounts = answers.values();
    const next = (): bigint => amounts.next().value ?? 0n;
    return plans.map((plan) => (isPaid(plan) ? { ...plan, ownerBalance: next(), ownerAllowance: next() } : plan));
  }

  /** Known plans as they are now, with their owners' funds, which plans over at `now` do not need. */
  function readAgain(known: readonly Plan[], now?: bigint) {
    const isPaid = (plan: Plan) => isPayable(plan) && (now === undefined || !isOver(plan, now));
    return structs.readAgain(
      known,
      { planRegistry, tokens: assets.map(({ address }) => address) },
      (plan, words) => withState(plan, words, isPaid),
      (plans) => inTurn(plans, FUNDED_PAGE, (page) => funded(page, isPaid)),
    );
  }

  const count = () => client.readContract({ address: planRegistry, abi: planRegistryAbi, functionName: 'planCount' });
  const everyPlan = createNumberedReader<Plan>(client, {
    count,
    first: { pageSize: WHOLE_PAGE, read: structs.readWhole },
    again: { pageSize: STATES_PAGE, read: readAgain },
    isOver,
  });
  return { everyPlan, count, structs, readAgain };
}

/** The state as contracts/lens/StatesLens.sol packs it; undefined if needed funds could not be read. */
function withState(before: Plan, { state, more }: StateWords, isPaid: (plan: Plan) => boolean): Plan | undefined {
  const plan = {
    ...before,
    status: planStatus(Number(bits(state, 0n, 8n)), bits(state, 136n, 8n) === 1n),
    cursor: bits(state, 8n, 40n),
    runs: Number(bits(state, 48n, 32n)),
    records: Number(bits(state, 80n, 32n)),
    deferrals: Number(bits(state, 112n, 8n)),
    lastReason: Number(bits(state, 120n, 16n)),
    // An edit may leave the terms, and so their tag, unchanged.
    version: Number(bits(state, 152n, 16n)),
    ownerBalance: bits(more, 0n, 128n),
    ownerAllowance: bits(more, 128n, 128n),
  };
  return bits(state, 144n, 8n) === 1n || !isPaid(plan) ? plan : undefined;
}

const planItem = getAbiItem({ abi: planRegistryAbi, name: 'plan' });
