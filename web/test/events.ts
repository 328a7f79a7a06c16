import type { GuardTerms } from '@bowline/chain/drafts/guard';
import type { PlanTerms } from '@bowline/chain/plan';
import { type Address, encodeAbiParameters, encodeEventTopics, getAbiItem, type Hex, pad, zeroAddress } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';

// Logs as the contracts emit them, for fake receipts. Encoded with the contracts' ABIs, not with the page's code.

interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const other = (digit: string): Address => pad(`0x${digit}`, { size: 20 });

export const planTerms = (owner: Address): PlanTerms => ({
  ...{ owner, recipient: owner, executor: other('e1'), verdictSigner: zeroAddress },
  ...{ tokenIn: other('a1'), tokenOut: other('a2'), amountPerRun: 50n, startAt: 1_000, periodSeconds: 86_400 },
  ...{ windowSeconds: 43_200, maxRuns: 3, expiresAt: 999_999, priceSource: other('f1'), limitPriceWad: 7n },
  maxSlippageBps: 100,
  farLimit: false,
  triggerPriceWad: 0n,
});

export const guardTerms = (owner: Address): GuardTerms => ({
  ...{ borrower: owner, funder: owner, adapter: other('ad'), market: pad('0x1234'), keeper: zeroAddress },
  ...{ priceSource: other('f1'), triggerHealthWad: 11n * 10n ** 17n, targetHealthWad: 125n * 10n ** 16n },
  ...{ capPerRescue: 5_000n, capPerDay: 6_000n, minRepay: 10n, cooldownSeconds: 600, expiresAt: 999_999 },
});

/** An event's data: its arguments that are not indexed, in order. */
function dataOf(abi: typeof planRegistryAbi | typeof loanGuardAbi, name: string, values: readonly unknown[]): Hex {
  const { inputs } = getAbiItem({ abi, name } as never) as {
    readonly inputs: readonly { readonly indexed?: boolean }[];
  };
  return encodeAbiParameters(inputs.filter(({ indexed }) => !indexed) as never, values as never);
}

export const planLog = (address: Address, terms: PlanTerms): Log => ({
  address,
  topics: encodeEventTopics({
    ...{ abi: planRegistryAbi, eventName: 'PlanCreated' },
    args: { planId: 9n, owner: terms.owner, executor: terms.executor },
  }) as Hex[],
  data: dataOf(planRegistryAbi, 'PlanCreated', [2n, terms]),
});

export const editLog = (address: Address, planId: bigint, version: bigint, terms: PlanTerms): Log => ({
  address,
  topics: encodeEventTopics({ abi: planRegistryAbi, eventName: 'PlanEdited', args: { planId } }) as Hex[],
  data: dataOf(planRegistryAbi, 'PlanEdited', [version, terms]),
});

export const guardLog = (address: Address, terms: GuardTerms, repayToken: Address): Log => ({
  address,
  topics: encodeEventTopics({
    ...{ abi: loanGuardAbi, eventName: 'GuardRegistered' },
    args: { guardId: 9n, borrower: terms.borrower, funder: terms.funder },
  }) as Hex[],
  data: dataOf(loanGuardAbi, 'GuardRegistered', [terms, repayToken, 2n, 3n]),
});
