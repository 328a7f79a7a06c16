import { contractErrorName } from '@bowline/chain/contract-error';
import { toRescue } from '@bowline/chain/records';
import { RESCUE_GAS } from '@bowline/core/domain/lending';
import type { Rescue } from '@bowline/core/domain/permissions';
import type { Call, Calls, ChainEvent, Order } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import {
  type Abi,
  type AbiFunction,
  type ContractFunctionName,
  decodeEventLog,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  hexToBigInt,
  isAddressEqual,
  padHex,
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import { loanGuardAbi, swapExecutorAbi } from '../../../abis/index.ts';
import type { AllowedCall } from './signing-policy.ts';

// Gas limits are computed from each part's maximum. An estimate is only the minimum for the current state, and a price
// source that runs out of gas looks like a failed one.

/** Raises no budget: each run or rescue of a batch has the contract's own, for which the limits below are computed. */
const CONTRACT_BUDGET = 0n;

/** A run without its swap: two prices of up to 1,000,000 together, two transfers and a record. */
const RUN_GAS = 1_500_000n;
/** A swap through one pool uses 150,000, and more where it crosses ticks. */
const HOP_GAS = 500_000n;
const DEFERRAL_GAS = 250_000n;

/** Gas of one rescue in a list and its overhead, as in LoanGuard's `gasLimitOf(1, 0)`. */
const LISTED_RESCUE_GAS = (2_000_000n * 64n) / 63n + 20_000n;
/**
 * With these, a list never lacks gas. With more, a few borrowers who make their own rescues dear could make the whole list
 * revert for want of gas.
 */
const MAX_RESCUES = 7;
/** Selector, offset, gas of each rescue, and the length of the numbers. */
const listBytes = (rescues: number): number => 100 + 32 * rescues;

/** Gas of one order in a batch and its overhead, as in SwapExecutor's `gasLimitOf(1, 0)`. */
const ORDER_GAS = (1_000_000n * 64n) / 63n + 40_000n;
/** Selector, offset, gas of each run, and the length of the orders. */
const BATCH_BYTES = 100;
/**
 * Per order: its offset, ten words of plan and ticket, two offsets, a 65-byte signature and a route over one or two
 * pools.
 */
const MAX_ORDER_BYTES = 21 * 32;
const transactionGas = (bytes: number): bigint => 21_000n + 16n * BigInt(bytes);

/**
 * BNB Chain accepts at most 2^24 gas per transaction, and ours stay below 16,000,000, also as a wallet operation inside a
 * transaction.
 */
const MAX_ORDERS = 14;
/** Maximum calldata of any call built here. */
export const maxCallBytes = BATCH_BYTES + MAX_ORDERS * MAX_ORDER_BYTES;

const batchGas = (orders: number, bytes: number): bigint => transactionGas(bytes) + BigInt(orders) * ORDER_GAS;

/** A v3 path starts with a token and has 23 bytes per pool. */
const hops = (path: Hex): bigint => BigInt((path.length - 2) / 2 - 20) / 23n;

/** Maximum number of pools in a route. */
const MAX_HOPS = 2n;

interface Contracts {
  readonly swapExecutor: Address;
  readonly loanGuard: Address;
}

/** Upper bounds of what the keeper pays for gas. */
export interface GasBounds {
  /** For a run or a deferral. */
  readonly maxGasPriceWei: bigint;
  /** For a rescue: when a loan is in danger, everybody else is in a hurry, too. */
  readonly rescueMaxGasPriceWei: bigint;
  /** Per UTC day. Runs and deferrals stop at half of it, so that rescues keep the rest; deferrals alone at a tenth. */
  readonly maxDayWei: bigint;
}

/** The calls built here, as the keeper's signing policy must allow them. */
export const keeperCalls = ({ swapExecutor, loanGuard }: Contracts, bounds: GasBounds): AllowedCall[] => {
  const { maxGasPriceWei, maxDayWei } = bounds;
  const run = { to: swapExecutor, maxGasPriceWei, maxDayWei: maxDayWei / 2n };
  return [
    { ...run, selector: selectorOf(swapExecutorAbi, 'execute'), maxGas: RUN_GAS + HOP_GAS * MAX_HOPS },
    { ...run, selector: selectorOf(swapExecutorAbi, 'executeBatch'), maxGas: batchGas(MAX_ORDERS, maxCallBytes) },
    { ...run, selector: DEFER, maxGas: DEFERRAL_GAS, maxOwnDayWei: maxDayWei / 10n },
    ...rescueCalls({ loanGuard }, bounds),
  ];
};

/** The calls that a key for rescues alone must be allowed: for one loan, and for a list. */
export const rescueCalls = (
  { loanGuard }: Pick<Contracts, 'loanGuard'>,
  { rescueMaxGasPriceWei, maxDayWei }: GasBounds,
): [AllowedCall, AllowedCall] => {
  const rescue = { to: loanGuard, maxGasPriceWei: rescueMaxGasPriceWei, maxDayWei };
  return [
    { ...rescue, selector: selectorOf(loanGuardAbi, 'rescue'), maxGas: RESCUE_GAS },
    { ...rescue, selector: selectorOf(loanGuardAbi, 'rescueMany'), maxGas: listGas(MAX_RESCUES) },
  ];
};

const listGas = (rescues: number): bigint => transactionGas(listBytes(rescues)) + BigInt(rescues) * LISTED_RESCUE_GAS;

const selectorOf = <const abi extends Abi>(abi: abi, name: ContractFunctionName<abi>): Hex =>
  toFunctionSelector(getAbiItem({ abi: abi as Abi, name }) as AbiFunction);

const DEFER = selectorOf(swapExecutorAbi, 'defer');

/** Whether a call makes runs, rather than recording a deferral or rescuing a loan. */
export const isRunCall = ({ to, data }: Pick<Call, 'to' | 'data'>, { swapExecutor }: Contracts): boolean =>
  isAddressEqual(to, swapExecutor) && slice(data, 0, 4) !== DEFER;

export function createCalls({ swapExecutor, loanGuard }: Contracts): Calls {
  return {
    maxOrders: MAX_ORDERS,
    execute: ({ plan, path, ticket, signature }) => ({
      to: swapExecutor,
      data: encodeFunctionData({
        abi: swapExecutorAbi,
        functionName: 'execute',
        args: [plan.id, BigInt(plan.version), ticket, signature, path],
      }),
      value: 0n,
      gas: RUN_GAS + HOP_GAS * hops(path),
      label: `execute plan ${plan.id}`,
    }),
    executeBatch: (orders) => {
      const data = encodeFunctionData({
        abi: swapExecutorAbi,
        functionName: 'executeBatch',
        args: [orders.map(toOrder), CONTRACT_BUDGET],
      });
      return {
        to: swapExecutor,
        data,
        value: 0n,
        gas: batchGas(orders.length, size(data)),
        label: `execute plans ${orders.map(({ plan }) => plan.id).join(', ')}`,
      };
    },
    failedRuns: (events) => new Map(events.flatMap((event) => failedRun(event, swapExecutor))),
    defer: (plan, reasonCode, ticket, signature) => ({
      to: swapExecutor,
      data: encodeFunctionData({
        abi: swapExecutorAbi,
        functionName: 'defer',
        args: [plan.id, BigInt(plan.version), reasonCode, ticket, signature],
      }),
      value: 0n,
      gas: DEFERRAL_GAS,
      label: `defer plan ${plan.id}`,
    }),
    rescue: (guard) => ({
      to: loanGuard,
      data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'rescue', args: [guard.id] }),
      value: 0n,
      gas: RESCUE_GAS,
      label: `rescue by guard ${guard.id}`,
      mayActLate: true,
      ...(guard.keeper === undefined && { byAnybody: true }),
    }),
    maxRescues: MAX_RESCUES,
    rescueMany: (guards) => ({
      to: loanGuard,
      data: encodeFunctionData({
        abi: loanGuardAbi,
        functionName: 'rescueMany',
        args: [guards.map(({ id }) => id), CONTRACT_BUDGET],
      }),
      value: 0n,
      gas: listGas(guards.length),
      label: `rescue by guards ${guards.map(({ id }) => id).join(', ')}`,
      mayActLate: true,
      ...(guards.every(({ keeper }) => keeper === undefined) && { byAnybody: true }),
    }),
    failedRescues: (events) => failedRescues(events, loanGuard),
    rescuesMade: (events) => new Map(events.flatMap((event) => rescueMade(event, loanGuard))),
  };
}

const toOrder = ({ plan, path, ticket, signature }: Order) =>
  ({ planId: plan.id, expectedVersion: BigInt(plan.version), ticket, signature, path }) as const;

const [runFailed] = encodeEventTopics({ abi: swapExecutorAbi, eventName: 'RunFailed' });

// Others may emit events in the same transaction; only the operator makes this contract emit.
function failedRun({ address, topics, data }: ChainEvent, swapExecutor: Address): [bigint, string][] {
  if (!isAddressEqual(address, swapExecutor) || topics[0] !== runFailed) return [];
  const { args } = decodeEventLog({
    abi: swapExecutorAbi,
    eventName: 'RunFailed',
    topics: topics as [Hex, ...Hex[]],
    data,
  });
  return [[args.planId, reasonOf(args.failure)]];
}

const [rescueFailed] = encodeEventTopics({ abi: loanGuardAbi, eventName: 'RescueFailed' });

const [loanRescued] = encodeEventTopics({ abi: loanGuardAbi, eventName: 'LoanRescued' });

/** Anybody may rescue in the same transaction: a loan that was rescued there is no failure, whoever did it. */
function failedRescues(events: readonly ChainEvent[], loanGuard: Address): Map<bigint, string> {
  const own = events.filter(({ address }) => isAddressEqual(address, loanGuard));
  const idOf = ({ topics }: ChainEvent) => hexToBigInt(topics[1] ?? '0x0');
  const failed = own
    .filter(({ topics }) => topics[0] === rescueFailed)
    .map((event) => [idOf(event), reasonOf(failureOf(event))] as const);
  const rescued = new Set(own.filter(({ topics }) => topics[0] === loanRescued).map(idOf));
  return new Map(failed.filter(([id]) => !rescued.has(id)));
}

function rescueMade({ address, topics, data }: ChainEvent, loanGuard: Address): [bigint, Rescue][] {
  if (!isAddressEqual(address, loanGuard) || topics[0] !== loanRescued) return [];
  try {
    const log = { topics: topics as [Hex, ...Hex[]], data };
    const { args } = decodeEventLog({ abi: loanGuardAbi, eventName: 'LoanRescued', ...log });
    return [[args.guardId, toRescue(args)]];
  } catch {
    // A receipt is one node's word, and a rescue stands without its numbers.
    return [];
  }
}

const failureOf = ({ topics, data }: ChainEvent): Hex =>
  decodeEventLog({ abi: loanGuardAbi, eventName: 'RescueFailed', topics: topics as [Hex, ...Hex[]], data }).args
    .failure;

/** Returns the error's name alone: the contract keeps only part of the arguments, and they are not needed. */
const reasonOf = (failure: Hex): string =>
  failure === '0x' ? 'out_of_gas' : contractErrorName(padHex(failure, { dir: 'right', size: 1_024 }));
