import type { Guard } from '@bowline/core/domain/permissions';
import type { Order } from '@bowline/core/domain/sending';
import type { Address, Hex } from '@bowline/core/domain/units';
import { encodeAbiParameters, encodeErrorResult, encodeEventTopics, size, slice } from 'viem';
import { describe, expect, it } from 'vitest';
import { chainlinkPriceSourceAbi, loanGuardAbi, planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { createCalls, keeperCalls, maxCallBytes } from '../../src/sending/calls.ts';
import { carrying } from '../../src/sending/keeper.ts';
import { carrierGas, gasOf, maxExecuteBytes } from '../../src/sending/wallet/account.ts';
import { duePlan } from '../loops/executor/plans.ts';
import { unsignedGo } from '../unsigned.ts';

const swapExecutor = '0x00000000000000000000000000000000000000a1';
const loanGuard = '0x00000000000000000000000000000000000000b2';
const calls = createCalls({ swapExecutor, loanGuard });
const bounds = { maxGasPriceWei: 5n, rescueMaxGasPriceWei: 20n, maxDayWei: 10n ** 9n };
const allowed = keeperCalls({ swapExecutor, loanGuard }, bounds);

/** The longest possible order: a signature, and a route over two pools. */
const longest: Order = {
  plan: { ...duePlan, id: 2n ** 255n },
  path: `0x${'ff'.repeat(66)}`,
  ticket: unsignedGo(`0x${'ff'.repeat(32)}`),
  signature: `0x${'ff'.repeat(65)}`,
};
const fullBatch = calls.executeBatch(Array<Order>(calls.maxOrders).fill(longest));

describe('the longest batch', () => {
  it('is what the policy allows, and one order more is not', () => {
    expect(size(fullBatch.data)).toBe(maxCallBytes);
    const own = allowed.find(({ selector }) => selector === slice(fullBatch.data, 0, 4));
    expect(own).toMatchObject({ to: swapExecutor, maxGas: fullBatch.gas });
    const short = { ...longest, path: '0x', signature: '0x' } as const;
    expect(calls.executeBatch(Array<Order>(calls.maxOrders + 1).fill(short)).gas).toBeGreaterThan(fullBatch.gas);
  });

  it('stays below 16,000,000 by the key and in an operation of the wallet; one order more would not', () => {
    const inOperation = (gas: bigint, bytes: number) => carrierGas(gasOf(gas, maxExecuteBytes(bytes), true));
    expect(fullBatch.gas).toBeLessThan(16_000_000n);
    expect(inOperation(fullBatch.gas, maxCallBytes)).toBeLessThan(16_000_000n);
    expect(carrying(loanGuard, allowed).maxGas).toBeLessThan(2n ** 24n);
    const longer = calls.executeBatch(Array<Order>(calls.maxOrders + 1).fill(longest));
    expect(inOperation(longer.gas, size(longer.data))).toBeGreaterThan(16_000_000n);
  });
});

describe('failedRuns', () => {
  const event = (planId: bigint, failure: Hex, address: Address = swapExecutor) => ({
    address,
    topics: encodeEventTopics({ abi: swapExecutorAbi, eventName: 'RunFailed', args: { planId } }) as Hex[],
    data: encodeAbiParameters([{ type: 'bytes' }], [failure]),
  });
  const stale = encodeErrorResult({
    abi: chainlinkPriceSourceAbi,
    errorName: 'AnswerStale',
    args: [loanGuard, 1n, 2n, 3n],
  });
  const cut = slice(
    encodeErrorResult({ abi: planRegistryAbi, errorName: 'PriceSourceFailed', args: [loanGuard, stale] }),
    0,
    132,
  );

  it.each<[string, Hex]>([
    ['plan_not_active', encodeErrorResult({ abi: planRegistryAbi, errorName: 'PlanNotActive', args: [2] })],
    ['out_of_gas', '0x'],
    ['answer_stale', cut],
    ['unknown_error', '0x12345678'],
    ['unknown_error', '0x12'],
  ])('%s', (reason, failure) => {
    expect(calls.failedRuns([event(7n, failure)])).toEqual(new Map([[7n, reason]]));
  });

  it('are of this executor alone, whatever else happened in the transaction', () => {
    const other = { ...event(8n, '0x'), topics: [`0x${'1'.repeat(64)}`] as const };
    const events = [event(1n, '0x', loanGuard), event(2n, '0x'), other, { ...other, topics: [] }, event(3n, '0x12')];
    expect([...calls.failedRuns(events).keys()]).toEqual([2n, 3n]);
  });
});

describe('a list of rescues', () => {
  const guard = (id: bigint, keeper?: Address) => ({ id, ...(keeper && { keeper }) }) as Guard;
  const list = calls.rescueMany(Array.from({ length: calls.maxRescues }, (_, at) => guard(2n ** 255n + BigInt(at))));

  it('is what the policy allows at the longest, and one rescue more is not', () => {
    const own = allowed.find(({ selector }) => selector === slice(list.data, 0, 4));
    expect(own).toMatchObject({ to: loanGuard, maxGas: list.gas, maxGasPriceWei: 20n });
    expect(calls.rescueMany(Array<Guard>(calls.maxRescues + 1).fill(guard(1n))).gas).toBeGreaterThan(list.gas);
  });

  it('stays below 16,000,000 by the key and in an operation of the wallet', () => {
    expect(carrierGas(gasOf(list.gas, maxExecuteBytes(size(list.data)), true))).toBeLessThan(16_000_000n);
  });

  it('is for anybody to send if every guard in it is', () => {
    expect(calls.rescueMany([guard(1n), guard(2n)]).byAnybody).toBe(true);
    expect(calls.rescueMany([guard(1n), guard(2n, swapExecutor)]).byAnybody).toBeUndefined();
  });

  it('has failed for the guards that no rescue in the transaction reached', () => {
    const failed = (guardId: bigint, failure: Hex, address: Address = loanGuard) => ({
      address,
      topics: encodeEventTopics({ abi: loanGuardAbi, eventName: 'RescueFailed', args: { guardId } }) as Hex[],
      data: encodeAbiParameters([{ type: 'bytes' }], [failure]),
    });
    const args = { guardId: 3n, borrower: swapExecutor } as const;
    const rescued = {
      address: loanGuard as Address,
      topics: encodeEventTopics({ abi: loanGuardAbi, eventName: 'LoanRescued', args }) as Hex[],
      data: '0x' as const,
    };
    const noDebt = encodeErrorResult({ abi: loanGuardAbi, errorName: 'NoDebt', args: [swapExecutor] });
    const events = [failed(1n, noDebt), failed(2n, '0x'), failed(3n, noDebt), rescued, failed(4n, '0x', swapExecutor)];
    expect(calls.failedRescues([...events, { address: loanGuard, topics: [], data: '0x' }])).toEqual(
      new Map([
        [1n, 'no_debt'],
        [2n, 'out_of_gas'],
      ]),
    );
  });

  it('has rescued with the numbers of its events, by guard', () => {
    const rescued = (guardId: bigint, words: readonly bigint[], address: Address = loanGuard) => {
      const args = { guardId, borrower: swapExecutor } as const;
      return {
        address,
        topics: encodeEventTopics({ abi: loanGuardAbi, eventName: 'LoanRescued', args }) as Hex[],
        data: encodeAbiParameters(
          words.map(() => ({ type: 'uint256' })),
          [...words],
        ),
      };
    };
    const noDebt = 2n ** 128n - 1n;
    const events = [
      rescued(1n, [5n, 6n, 7n, 1n, 0n]),
      rescued(2n, [8n, 9n, noDebt, 2n, 0n]),
      rescued(3n, [1n, 1n, 1n, 1n, 0n], swapExecutor),
      // The contract emits no events like these.
      rescued(4n, [1n]),
      { address: loanGuard as Address, topics: [], data: '0x' as const },
      // A second one in the transaction, by somebody else's call.
      rescued(1n, [50n, 60n, 70n, 2n, 0n]),
    ];
    expect(calls.rescuesMade(events)).toEqual(
      new Map([
        [1n, { repaid: 50n, outcome: 'partial', healthBeforeWad: 60n, healthAfterWad: 70n }],
        [2n, { repaid: 8n, outcome: 'partial', healthBeforeWad: 9n }],
      ]),
    );
    expect(calls.rescuesMade(events.slice(0, 1)).get(1n)?.outcome).toBe('full');
  });
});
