import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import type { Funded } from '@bowline/core/domain/funded-runs';
import { smallest } from '@bowline/core/domain/units';
import type { Address } from 'viem';
import { useFeeReserve } from '../chain/use-fee-reserve.ts';
import { wrapStep } from '../chain/wrap-steps.ts';
import { Notice } from '../parts/notice.tsx';
import { OfferedStep } from '../parts/offered-step.tsx';
import { shortAmount, shortCost } from '../words/amounts.ts';
import { bnbWords } from '../words/en/bnb.ts';
import { planWords } from '../words/en/plans.ts';
import type { PlanDraft } from './draft-plan.ts';

interface Props {
  readonly owner: Address;
  readonly draft: PlanDraft;
  /** Runs that are still to come. */
  readonly left: bigint;
  /** What the wallet has of the paid token, and of BNB. */
  readonly held: bigint;
  readonly native: bigint;
  /** How many runs that pays for besides the owner's other plans; undefined while not known. */
  readonly funded: Funded | undefined;
}

/** What the wallet lacks for all of the runs. */
export function Funding({ owner, draft: { pay, amountPerRun }, left, held, native, funded }: Props) {
  const isWrapped = pay.symbol === WRAPPED_BNB;
  const reserve = useFeeReserve(isWrapped);
  const short = amountPerRun * left - held;
  const wrapped = !isWrapped || reserve === undefined ? 0n : smallest([short, native - reserve]);
  return (
    <>
      {/* Less would not pay for even one run. */}
      {wrapped > 0n && held + wrapped >= amountPerRun && (
        <OfferedStep
          step={wrapStep(pay, owner, wrapped)}
          title={bnbWords.shortOfWrapped(shortCost(short, pay.decimals))}
          more={bnbWords.shortOfWrappedMore}
          done={bnbWords.wrapped}
        />
      )}
      {held >= amountPerRun && funded?.state === 'part' && (
        <Notice kind="caution" title={planWords.enoughFor(funded.runs, left)}>
          <p>
            {planWords.enoughForMore(
              `${shortAmount(held, pay.decimals)} ${pay.symbol}`,
              held >= amountPerRun * BigInt(funded.runs + 1),
            )}
          </p>
        </Notice>
      )}
    </>
  );
}
