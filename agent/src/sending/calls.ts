import type { Calls, ChainEvent, Order } from '@bowline/core/domain/ports';
import type { Address, Hex } from '@bowline/core/domain/units';
import {
  type Abi,
  type AbiFunction,
  type ContractFunctionName,
  decodeEventLog,
  encodeEventTopics,
  encodeFunctionData,
  getAbiItem,
  isAddressEqual,
  padHex,
  size,
  toFunctionSelector,
} from 'viem';
import { loanGuardAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { contractErrorName } from '../chain/contract-error.ts';
import type { AllowedCall } from './signing-policy.ts';

// Gas is computed from what each part may take at most. An estimate is the least with which the call succeeds as things
// stand at that moment, and a price source that is cut off by it looks like one that failed.

/** What a run takes apart from its swap: two prices, which may take 1,000,000, two transfers and a record. */
const RUN_GAS = 1_500_000n;
/** A swap through one pool takes 150,000, and more where it crosses ticks. */
const HOP_GAS = 500_000n;
const DEFERRAL_GAS = 250_000n;
/** 625,000 were measured with five markets; each further one that the borrower has entered takes some 100,000. */
const RESCUE_GAS = 5_000_000n;

/** What each order of a batch is given and what is round it: as in SwapExecutor, `gasLimitOf(1)`. */
const ORDER_GAS = (700_000n * 64n) / 63n + 40_000n;
/** Where the orders stand, and the selector. */
const BATCH_BYTES = 68;
/** Where it stands, ten words of plan and ticket, two offsets, a signature of 65 bytes and a route over one pool or two. */
const MAX_ORDER_BYTES = 21 * 32;
const transactionGas = (bytes: number): bigint => 21_000n + 16n * BigInt(bytes);

/**
 * BNB Chain takes no transaction of more than 2^24 gas, and ours stay below 16,000,000. One more would, too, by the plain key,
 * and not in an operation of the wallet with a transaction round it.
 */
const MAX_ORDERS = 19;
/** Of any call made here. */
export const maxCallBytes = BATCH_BYTES + MAX_ORDERS * MAX_ORDER_BYTES;

const batchGas = (orders: number, bytes: number): bigint => transactionGas(bytes) + BigInt(orders) * ORDER_GAS;

/** A v3 path has a token in front, and 23 bytes for each pool. */
const hops = (path: Hex): bigint => BigInt((path.length - 2) / 2 - 20) / 23n;

/** Routes longer than this are not made. */
const MAX_HOPS = 2n;

interface Contracts {
  readonly swapExecutor: Address;
  readonly loanGuard: Address;
}

/** What the keeper may pay for gas. */
export interface GasBounds {
  /** For a run or a deferral. */
  readonly maxGasPriceWei: bigint;
  /** For a rescue: a loan is in danger when everybody else is in a hurry, too. */
  readonly rescueMaxGasPriceWei: bigint;
  /** In a UTC day. Runs and deferrals stop at half of it, so that they leave something for rescues. */
  readonly maxDayWei: bigint;
}

/** What the keeper's key needs to be allowed for the calls made here. */
export const keeperCalls = ({ swapExecutor, loanGuard }: Contracts, bounds: GasBounds): AllowedCall[] => {
  const { maxGasPriceWei, maxDayWei } = bounds;
  const run = { to: swapExecutor, maxGasPriceWei, maxDayWei: maxDayWei / 2n };
  return [
    { ...run, selector: selectorOf(swapExecutorAbi, 'execute'), maxGas: RUN_GAS + HOP_GAS * MAX_HOPS },
    { ...run, selector: selectorOf(swapExecutorAbi, 'executeBatch'), maxGas: batchGas(MAX_ORDERS, maxCallBytes) },
    { ...run, selector: selectorOf(swapExecutorAbi, 'defer'), maxGas: DEFERRAL_GAS },
    ...rescueCalls({ loanGuard }, bounds),
  ];
};

/** What a key needs to be allowed that makes rescues alone. */
export const rescueCalls = (
  { loanGuard }: Pick<Contracts, 'loanGuard'>,
  { rescueMaxGasPriceWei, maxDayWei }: GasBounds,
): AllowedCall[] => [
  {
    to: loanGuard,
    selector: selectorOf(loanGuardAbi, 'rescue'),
    maxGas: RESCUE_GAS,
    maxGasPriceWei: rescueMaxGasPriceWei,
    maxDayWei,
  },
];

const selectorOf = <const abi extends Abi>(abi: abi, name: ContractFunctionName<abi>): Hex =>
  toFunctionSelector(getAbiItem({ abi: abi as Abi, name }) as AbiFunction);

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
        args: [orders.map(toOrder)],
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
      ...(guard.keeper === undefined && { byAnybody: true }),
    }),
  };
}

const toOrder = ({ plan, path, ticket, signature }: Order) =>
  ({ planId: plan.id, expectedVersion: BigInt(plan.version), ticket, signature, path }) as const;

const [runFailed] = encodeEventTopics({ abi: swapExecutorAbi, eventName: 'RunFailed' });

// Others may have left events in the same transaction. This contract's only its operator brings about.
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

/** An error's name alone is told: of its arguments the contract has kept a part, and nothing stands here for the rest. */
const reasonOf = (failure: Hex): string =>
  failure === '0x' ? 'out_of_gas' : contractErrorName(padHex(failure, { dir: 'right', size: 1_024 }));
