import type { PlanTerms } from '@bowline/chain/plan';
import { expiryOf, windowSecondsOf } from '@bowline/core/domain/defaults';
import { limitOf, sidedOf, triggerOf } from '@bowline/core/domain/sided';
import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Asset, Settings } from '../api/settings.ts';
import { proofBy } from '../chain/proof.ts';

/** A plan as the user entered it, before signing. Amounts in base units, times in seconds. */
export interface PlanDraft {
  readonly pay: Asset;
  readonly buy: Asset;
  readonly isSale: boolean;
  readonly amountPerRun: bigint;
  readonly periodSeconds: bigint;
  readonly maxRuns: bigint;
  readonly maxSlippageBps: bigint;
  /** Base units of the quote for one whole asset: the most to pay, or the least to receive. */
  readonly limitPrice: bigint | undefined;
  /** In the same unit: a stop loss sells only once the price has fallen to this. */
  readonly stopPrice: bigint | undefined;
  /** Whether the plan's duration is doubled so that deferred slots can be made up. */
  readonly hasSpareTime: boolean;
  /** How long an order waits for its price; undefined for a schedule. */
  readonly validSeconds: bigint | undefined;
}

/** First second at which the plan has ended. */
export const endOf = ({ periodSeconds, maxRuns, hasSpareTime, validSeconds }: PlanDraft, startAt: bigint): number =>
  validSeconds === undefined
    ? expiryOf(Number(startAt), Number(periodSeconds), Number(maxRuns), hasSpareTime)
    : Number(startAt + validSeconds);

/** The draft's prices in the contract's unit; zero for none. */
export function pricesOf({ limitPrice, stopPrice, isSale, pay, buy }: PlanDraft) {
  const sided = sidedOf(isSale, pay, buy);
  return {
    limitPriceWad: limitPrice === undefined ? 0n : limitOf(limitPrice, sided),
    triggerPriceWad: stopPrice === undefined ? 0n : triggerOf(stopPrice, sided),
  };
}

/** The terms that its owner signs. */
export const termsOf = (draft: PlanDraft, { contracts }: Settings, owner: Address, startAt: bigint): PlanTerms => ({
  owner,
  recipient: owner,
  executor: contracts.swapExecutor,
  // The floor protects the plan, and the verdict's price raises it even without a signer (PR-27). Naming a signer would
  // tie the plan to this deployment's verdict key.
  verdictSigner: zeroAddress,
  tokenIn: draft.pay.address,
  tokenOut: draft.buy.address,
  amountPerRun: draft.amountPerRun,
  startAt: Number(startAt),
  periodSeconds: Number(draft.periodSeconds),
  windowSeconds: windowSecondsOf(Number(draft.periodSeconds), (draft.limitPrice ?? draft.stopPrice) !== undefined),
  maxRuns: Number(draft.maxRuns),
  expiresAt: endOf(draft, startAt),
  priceSource: contracts.priceSource,
  ...pricesOf(draft),
  maxSlippageBps: Number(draft.maxSlippageBps),
  // Chainlink's price bounds the plan, so its limit need not.
  farLimit: false,
});

/** The call that creates the plan, for its owner to sign. */
export const createCall = ({ contracts }: Settings, terms: PlanTerms) => ({
  to: contracts.planRegistry,
  data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }),
  proof: proofBy(contracts.planRegistry, planRegistryAbi, 'PlanCreated', {
    owner: terms.owner,
    executor: terms.executor,
    terms,
  }),
});

/**
 * What sets a plan's minimum in addition to its limit price: the oracle that the build pins, a contract unknown to this
 * page, or nothing.
 */
export type FloorSource = 'oracle' | 'foreign' | 'none';

export function floorSource(priceSource: string, { contracts }: Pick<Settings, 'contracts'>): FloorSource {
  const source = priceSource.toLowerCase();
  if (source === contracts.priceSource.toLowerCase()) return 'oracle';
  return source === zeroAddress ? 'none' : 'foreign';
}
