import { expiryOf, PLAN_SLIPPAGE_BPS, windowSecondsOf } from '@bowline/core/domain/defaults';
import type { PlanOptions } from '@bowline/core/domain/permission-drafts';
import { WAD } from '@bowline/core/domain/units';
import type { ContractFunctionArgs, Hex, TypedDataDefinition } from 'viem';
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import { planRegistryAbi, revocationsAbi } from '../../../abis/index.ts';
import type { Call } from '../try-as.ts';
import { addressOf } from './address.ts';
import { baseUnits } from './base-units.ts';
import { assetOf, type Deployment } from './deployment.ts';
import { epochOf, onceWithin, type Reader, structsOf } from './signed.ts';

export type { PlanOptions } from '@bowline/core/domain/permission-drafts';

/** IPlanRegistry.Terms. */
export type PlanTerms = ContractFunctionArgs<typeof planRegistryAbi, 'nonpayable', 'create'>[0];
/** IPlanRegistry.Creation: what an owner signs so that anybody may create the plans. */
export type Creation = ContractFunctionArgs<typeof planRegistryAbi, 'nonpayable', 'createBySignature'>[0];

/**
 * The terms of a plan, as its owner would sign them.
 * @throws Error with one line that names the option that cannot be used. The registry checks its own bounds when the
 *   call is simulated.
 */
export function draftPlan(deployment: Deployment, options: PlanOptions): PlanTerms {
  const { periodSeconds, maxRuns } = options;
  const owner = addressOf('owner', options.owner);
  const { contracts } = deployment;
  const pay = assetOf(deployment, options.pay);
  const buy = assetOf(deployment, options.buy);
  for (const name of ['periodSeconds', 'maxRuns'] as const) {
    if (!Number.isSafeInteger(options[name]) || options[name] < 1)
      throw new Error(`${name} must be a whole number above zero.`);
  }
  const wadOf = (name: 'limitPrice' | 'triggerPrice'): bigint =>
    options[name] === undefined
      ? 0n
      : (baseUnits(name, options[name], pay.decimals) * WAD) / 10n ** BigInt(buy.decimals);
  const startAt = options.startAt ?? Math.floor(Date.now() / 1_000);
  return {
    owner,
    recipient: addressOf('recipient', options.recipient ?? owner),
    executor: contracts.swapExecutor,
    verdictSigner: addressOf('verdictSigner', options.verdictSigner ?? zeroAddress),
    tokenIn: pay.address,
    tokenOut: buy.address,
    amountPerRun: baseUnits('amountPerRun', options.amountPerRun, pay.decimals),
    startAt,
    periodSeconds,
    windowSeconds:
      options.windowSeconds ??
      windowSecondsOf(periodSeconds, (options.limitPrice ?? options.triggerPrice) !== undefined),
    maxRuns,
    expiresAt: options.expiresAt ?? expiryOf(startAt, periodSeconds, maxRuns),
    priceSource: contracts.chainlinkPriceSource,
    // Rounded down, against the trade.
    limitPriceWad: wadOf('limitPrice'),
    maxSlippageBps: options.maxSlippageBps ?? PLAN_SLIPPAGE_BPS,
    // Chainlink's price bounds the plan, so that its limit price need not.
    farLimit: false,
    triggerPriceWad: wadOf('triggerPrice'),
  };
}

/** The owner's call that creates the plan. */
export const createCall = ({ contracts }: Deployment, terms: PlanTerms): Call => ({
  to: contracts.planRegistry,
  data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }),
});

/**
 * The owner's call that lets the registry take what the plans need for all their runs, and nothing beyond.
 * @param others base units of the token that other plans of the owner still need: an approval replaces the earlier one.
 */
export function approveCall({ contracts }: Deployment, plans: readonly PlanTerms[], others: bigint): Call {
  const [first] = plans;
  if (first === undefined) throw new Error('An approval needs at least one plan.');
  if (plans.some(({ tokenIn }) => tokenIn !== first.tokenIn)) throw new Error('The plans pay with different tokens.');
  const amount = plans.reduce((sum, { amountPerRun, maxRuns }) => sum + amountPerRun * BigInt(maxRuns), others);
  const args = [contracts.planRegistry, amount] as const;
  return { to: first.tokenIn, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) };
}

/** The owner's call that ends a plan for good. */
export const cancelPlanCall = ({ contracts }: Deployment, planId: bigint): Call => ({
  to: contracts.planRegistry,
  data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'cancel', args: [planId] }),
});

/** The owner's call that voids all plans, guards and unsubmitted signatures of the caller at once. */
export const revokeAllCall = ({ contracts }: Deployment): Call => ({
  to: contracts.revocations,
  data: encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' }),
});

/**
 * One signature for several plans, which anybody may submit. Reads the owner's epoch: a revocation voids it.
 * @param validSeconds how long it may be submitted; ten minutes if omitted.
 */
export async function draftCreation(
  client: Reader,
  deployment: Deployment,
  plans: readonly PlanTerms[],
  validSeconds = 600,
): Promise<Creation> {
  const [first] = plans;
  if (first === undefined) throw new Error('A creation needs at least one plan.');
  const { owner } = first;
  if (plans.some((plan) => plan.owner !== owner)) throw new Error('The plans have different owners.');
  return { owner, plans, ...onceWithin(validSeconds), epoch: await epochOf(client, deployment, owner) };
}

/** What the owner's wallet signs (EIP-712): pass it to viem's `signTypedData`. */
export const creationTypedData = ({ chainId, contracts }: Deployment, message: Creation): TypedDataDefinition => ({
  domain: { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: contracts.planRegistry },
  types: structsOf(planRegistryAbi, 'createBySignature'),
  primaryType: 'Creation',
  message: { ...message },
});

/** Anybody's call that creates signed plans. */
export const createBySignatureCall = ({ contracts }: Deployment, creation: Creation, signature: Hex): Call => ({
  to: contracts.planRegistry,
  data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'createBySignature', args: [creation, signature] }),
});
