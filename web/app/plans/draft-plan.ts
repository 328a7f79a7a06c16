import type { PlanTerms } from '@bowline/chain/plan';
import { expiryOf, windowSecondsOf } from '@bowline/core/domain/defaults';
import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Asset, Settings } from '../api/settings.ts';
import { proofBy } from '../chain/proof.ts';

/** A plan as the user entered it, before signing. Amounts in base units, times in seconds. */
export interface PlanDraft {
  readonly pay: Asset;
  readonly buy: Asset;
  readonly amountPerRun: bigint;
  readonly periodSeconds: bigint;
  readonly maxRuns: bigint;
  readonly maxSlippageBps: bigint;
  /** Maximum base units of `pay` for one whole unit of `buy`. */
  readonly limitPrice: bigint | undefined;
  /** Whether the plan's duration is doubled so that deferred slots can be made up. */
  readonly hasSpareTime: boolean;
}

/** First second at which the plan has ended. */
export const endOf = ({ periodSeconds, maxRuns, hasSpareTime }: PlanDraft, startAt: bigint): number =>
  expiryOf(Number(startAt), Number(periodSeconds), Number(maxRuns), hasSpareTime);

/**
 * The limit in the contract's unit: pay base units per 1e18 base units of the bought token, rounded down, which is
 * stricter.
 */
export const limitPriceWad = ({ limitPrice, buy }: Pick<PlanDraft, 'limitPrice' | 'buy'>): bigint =>
  limitPrice === undefined ? 0n : (limitPrice * 10n ** 18n) / 10n ** BigInt(buy.decimals);

/** The terms that its owner signs. */
export const termsOf = (draft: PlanDraft, { contracts }: Settings, owner: Address, startAt: bigint): PlanTerms => ({
  owner,
  recipient: owner,
  executor: contracts.swapExecutor,
  // The floor protects the plan, and the verdict's price raises it without a signer, too (PR-27). Naming one would tie the plan to
  // this deployment's verdict key.
  verdictSigner: zeroAddress,
  tokenIn: draft.pay.address,
  tokenOut: draft.buy.address,
  amountPerRun: draft.amountPerRun,
  startAt: Number(startAt),
  periodSeconds: Number(draft.periodSeconds),
  windowSeconds: windowSecondsOf(Number(draft.periodSeconds), false),
  maxRuns: Number(draft.maxRuns),
  expiresAt: endOf(draft, startAt),
  priceSource: contracts.priceSource,
  limitPriceWad: limitPriceWad(draft),
  maxSlippageBps: Number(draft.maxSlippageBps),
  // Chainlink's price bounds the plan, so that its limit need not.
  farLimit: false,
  triggerPriceWad: 0n,
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
