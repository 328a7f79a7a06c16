import { encodeErrorResult, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import { chainlinkPriceSourceAbi, loanGuardAbi, planRegistryAbi, swapExecutorAbi } from '../../../abis/index.ts';
import { contractErrorName } from '../contract-error.ts';

const someone = '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c';
const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: ['ask me'] });
const failed = (reason: `0x${string}`) =>
  encodeErrorResult({ abi: planRegistryAbi, errorName: 'PriceSourceFailed', args: [someone, reason] });

describe('contractErrorName', () => {
  it.each([
    ['slot_used', encodeErrorResult({ abi: planRegistryAbi, errorName: 'SlotUsed', args: [1n, 2n] })],
    ['not_operator', encodeErrorResult({ abi: swapExecutorAbi, errorName: 'NotOperator', args: [someone] })],
    [
      'health_not_below_trigger',
      encodeErrorResult({ abi: loanGuardAbi, errorName: 'HealthNotBelowTrigger', args: [2n, 1n] }),
    ],
    [
      'safe_erc20_failed_operation',
      encodeErrorResult({ abi: loanGuardAbi, errorName: 'SafeERC20FailedOperation', args: [someone] }),
    ],
    [
      'answer_stale',
      failed(
        encodeErrorResult({
          abi: chainlinkPriceSourceAbi,
          errorName: 'AnswerStale',
          args: [someone, 1n, 2n, 3n],
        }),
      ),
    ],
    ['price_source_failed', failed('0x')],
    ['price_source_failed', failed(text)],
    ['panic', encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), errorName: 'Panic', args: [17n] })],
    ['floor_not_met', encodeErrorResult({ abi: planRegistryAbi, errorName: 'FloorNotMet', args: [1n, 2n] })],
    ['unknown_error', text],
    ['unknown_error', '0x12345678'],
    ['unknown_error', '0x'],
    ['unknown_error', undefined],
  ] as const)('%s', (name, data) => {
    expect(contractErrorName(data)).toBe(name);
  });
});
