import type { Asset } from '@bowline/core/domain/assets';
import type { BarePlan, Plan, PlanStatus, Run } from '@bowline/core/domain/permissions';
import { reasonOf } from '@bowline/core/domain/reasons';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address } from '@bowline/core/domain/units';
import { type Verdict, verdictCodes } from '@bowline/core/domain/verdict';
import { type ContractFunctionReturnType, decodeAbiParameters, encodeAbiParameters, getAbiItem } from 'viem';
import { planRegistryAbi } from '../../abis/index.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { contractErrorName } from './contract-error.ts';
import { erc20Abi } from './erc20-abi.ts';
import { refusalOf } from './errors.ts';
import {
  bits,
  createNumberedReader,
  inTurn,
  isChanged,
  readEach,
  readInPages,
  readStates,
  type StateWords,
  tagOf,
} from './in-pages.ts';
import type { BalanceReader, NewestPlans, PlanReader } from './readers.ts';
import { UnknownAnswer } from './unknown-answer.ts';

/** Plans per eth_call. The answer is returned as contract code of at most 24 kB: enough for 25. */
const PAGE = 24;
/** Plans per eth_call with their owners' funds: 24 kB are enough for 19. */
const FUNDED_PAGE = 18;
/** Plans per eth_call that the lens reads whole: 24,600 gas each, and 1,700 characters of the answer (measured). */
const WHOLE_PAGE = 400;
/** Plans per eth_call of which only the states and the funds are read: 24,600 gas each (measured). */
const STATES_PAGE = 1_600;
/** Records per call. */
const RECORDS = 50;

type PlanOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'plan'>;
type RunOnChain = ContractFunctionReturnType<typeof planRegistryAbi, 'view', 'runs'>[number];

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
  /** By plan ID: the tag of the terms as last read. */
  const tags = new Map<bigint, bigint>();
  const isPayable = ({ tokenIn }: Plan): boolean => listed.has(tokenIn.toLowerCase());
  const planOf = (id: bigint) => ({ ...contract, functionName: 'plan', args: [id] }) as const;

  async function readPlans(ids: readonly bigint[]): Promise<Plan[]> {
    const contracts = ids.map(planOf);
    const plans = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
    return plans.map((plan, at) => known(ids[at] as bigint, plan));
  }

  /** Undefined for a plan that cannot be read. */
  async function readWhole(ids: readonly bigint[]): Promise<(Plan | undefined)[]> {
    const read = await readEach(client, planRegistry, planItem, ids);
    if (read === undefined) return inTurn(ids, PAGE, readPlans);
    return ids.map((id, at) => {
      const data = read[at];
      return data && known(id, decodeAbiParameters(planItem.outputs, data)[0]);
    });
  }

  function known(id: bigint, plan: PlanOnChain): Plan {
    tags.set(id, tagOfTerms(plan));
    return { ...toBarePlan(id, plan), ...noFunds };
  }

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
        ...known.map(({ id }) => planOf(id)),
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
      tags.set(before.id, tagOfTerms(answer));
      const plan = toBarePlan(before.id, answer);
      if (holdingKey(plan) !== holdingKey(before)) {
        throw new UnknownAnswer(`Plan ${plan.id} changed: the chain was reorganised.`);
      }
      return { ...plan, ...(funds.get(holdingKey(plan)) ?? noFunds) };
    });
  }

  /**
   * Known plans as they are now, with their owners' funds. Only what can change is read; a plan whose terms changed is
   * read whole.
   */
  async function readAgain(known: readonly Plan[]): Promise<(Plan | undefined)[]> {
    const ids = known.map(({ id }) => id);
    const states = await readStates(client, { planRegistry, tokens: assets.map(({ address }) => address) }, ids);
    if (states === undefined) return inTurn(known, FUNDED_PAGE, readFunded);
    const changed = ids.filter((id, at) => isChanged(states[at], tags.get(id)));
    const anew = await inTurn(await inTurn(changed, PAGE, readPlans), FUNDED_PAGE, readFunded);
    const changedPlans = new Map(anew.map((plan) => [plan.id, plan]));
    return known.map((plan, at) => {
      const words = states[at];
      return changedPlans.get(plan.id) ?? (words && withState(plan, words, isPayable(plan)));
    });
  }

  const count = () => client.readContract({ ...contract, functionName: 'planCount' });

  /** Permanent: the registry refuses to edit an ended plan, and to change the executor or the tokens of any. */
  const isOver = ({ executor, status, runs, maxRuns, expiresAt }: Plan, now: bigint): boolean =>
    !sameAddress(executor, swapExecutor) ||
    status === 'cancelled' ||
    status === 'revoked' ||
    runs >= maxRuns ||
    now >= expiresAt;

  const everyPlan = createNumberedReader<Plan>(client, {
    count,
    first: { pageSize: WHOLE_PAGE, read: readWhole },
    again: { pageSize: STATES_PAGE, read: readAgain },
    isOver,
  });

  // The registry returns no records for an unknown plan, without an error.
  async function readPlan(planId: bigint): Promise<BarePlan> {
    const answer = await client.readContract(planOf(planId)).catch((error) => {
      const name = contractErrorName(refusalOf(error)?.data);
      throw name === 'plan_unknown' ? new BowlineError('unknown_plan', `There is no plan ${planId}.`) : error;
    });
    return toBarePlan(planId, answer);
  }

  /** The registry keeps no list by owner. Without an owner, the newest IDs follow from the count alone. */
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
        const read = await readInPages(page, PAGE, readPlans);
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

    // Records are append-only, so pages of different blocks fit together.
    runs: (planId, from, to) =>
      asking(async () => {
        const { records } = await readPlan(planId);
        const until = Math.min(to, records);
        const runs: Run[] = [];
        for (let start = from; start < until; start += RECORDS) {
          const args = [planId, BigInt(start), BigInt(Math.min(start + RECORDS, until))] as const;
          const page = await client.readContract({ ...contract, functionName: 'runs', args });
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

const noFunds = { ownerBalance: 0n, ownerAllowance: 0n } as const;

const holdingKey = ({ owner, tokenIn }: BarePlan): string => `${owner}${tokenIn}`;

const statuses: Readonly<Record<number, PlanStatus>> = { 1: 'active', 2: 'paused', 3: 'cancelled' };

function toBarePlan(id: bigint, { terms, state, isRevoked }: PlanOnChain): BarePlan {
  return {
    id,
    ...terms,
    startAt: BigInt(terms.startAt),
    periodSeconds: BigInt(terms.periodSeconds),
    windowSeconds: BigInt(terms.windowSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: isRevoked ? 'revoked' : named(statuses, state.status),
    cursor: BigInt(state.cursor),
    runs: state.runs,
    records: state.records,
    deferrals: state.deferrals,
    lastReason: state.lastReason,
    version: state.version,
  };
}

/** The state as contracts/lens/StatesLens.sol packs it; undefined if the funds could not be read. */
function withState(plan: Plan, { state, more }: StateWords, isPayable: boolean): Plan | undefined {
  const areFundsRead = bits(state, 144n, 8n) === 1n;
  if (isPayable && !areFundsRead) return undefined;
  return {
    ...plan,
    status: bits(state, 136n, 8n) === 1n ? 'revoked' : named(statuses, Number(bits(state, 0n, 8n))),
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
const tagOfTerms = ({ terms }: PlanOnChain): bigint =>
  tagOf(encodeAbiParameters([planItem.outputs[0].components[0]], [terms]));

const outcomes: Readonly<Record<number, Run['outcome']>> = { 1: 'executed', 2: 'deferred' };
const verdicts = inverse<Verdict>(verdictCodes);

function toRun(planId: bigint, record: number, run: RunOnChain): Run {
  // Unknown reason codes are kept as numbers: a plan's executor may write any.
  const reason = reasonOf(run.reason);
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
    version: run.version,
    isAttested: run.isAttested,
    evidencePrefix: run.evidencePrefix,
  };
}

function inverse<Name extends string>(codes: Readonly<Record<Name, number>>): Readonly<Record<number, Name>> {
  return Object.fromEntries(Object.entries<number>(codes).map(([name, code]) => [code, name as Name]));
}

function named<Name>(names: Readonly<Record<number, Name>>, code: number): Name {
  const name = names[code];
  if (name === undefined) throw new UnknownAnswer(`The contract returned an unknown code: ${code}.`);
  return name;
}
