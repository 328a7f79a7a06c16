import { type Address, encodeFunctionData, zeroAddress } from 'viem';
import { planRegistryAbi } from '../../../abis/index.ts';
import type { Asset, Settings } from '../api/settings.ts';

/** A plan as somebody means it, before it is signed. Amounts in base units, times in seconds. */
export interface PlanDraft {
  readonly pay: Asset;
  readonly buy: Asset;
  readonly amountPerRun: bigint;
  readonly periodSeconds: bigint;
  readonly maxRuns: bigint;
  readonly maxSlippageBps: bigint;
  /** Most base units of `pay` for one whole unit of `buy`. */
  readonly limitPrice: bigint | undefined;
  /** Whether slots that were deferred are made up for, by as much time again. */
  readonly hasSpareTime: boolean;
}

export const totalOf = ({ amountPerRun, maxRuns }: PlanDraft): bigint => amountPerRun * maxRuns;

/** First second at which the plan is over. */
export const endOf = ({ periodSeconds, maxRuns, hasSpareTime }: PlanDraft, startAt: bigint): bigint =>
  startAt + periodSeconds * maxRuns * (hasSpareTime ? 2n : 1n);

/** How long a slot stays open: an hour's whole, of longer periods half, so that two runs never stand side by side. */
export const windowOf = (periodSeconds: bigint): bigint =>
  periodSeconds <= 3_600n ? periodSeconds : periodSeconds / 2n;

/** As the contract wants it: pay base units per 1e18 base units of what is bought, rounded down, which is the stricter way. */
export const limitPriceWad = ({ limitPrice, buy }: Pick<PlanDraft, 'limitPrice' | 'buy'>): bigint =>
  limitPrice === undefined ? 0n : (limitPrice * 10n ** 18n) / 10n ** BigInt(buy.decimals);

/** The call that creates it, for its owner to sign. */
export function createCall(draft: PlanDraft, { contracts }: Settings, owner: Address, startAt: bigint) {
  const terms = {
    owner,
    recipient: owner,
    executor: contracts.swapExecutor,
    // The floor alone protects it; naming a signer would tie it to this deployment's verdict key.
    verdictSigner: zeroAddress,
    tokenIn: draft.pay.address,
    tokenOut: draft.buy.address,
    amountPerRun: draft.amountPerRun,
    startAt: Number(startAt),
    periodSeconds: Number(draft.periodSeconds),
    windowSeconds: Number(windowOf(draft.periodSeconds)),
    maxRuns: Number(draft.maxRuns),
    expiresAt: Number(endOf(draft, startAt)),
    priceSource: contracts.priceSource,
    limitPriceWad: limitPriceWad(draft),
    maxSlippageBps: Number(draft.maxSlippageBps),
  };
  return {
    to: contracts.planRegistry,
    data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }),
  };
}
