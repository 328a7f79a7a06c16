import { listFailure, rescueCall, rescueManyCall, toRescue } from '@bowline/chain/rescue-calls';
import { type GuardContracts, type GuardKey, guardKey, keyAt } from '@bowline/core/domain/guard-key';
import { type EscrowContracts, SETTLE_GAS, SUBMIT_GAS } from '@bowline/core/domain/jobs';
import { RESCUE_GAS, SALE_GAS } from '@bowline/core/domain/lending';
import type { Rescue } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
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
  size,
  slice,
  toFunctionSelector,
} from 'viem';
import { collateralGuardAbi, loanGuardAbi, swapExecutorAbi } from '../../../abis/index.ts';
import type { AllowedCall } from './signing-policy.ts';

// Gas limits are computed from each part's maximum. An estimate is only the minimum for the current state, and a price
// source that runs out of gas looks like a failed one.

/** Does not raise the budget: each run or rescue of a batch has the contract's own, which the limits below assume. */
const CONTRACT_BUDGET = 0n;

/** A run without its swap: two prices of up to 1,000,000 together, two transfers and a record. */
const RUN_GAS = 1_500_000n;
/** A swap through one pool uses 150,000, and more where it crosses ticks. */
const HOP_GAS = 500_000n;
const DEFERRAL_GAS = 250_000n;

/** Gas of one rescue in a list and its overhead, as in LoanGuard's `gasLimitOf(1, 0)`. */
const LISTED_RESCUE_GAS = (2_000_000n * 64n) / 63n + 20_000n;
/**
 * With this many, a list never lacks gas. With more, a few borrowers who make their own rescues expensive could make
 * the whole list run out of gas and revert.
 */
const MAX_RESCUES = 7;
/** The same for CollateralGuard. */
const LISTED_SALE_GAS = (4_000_000n * 64n) / 63n + 20_000n;
/** Four of such lists fit into a block of 55 million gas. */
const MAX_SALES = 3;

/** Gas of one order in a batch and its overhead, as in SwapExecutor's `gasLimitOf(1, 0)`. */
const ORDER_GAS = (1_000_000n * 64n) / 63n + 40_000n;
/** Selector, offset, gas of each run, and the length of the orders. */
const BATCH_BYTES = 100;
/**
 * Per order: its offset, ten words of plan and ticket, two offsets, a 65-byte signature and a route over one to three
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
const MAX_HOPS = 3n;

interface Contracts extends GuardContracts {
  readonly swapExecutor: Address;
}

/** Multiple of the gas price limit for a rescue whose value is known. */
const BY_VALUE = 10n;

/** One borrower's rescues may cost the day's gas divided by this, so this many borrowers can always be rescued. */
export const BORROWERS_A_DAY = 4n;

/** Upper bounds on what the keeper pays for gas. */
export interface GasBounds {
  /** For a run or a deferral. */
  readonly maxGasPriceWei: bigint;
  /** For a rescue of unknown value: when a loan is in danger, everybody else is in a hurry, too. */
  readonly rescueMaxGasPriceWei: bigint;
  /** Per UTC day. Runs and deferrals stop at half of it, so that rescues keep the rest; deferrals alone, and rescues about which nodes disagree, at a tenth. */
  readonly maxDayWei: bigint;
}

/** Multiple of a run's gas price for rescues of unknown value, which are the last to stop when gas is expensive. */
export const gasBoundsOf = (maxGasPriceWei: bigint, maxDayWei: bigint): GasBounds => ({
  maxGasPriceWei,
  rescueMaxGasPriceWei: 4n * maxGasPriceWei,
  maxDayWei,
});

/** The calls built here, as the keeper's signing policy must allow them. */
export const keeperCalls = ({ swapExecutor, ...guards }: Contracts, bounds: GasBounds): AllowedCall[] => {
  const { maxGasPriceWei, maxDayWei } = bounds;
  const run = { to: swapExecutor, maxGasPriceWei, maxDayWei: maxDayWei / 2n };
  return [
    { ...run, selector: selectorOf(swapExecutorAbi, 'execute'), maxGas: RUN_GAS + HOP_GAS * MAX_HOPS },
    { ...run, selector: selectorOf(swapExecutorAbi, 'executeBatch'), maxGas: batchGas(MAX_ORDERS, maxCallBytes) },
    { ...run, selector: DEFER, maxGas: DEFERRAL_GAS, maxOwnDayWei: maxDayWei / 10n },
    ...rescueCalls(guards, bounds),
  ];
};

/** Gas price above which no rescue is made, whatever it saves. */
export const maxRescuePriceWei = ({ rescueMaxGasPriceWei }: Pick<GasBounds, 'rescueMaxGasPriceWei'>): bigint =>
  rescueMaxGasPriceWei * BY_VALUE;

/** The calls that a rescue-only key must be allowed: for one loan and for a list, on each contract. */
export const rescueCalls = (
  { loanGuard, collateralGuard }: GuardContracts,
  { rescueMaxGasPriceWei, maxDayWei }: GasBounds,
): AllowedCall[] => {
  const maxByValueWei = maxRescuePriceWei({ rescueMaxGasPriceWei });
  const prices = { maxGasPriceWei: rescueMaxGasPriceWei, maxByValueWei, maxDayWei, maxDoubtfulDayWei: maxDayWei / 10n };
  const of = (to: Address, abi: Abi, one: bigint, list: bigint): AllowedCall[] => [
    { ...prices, to, selector: selectorOf(abi, 'rescue'), maxGas: one },
    { ...prices, to, selector: selectorOf(abi, 'rescueMany'), maxGas: list },
  ];
  return [
    ...of(loanGuard, loanGuardAbi, RESCUE_GAS, listGas(MAX_RESCUES, listBytes(MAX_RESCUES), LISTED_RESCUE_GAS)),
    ...(collateralGuard
      ? of(collateralGuard, collateralGuardAbi, SALE_GAS, listGas(MAX_SALES, saleBytes(MAX_SALES), LISTED_SALE_GAS))
      : []),
  ];
};

/** Gas of the most expensive rescue of one loan. */
export const rescueGasOf = ({ collateralGuard }: GuardContracts): bigint => (collateralGuard ? SALE_GAS : RESCUE_GAS);

/** Selector, offset, gas of each rescue, and the length of the numbers. */
const listBytes = (rescues: number): number => 100 + 32 * rescues;
/** The same with routes of five words. */
const saleBytes = (rescues: number): number => 164 + 192 * rescues;

const listGas = (rescues: number, bytes: number, gasEach: bigint): bigint =>
  transactionGas(bytes) + BigInt(rescues) * gasEach;

const selectorOf = <const abi extends Abi>(abi: abi, name: ContractFunctionName<abi>): Hex =>
  toFunctionSelector(getAbiItem({ abi: abi as Abi, name }) as AbiFunction);

const DEFER = selectorOf(swapExecutorAbi, 'defer');

/** Whether a call makes runs, rather than recording a deferral or rescuing a loan. */
export const isRunCall = ({ to, data }: Pick<Call, 'to' | 'data'>, { swapExecutor }: Contracts): boolean =>
  sameAddress(to, swapExecutor) && slice(data, 0, 4) !== DEFER;

export function createCalls({ swapExecutor, ...guarding }: Contracts): Calls {
  const run = (data: Hex, gas: bigint, label: string): Call => ({ to: swapExecutor, data, value: 0n, gas, label });
  return {
    maxOrders: MAX_ORDERS,
    execute: ({ plan, path, ticket, signature }) => {
      const args = [plan.id, BigInt(plan.version), ticket, signature, path] as const;
      const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'execute', args });
      return run(data, RUN_GAS + HOP_GAS * hops(path), `execute plan ${plan.id}`);
    },
    executeBatch: (orders) => {
      const args = [orders.map(toOrder), CONTRACT_BUDGET] as const;
      const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'executeBatch', args });
      const label = `execute plans ${orders.map(({ plan }) => plan.id).join(', ')}`;
      return run(data, batchGas(orders.length, size(data)), label);
    },
    failedRuns: (events) => new Map(events.flatMap((event) => failedRun(event, swapExecutor))),
    defer: (plan, reasonCode, ticket, signature) => {
      const args = [plan.id, BigInt(plan.version), reasonCode, ticket, signature] as const;
      const data = encodeFunctionData({ abi: swapExecutorAbi, functionName: 'defer', args });
      return run(data, DEFERRAL_GAS, `defer plan ${plan.id}`);
    },
    rescue: (guard) => ({
      ...rescueCall(guarding, guard),
      value: 0n,
      gas: guard.sale === undefined ? RESCUE_GAS : SALE_GAS,
      label: `rescue by guard ${guardKey(guard)}`,
      mayActLate: true,
      ...(guard.keeper === undefined && { byAnybody: true }),
    }),
    maxRescues: MAX_RESCUES,
    maxSales: MAX_SALES,
    rescueMany: (guards) => {
      const call = rescueManyCall(guarding, guards, CONTRACT_BUDGET);
      const gasEach = guards[0]?.sale === undefined ? LISTED_RESCUE_GAS : LISTED_SALE_GAS;
      return {
        ...call,
        value: 0n,
        gas: listGas(guards.length, size(call.data), gasEach),
        label: `rescue by guards ${guards.map(guardKey).join(', ')}`,
        mayActLate: true,
        ...(guards.every(({ keeper }) => keeper === undefined) && { byAnybody: true }),
      };
    },
    failedRescues: (events) => failedRescues(events, guarding),
    rescuesMade: (events) => new Map(events.flatMap((event) => rescueMade(event, guarding))),
  };
}

const toOrder = ({ plan, path, ticket, signature }: Order) =>
  ({ planId: plan.id, expectedVersion: BigInt(plan.version), ticket, signature, path }) as const;

const [runFailed] = encodeEventTopics({ abi: swapExecutorAbi, eventName: 'RunFailed' });

// Others may emit events in the same transaction; only the operator makes this contract emit.
function failedRun({ address, topics, data }: ChainEvent, swapExecutor: Address): [bigint, string][] {
  if (!sameAddress(address, swapExecutor) || topics[0] !== runFailed) return [];
  const { args } = decodeEventLog({
    abi: swapExecutorAbi,
    eventName: 'RunFailed',
    topics: topics as [Hex, ...Hex[]],
    data,
  });
  return [[args.planId, listFailure(args.failure)]];
}

// Both contracts emit the same event of a failure.
const [rescueFailed] = encodeEventTopics({ abi: loanGuardAbi, eventName: 'RescueFailed' });

const rescued: readonly unknown[] = [
  ...encodeEventTopics({ abi: loanGuardAbi, eventName: 'LoanRescued' }),
  ...encodeEventTopics({ abi: collateralGuardAbi, eventName: 'LoanRescued' }),
];

const keyIn = (guarding: GuardContracts, { address, topics }: ChainEvent): GuardKey | undefined =>
  keyAt(guarding, address, hexToBigInt(topics[1] ?? '0x0'));

/** A loan that anyone rescued in the same transaction is not a failure. */
function failedRescues(events: readonly ChainEvent[], guarding: GuardContracts): Map<GuardKey, string> {
  const own = events.flatMap((event) => {
    const key = keyIn(guarding, event);
    return key === undefined ? [] : [{ key, event, topic: event.topics[0] }];
  });
  const done = new Set(own.filter(({ topic }) => rescued.includes(topic)).map(({ key }) => key));
  return new Map(
    own
      .filter(({ key, topic }) => topic === rescueFailed && !done.has(key))
      .map(({ key, event }) => [key, listFailure(failureOf(event))] as const),
  );
}

function rescueMade(event: ChainEvent, guarding: GuardContracts): [GuardKey, Rescue][] {
  const { topics, data } = event;
  const key = keyIn(guarding, event);
  if (key === undefined || !rescued.includes(topics[0])) return [];
  const log = { eventName: 'LoanRescued', topics: topics as [Hex, ...Hex[]], data } as const;
  try {
    if (typeof key === 'bigint') return [[key, toRescue(decodeEventLog({ abi: loanGuardAbi, ...log }).args)]];
    const { rescue, isCutShort } = decodeEventLog({ abi: collateralGuardAbi, ...log }).args;
    return [[key, toRescue({ ...rescue.repayment, ...rescue }, isCutShort)]];
  } catch {
    // A receipt comes from one node only, and a rescue counts even without its numbers.
    return [];
  }
}

const failureOf = ({ topics, data }: ChainEvent): Hex =>
  decodeEventLog({ abi: loanGuardAbi, eventName: 'RescueFailed', topics: topics as [Hex, ...Hex[]], data }).args
    .failure;

/** The calls built here, as the seller's signing policy must allow them. */
export const sellerCalls = ({ commerce, router }: EscrowContracts, bounds: GasBounds): AllowedCall[] => {
  const { maxGasPriceWei, maxDayWei } = bounds;
  const paid = { maxGasPriceWei, maxDayWei };
  return [
    { ...paid, to: commerce, selector: toFunctionSelector('submit(uint256,bytes32,bytes)'), maxGas: SUBMIT_GAS },
    { ...paid, to: router, selector: toFunctionSelector('settle(uint256,bytes)'), maxGas: SETTLE_GAS },
  ];
};
