import type { Address, Hex } from '@bowline/core/domain/units';
import { encodeFunctionData, size } from 'viem';
import { describe, expect, it } from 'vitest';
import { keeperCalls } from '../../../src/sending/calls.ts';
import { accountAbi, gasOf, maxWei, type Operation } from '../../../src/sending/wallet/account.ts';
import { brokenOperationRule, type OperationPolicy } from '../../../src/sending/wallet/operation-policy.ts';

const account = '0x00000000000000000000000000000000000000aa';
const other = '0x00000000000000000000000000000000000000bb';
const swapExecutor = '0x00000000000000000000000000000000000000a1';
const loanGuard = '0x00000000000000000000000000000000000000b2';
const bounds = { maxGasPriceWei: 5n, rescueMaxGasPriceWei: 20n, maxDayWei: 10n ** 9n };
const calls = keeperCalls({ swapExecutor, loanGuard }, bounds);
const creation = { factory: '0x00000000000000000000000000000000000000fa', factoryData: '0x1234' } as const;
const policy: OperationPolicy = { account, creation, calls: { chainId: 56, calls } };
const callGas = 200_000n;

const run = calls[0]?.selector ?? '0x';
const execute = (to: Address, data: Hex, value = 0n): Hex =>
  encodeFunctionData({ abi: accountAbi, functionName: 'execute', args: [to, value, data] });
const told = execute(swapExecutor, run);
/** Gas for an account that exists. */
const gas = gasOf(callGas, size(told), true);
const operation = (changes: Partial<Operation> = {}): Operation => ({
  sender: account,
  nonce: 0n,
  callData: told,
  ...gasOf(callGas, size(changes.callData ?? told), true),
  maxFeePerGas: 5n,
  maxPriorityFeePerGas: 5n,
  signature: '0x',
  ...changes,
});
const rule = (changes: Partial<Operation> = {}, paid = 0n, chainId = 56) =>
  brokenOperationRule(policy, chainId, operation(changes), callGas, paid, 0n);

describe('AG-9: what the wallet signs', () => {
  it('is the calls that are named, and nothing', () => {
    expect(rule()).toBeUndefined();
    expect(rule({ callData: execute(account, '0x') })).toBeUndefined();
    expect(rule({ ...creation })).toBeUndefined();
  });

  it.each<[string, Partial<Operation>]>([
    ['sender', { sender: other }],
    ['paymaster', { paymaster: other }],
    ['factory', { factory: other, factoryData: creation.factoryData }],
    ['factory', { factory: creation.factory, factoryData: '0x5678' }],
    ['account_call', { callData: '0x' }],
    ['account_call', { callData: `0xb61d27f6` }],
    ['account_call', { callData: `0x34fcd5be${'0'.repeat(128)}` }],
    ['target', { callData: execute(other, run) }],
    ['target', { callData: execute(account, run) }],
    ['selector', { callData: execute(swapExecutor, '0x12345678') }],
    ['value', { callData: execute(swapExecutor, run, 1n) }],
    ['target', { callData: execute(account, '0x', 1n) }],
    ['gas', { callGasLimit: gas.callGasLimit + 1n }],
    ['verification_gas', { verificationGasLimit: gasOf(callGas, size(told), false).verificationGasLimit + 1n }],
    ['verification_gas', { preVerificationGas: gas.preVerificationGas + 1n }],
    ['gas_price', { maxFeePerGas: 6n, maxPriorityFeePerGas: 6n }],
    ['gas_price', { maxPriorityFeePerGas: 6n }],
    ['gas_price', { callData: execute(account, '0x'), maxFeePerGas: 21n }],
  ])('is not %s: %o', (broken, changes) => {
    expect(rule(changes)).toBe(broken);
  });

  it('AG-393: is a rescue at the price that it is worth', () => {
    const selector = calls.find(({ to }) => to === loanGuard)?.selector ?? '0x';
    const rescue = operation({ callData: execute(loanGuard, selector), maxFeePerGas: 30n });
    const at = (worth?: bigint) =>
      brokenOperationRule(policy, 56, rescue, callGas, 0n, 0n, worth === undefined ? {} : { maxGasPriceWei: worth });
    expect([at(), at(30n), at(29n)]).toEqual(['gas_price', undefined, 'not_worth_gas']);
  });

  it('is of this chain', () => {
    expect(rule({}, 0n, 97)).toBe('chain_id');
    expect(rule({ callData: execute(account, '0x') }, 0n, 97)).toBe('chain_id');
  });

  it('counts all that the operation can cost against the day', () => {
    const most = maxWei(operation());
    expect(rule({}, 10n ** 9n / 2n - most)).toBeUndefined();
    expect(rule({}, 10n ** 9n / 2n - most + 1n)).toBe('gas_day');
    const nothing = { callData: execute(account, '0x') };
    const maxOfNothing = maxWei(operation(nothing));
    expect(rule(nothing, 10n ** 9n - maxOfNothing)).toBeUndefined();
    expect(rule(nothing, 10n ** 9n - maxOfNothing + 1n)).toBe('gas_day');
  });
});
