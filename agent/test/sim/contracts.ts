import type { Plan } from '@bowline/core/domain/permissions';
import {
  type Abi,
  type Address,
  type DecodeFunctionDataReturnType,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  parseAbi,
  slice,
  toFunctionSelector,
  toHex,
  zeroAddress,
} from 'viem';
import { entryPoint09Abi, getUserOperationHash, type toPackedUserOperation } from 'viem/account-abstraction';
import { loanGuardAbi, planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { accountAbi, type Operation } from '../../src/sending/wallet/account.ts';
import { borrower, chainId, entryPoint, loanGuard, swapExecutor, wallet } from './addresses.ts';

// The contracts as simple state: what a call changes and emits, and the errors that the agent can meet. Everything else
// about them (amounts, prices, permissions) is tested on their own code.

/** Who may call SwapExecutor: the wallet or the key. */
type Operator = Address;

/** State that a block changes. Copied before each block that has transactions. */
export interface State {
  /** Next transaction nonce, by key. */
  readonly nonces: Map<Address, number>;
  /** Next operation number of the wallet, by nonce key. */
  readonly operations: Map<bigint, bigint>;
  /** By guard: the number of its loan's falls that a rescue has answered. */
  readonly answered: Map<bigint, number>;
  /** By guard. */
  readonly rescues: Map<bigint, readonly RescueRecord[]>;
  /** By plan: start of the next slot that may run. */
  readonly cursors: Map<bigint, bigint>;
  /** By plan. */
  readonly runs: Map<bigint, readonly RunRecord[]>;
  /** By plan: runs and deferrals. */
  readonly records: Map<bigint, readonly PlanRecord[]>;
}

interface RescueRecord {
  readonly time: bigint;
  readonly hash: Hex;
  readonly repaid: bigint;
  /** The rescue was due by the guard's price source. */
  readonly isBySource?: true;
}

interface RunRecord {
  readonly slotStart: bigint;
  readonly time: bigint;
  readonly issuedAt: bigint;
  readonly hash: Hex;
}

interface PlanRecord {
  readonly slotStart: bigint;
  readonly time: bigint;
  /** 0 for a run. */
  readonly reasonCode: number;
}

export const newState = (): State => ({
  nonces: new Map(),
  operations: new Map(),
  answered: new Map(),
  rescues: new Map(),
  cursors: new Map(),
  runs: new Map(),
  records: new Map(),
});

export const copyOf = (state: State): State => ({
  nonces: new Map(state.nonces),
  operations: new Map(state.operations),
  answered: new Map(state.answered),
  rescues: new Map(state.rescues),
  cursors: new Map(state.cursors),
  runs: new Map(state.runs),
  records: new Map(state.records),
});

/** A plan's terms, which nobody edits during a story. Absent fields are as in readers.ts. */
export interface PlanTerms
  extends Partial<
    Pick<Plan, 'owner' | 'amountPerRun' | 'priceSource' | 'maxSlippageBps' | 'limitPriceWad' | 'ownerBalance'>
  > {
  /** Its limit price is never met: every run is refused. */
  readonly isFloorMissed?: true;
  readonly id: bigint;
  readonly startAt: bigint;
  readonly periodSeconds: bigint;
  readonly windowSeconds: bigint;
}

/** What contracts know of the world outside their state, at a block. */
export interface Surroundings {
  readonly operator: Operator;
  readonly plans: readonly PlanTerms[];
  /** How often this guard's loan has fallen below its trigger up to this block. */
  readonly falls: (guardId: bigint) => number;
  readonly time: bigint;
  readonly number: number;
  /** Absent: each fall of a loan allows one rescue. */
  readonly judgeRescue?: JudgeRescue;
}

/** What LoanGuard does when it is asked for a rescue: the amount that it repays, or its error. */
export type JudgeRescue = (state: State, around: Surroundings, guardId: bigint) => JudgedRescue;
type JudgedRescue = Pick<RescueRecord, 'repaid' | 'isBySource'> | { readonly refusal: Hex };

export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  /** Hash of the transaction; absent in a simulation. */
  readonly hash?: Hex;
}

/** A call's effect is undone. */
export class Reverted extends Error {
  readonly data: Hex;
  constructor(data: Hex) {
    super('execution reverted');
    this.data = data;
  }
}

interface Done {
  readonly output: Hex;
  readonly logs: readonly EventLog[];
  /** Number of inner calls that failed: they cost gas and did nothing. */
  readonly failures: number;
  /** Absent: as much as a rescue. */
  readonly gasUsed?: bigint;
}

/** As measured on a fork of BNB Chain, rounded up. */
const [gasOfRun, gasOfDeferral] = [225_000n, 81_000n];

const nothing: Done = { output: '0x', logs: [], failures: 0 };

/** Decodes calls of these functions. viem alone would hash the signature of each of them for every call. */
function decoderOf<const abi extends Abi>(abi: abi) {
  const functions = abi.flatMap((item) =>
    item.type === 'function' ? [[toFunctionSelector(item), [item] as Abi] as const] : [],
  );
  const bySelector = new Map<Hex, Abi>(functions);
  return (data: Hex) =>
    decodeFunctionData({ abi: bySelector.get(slice(data, 0, 4)) ?? abi, data }) as DecodeFunctionDataReturnType<abi>;
}
const decodedLoanGuard = decoderOf(loanGuardAbi);
const decodedExecutor = decoderOf(swapExecutorAbi);
const decodedAccount = decoderOf(accountAbi);

/** Changes `state`, or throws `Reverted` after which `state` must be dropped. */
export function call(state: State, around: Surroundings, asked: Call): Done {
  if (asked.to === loanGuard) return callLoanGuard(state, around, asked);
  if (asked.to === swapExecutor) return callSwapExecutor(state, around, asked);
  if (asked.to === entryPoint) return callEntryPoint(state, around, asked);
  // A transfer of nothing, which a key uses to free its nonce.
  return nothing;
}

const notBelowTrigger = encodeErrorResult({
  abi: loanGuardAbi,
  errorName: 'HealthNotBelowTrigger',
  args: [125n * 10n ** 16n, 11n * 10n ** 17n],
});

export const isDue = (state: State, around: Pick<Surroundings, 'falls'>, guardId: bigint): boolean =>
  around.falls(guardId) > (state.answered.get(guardId) ?? 0);

/** More than the agent's minimum is worth. */
const repaid = 100n * 10n ** 18n;

const judgeByFalls: JudgeRescue = (state, around, guardId) =>
  isDue(state, around, guardId) ? { repaid } : { refusal: notBelowTrigger };

/** What a node that lies about loans says. */
export const lies: Readonly<Record<'healthy' | 'endangered', JudgeRescue>> = {
  healthy: () => ({ refusal: notBelowTrigger }),
  endangered: () => ({ repaid }),
};

function callLoanGuard(state: State, around: Surroundings, { data, hash }: Call): Done {
  const asked = decodedLoanGuard(data);
  const judge = (guardId: bigint) => (around.judgeRescue ?? judgeByFalls)(state, around, guardId);
  if (asked.functionName === 'rescue') {
    const [guardId] = asked.args;
    const judged = judge(guardId);
    if ('refusal' in judged) throw new Reverted(judged.refusal);
    const output = encodeFunctionResult({ abi: loanGuardAbi, functionName: 'rescue', result: judged.repaid });
    return { output, logs: [rescue(state, around, guardId, judged, hash)], failures: 0 };
  }
  if (asked.functionName !== 'rescueMany') throw new Error(`LoanGuard.${asked.functionName} is not modelled`);
  const [guardIds] = asked.args;
  const results = guardIds.map((guardId) => {
    const judged = judge(guardId);
    if ('refusal' in judged) {
      const { refusal: failure } = judged;
      return { log: rescueFailed(guardId, failure), result: { isRescued: false, repaid: 0n, failure } };
    }
    const log = rescue(state, around, guardId, judged, hash);
    return { log, result: { isRescued: true, repaid: judged.repaid, failure: '0x' as const } };
  });
  return {
    output: encodeFunctionResult({
      abi: loanGuardAbi,
      functionName: 'rescueMany',
      result: results.map(({ result }) => result),
    }),
    logs: results.map(({ log }) => log),
    failures: results.filter(({ result }) => !result.isRescued).length,
  };
}

function rescue(
  state: State,
  { falls, time }: Surroundings,
  guardId: bigint,
  done: Pick<RescueRecord, 'repaid' | 'isBySource'>,
  hash: Hex = '0x',
): EventLog {
  state.answered.set(guardId, falls(guardId));
  state.rescues.set(guardId, [...(state.rescues.get(guardId) ?? []), { ...done, time, hash }]);
  const words = [done.repaid, 105n * 10n ** 16n, 125n * 10n ** 16n, 0n, 0n] as const;
  return {
    address: loanGuard,
    topics: encodeEventTopics({ abi: loanGuardAbi, eventName: 'LoanRescued', args: { guardId, borrower } }) as Hex[],
    data: encodeAbiParameters(
      words.map(() => ({ type: 'uint256' })),
      [...words],
    ),
  };
}

const rescueFailed = (guardId: bigint, failure: Hex): EventLog => ({
  address: loanGuard,
  topics: encodeEventTopics({ abi: loanGuardAbi, eventName: 'RescueFailed', args: { guardId } }) as Hex[],
  data: encodeAbiParameters([{ type: 'bytes' }], [failure]),
});

function callSwapExecutor(state: State, around: Surroundings, { from, data, hash }: Call): Done {
  const asked = decodedExecutor(data);
  switch (asked.functionName) {
    case 'operator':
      return {
        ...nothing,
        output: encodeFunctionResult({ abi: swapExecutorAbi, functionName: 'operator', result: around.operator }),
      };
    case 'execute': {
      onlyOperator(around, from);
      const [planId, , ticket] = asked.args;
      run(state, around, planId, ticket, hash);
      return { ...nothing, gasUsed: gasOfRun };
    }
    case 'executeBatch': {
      onlyOperator(around, from);
      const results = asked.args[0].map(({ planId, ticket }) => {
        try {
          run(state, around, planId, ticket, hash);
          return { planId, isExecuted: true, amountOut: 1n, failure: '0x' as Hex };
        } catch (error) {
          if (!(error instanceof Reverted)) throw error;
          return { planId, isExecuted: false, amountOut: 0n, failure: error.data };
        }
      });
      const failed = results.filter(({ isExecuted }) => !isExecuted);
      return {
        output: encodeFunctionResult({ abi: swapExecutorAbi, functionName: 'executeBatch', result: results }),
        logs: failed.map(({ planId, failure }) => ({
          address: swapExecutor,
          topics: encodeEventTopics({ abi: swapExecutorAbi, eventName: 'RunFailed', args: { planId } }) as Hex[],
          data: encodeAbiParameters([{ type: 'bytes' }], [failure]),
        })),
        failures: failed.length,
        gasUsed: gasOfRun * BigInt(results.length),
      };
    }
    case 'defer': {
      onlyOperator(around, from);
      const [planId, , reasonCode] = asked.args;
      defer(state, around, planId, reasonCode);
      return { ...nothing, gasUsed: gasOfDeferral };
    }
    default:
      throw new Error(`SwapExecutor.${asked.functionName} is not modelled`);
  }
}

function onlyOperator({ operator }: Surroundings, from: Address): void {
  if (from === operator) return;
  throw new Reverted(encodeErrorResult({ abi: swapExecutorAbi, errorName: 'NotOperator', args: [from] }));
}

/** Like PlanRegistry: once per slot, from its start to the end of its window. */
function run(
  state: State,
  { plans, time }: Surroundings,
  planId: bigint,
  { issuedAt }: { readonly issuedAt: bigint },
  hash: Hex = '0x',
): void {
  const { plan, slotStart } = openSlot(state, plans, planId, time);
  if (plan.isFloorMissed) refuse('FloorNotMet', [1n, 2n]);
  state.cursors.set(planId, slotStart + plan.periodSeconds);
  state.runs.set(planId, [...(state.runs.get(planId) ?? []), { slotStart, time, issuedAt, hash }]);
  record(state, planId, { slotStart, time, reasonCode: 0 });
}

/** Like PlanRegistry: in an open slot, and never for the same reason twice in a row. */
function defer(state: State, { plans, time }: Surroundings, planId: bigint, reasonCode: number): void {
  const { slotStart } = openSlot(state, plans, planId, time);
  const ofSlot = (state.records.get(planId) ?? []).filter((each) => each.slotStart === slotStart);
  if (ofSlot.at(-1)?.reasonCode === reasonCode) refuse('ReasonRepeated', [BigInt(reasonCode)]);
  if (ofSlot.length >= 4) refuse('DeferralsUsedUp', [BigInt(ofSlot.length)]);
  state.cursors.set(planId, slotStart);
  record(state, planId, { slotStart, time, reasonCode });
}

function openSlot(state: State, plans: Surroundings['plans'], planId: bigint, time: bigint) {
  // Plans are numbered from 1.
  const plan = plans[Number(planId) - 1];
  if (plan?.id !== planId) throw new Error(`There is no plan ${planId}.`);
  const slotStart = time - ((time - plan.startAt) % plan.periodSeconds);
  const cursor = state.cursors.get(planId) ?? plan.startAt;
  if (slotStart < cursor) refuse('SlotUsed', [slotStart, cursor]);
  if (time - slotStart >= plan.windowSeconds) refuse('SlotClosed', [slotStart + plan.windowSeconds, time]);
  return { plan, slotStart };
}

type RegistryError = 'SlotUsed' | 'SlotClosed' | 'FloorNotMet' | 'ReasonRepeated' | 'DeferralsUsedUp';

function refuse(errorName: RegistryError, args: readonly bigint[]): never {
  throw new Reverted(encodeErrorResult({ abi: planRegistryAbi as Abi, errorName, args }));
}

const record = ({ records }: State, planId: bigint, made: PlanRecord): void =>
  void records.set(planId, [...(records.get(planId) ?? []), made]);

const depositAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);
const decodedEntryPoint = decoderOf([...entryPoint09Abi, ...depositAbi]);
/** More than a story spends. */
const ampleWei = 10n ** 20n;

function callEntryPoint(state: State, around: Surroundings, { data, hash }: Call): Done {
  const asked = decodedEntryPoint(data);
  switch (asked.functionName) {
    case 'getNonce': {
      const [, key] = asked.args;
      return { ...nothing, output: toHex((key << 64n) | numberOf(state, key), { size: 32 }) };
    }
    case 'balanceOf':
      return { ...nothing, output: toHex(ampleWei, { size: 32 }) };
    case 'handleOps':
      return handleOps(state, around, asked.args[0] as readonly PackedOperation[], hash);
    default:
      throw new Error(`EntryPoint.${asked.functionName} is not modelled`);
  }
}

const numberOf = (state: State, key: bigint): bigint => state.operations.get(key) ?? 0n;

type PackedOperation = ReturnType<typeof toPackedUserOperation>;

/** One operation with a used or future number makes the whole transaction fail; a failing call inside does not. */
function handleOps(
  state: State,
  around: Surroundings,
  packed: readonly PackedOperation[],
  hash: Hex | undefined,
): Done {
  for (const [at, { nonce }] of packed.entries()) {
    const [key, number] = [nonce >> 64n, nonce & ((1n << 64n) - 1n)];
    if (numberOf(state, key) !== number) {
      const args = [BigInt(at), 'AA25 invalid account nonce'] as const;
      throw new Reverted(encodeErrorResult({ abi: entryPoint09Abi, errorName: 'FailedOp', args }));
    }
    state.operations.set(key, number + 1n);
  }
  const parts = packed.map((each) => execute(state, around, each, hash));
  return {
    output: '0x',
    logs: parts.flatMap(({ logs }) => logs),
    failures: parts.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** The account's one call, and the event that reports it. */
function execute(state: State, around: Surroundings, packed: PackedOperation, hash: Hex | undefined): Done {
  const { args } = decodedAccount(packed.callData);
  const [to, , data] = args;
  const kept = copyOf(state);
  let inner: Done | undefined;
  try {
    const asked = { from: wallet, to: to.toLowerCase() as Address, data };
    inner = data === '0x' ? nothing : call(state, around, hash === undefined ? asked : { ...asked, hash });
  } catch (error) {
    if (!(error instanceof Reverted)) throw error;
    Object.assign(state, kept);
  }
  const event = {
    address: entryPoint,
    topics: encodeEventTopics({
      abi: entryPoint09Abi,
      eventName: 'UserOperationEvent',
      args: { userOpHash: operationHash(unpacked(packed)), sender: wallet, paymaster: zeroAddress },
    }) as Hex[],
    data: encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
      [packed.nonce, inner !== undefined, operationGas * gasPriceOf(packed), operationGas],
    ),
  };
  return { output: '0x', logs: [...(inner?.logs ?? []), event], failures: inner?.failures ?? 1 };
}

const operationGas = 700_000n;
/** Two numbers of 16 bytes each. */
const halves = (packed: Hex): [bigint, bigint] => [BigInt(packed.slice(0, 34)), BigInt(`0x${packed.slice(34)}`)];
const gasPriceOf = ({ gasFees }: PackedOperation): bigint => halves(gasFees)[1];

function unpacked(packed: PackedOperation): Operation {
  const [verificationGasLimit, callGasLimit] = halves(packed.accountGasLimits);
  const [maxPriorityFeePerGas, maxFeePerGas] = halves(packed.gasFees);
  return { ...packed, verificationGasLimit, callGasLimit, maxPriorityFeePerGas, maxFeePerGas };
}

export const operationHash = (userOperation: Operation): Hex =>
  getUserOperationHash({ chainId, entryPointAddress: entryPoint, entryPointVersion: '0.9', userOperation });
