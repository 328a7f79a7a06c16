import { smallest } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import type { Asset } from '../api/settings.ts';
import { useFeeReserve } from '../chain/use-fee-reserve.ts';
import { wrapStep } from '../chain/wrap-steps.ts';
import { OfferedStep } from '../parts/offered-step.tsx';
import { shortCost } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';

interface Props {
  readonly owner: Address;
  readonly wrapped: Asset;
  /** Base units that the plan pays in all, those of one run, and those in the wallet, which has `native` wei of BNB besides. */
  readonly needed: bigint;
  readonly perRun: bigint;
  readonly held: bigint;
  readonly native: bigint;
}

/** Offers to wrap what a plan lacks of WBNB, as far as the wallet's BNB goes. */
export function WrapOffer({ owner, wrapped, needed, perRun, held, native }: Props) {
  const reserve = useFeeReserve();
  const short = needed - held;
  const amount = reserve === undefined ? 0n : smallest([short, native - reserve]);
  // With less, not even one run would be paid for.
  if (amount <= 0n || held + amount < perRun) return null;
  return (
    <OfferedStep
      step={wrapStep(wrapped, owner, amount)}
      title={bnbWords.shortOfWrapped(shortCost(short, wrapped.decimals))}
      more={bnbWords.shortOfWrappedMore}
      done={bnbWords.wrapped}
    />
  );
}
