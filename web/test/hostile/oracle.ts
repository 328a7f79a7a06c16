import {
  type Abi,
  type Address,
  type ContractFunctionName,
  decodeFunctionData,
  decodeFunctionResult,
  type Hex,
  isAddressEqual,
  parseAbi,
} from 'viem';
import { lendingMarketAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Told } from './node.ts';

// What must have been told for the page to be allowed a word, decided apart from the page's own code.

const erc20 = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
]);

/** The good answers of one function among those that were told, with what was asked. */
function answersOf<const abi extends Abi>(told: readonly Told[], abi: abi, name: ContractFunctionName<abi>) {
  return told.flatMap(({ target, data, isOk, answer }) => {
    if (!isOk) return [];
    try {
      const { functionName, args } = decodeFunctionData({ abi: abi as Abi, data });
      if (functionName !== name) return [];
      return [{ target, args, value: decodeFunctionResult({ abi: abi as Abi, functionName, data: answer }) }];
    } catch {
      return [];
    }
  });
}

interface Guard {
  readonly terms: { readonly funder: Address; readonly minRepay: bigint; readonly expiresAt: number };
  readonly repayToken: Address;
  readonly state: { readonly status: number };
  readonly isRevoked: boolean;
}

/**
 * Whether what was told allows "guarded": some guard was said to be active and unexpired, its funder to hold and to have
 * approved its least repayment, and the market to take its token. Without all of these no rescue is possible.
 * @param time of the block, unix seconds.
 */
export function mayBeGuarded(told: readonly Told[], loanGuard: Address, time: bigint): boolean {
  const guards = answersOf(told, loanGuardAbi, 'guard').map(({ value }) => value as Guard);
  const tokens = answersOf(told, lendingMarketAbi, 'repayToken').map(({ value }) => value as Address);
  const debts = answersOf(told, lendingMarketAbi, 'accrueAndRead').map(({ value }) => value as { debtValue: bigint });
  const held = answersOf(told, erc20, 'balanceOf');
  const allowed = answersOf(told, erc20, 'allowance').filter(({ args }) => args?.[1] === loanGuard);
  const has = (of: typeof held, { terms, repayToken }: Guard) =>
    of.some(
      ({ target, args, value }) =>
        isAddressEqual(target, repayToken) &&
        isAddressEqual(args?.[0] as Address, terms.funder) &&
        (value as bigint) >= terms.minRepay,
    );
  return guards.some(
    (guard) =>
      guard.state.status === 1 &&
      !guard.isRevoked &&
      BigInt(guard.terms.expiresAt) > time &&
      tokens.some((token) => isAddressEqual(token, guard.repayToken)) &&
      debts.some(({ debtValue }) => debtValue > 0n) &&
      has(held, guard) &&
      has(allowed, guard),
  );
}

/** Whether some allowance was told, or could not be. */
export function isSomethingApproved(told: readonly Told[]): boolean {
  const selector: Hex = '0xdd62ed3e';
  return told.some(
    ({ data, isOk, answer }) => data.startsWith(selector) && (!isOk || /[1-9a-f]/.test(answer.slice(2))),
  );
}
