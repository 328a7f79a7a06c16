import { triggerFor, type UsualGap, usualGapOf } from '@bowline/core/domain/gap';
import { grouped } from '@bowline/core/domain/readable';
import { WAD } from '@bowline/core/domain/units';
import { usualMoveHours, usualMoveOf } from '@bowline/core/registry/gaps';
import { assetAt, type Settings } from '../api/settings.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';

/**
 * The largest usual gap that a loan in these markets can have, whatever its assets are worth: all its collateral in the
 * one that falls furthest, all its debt in the one that rises furthest. Undefined if one has not been measured.
 */
function largestGap(markets: readonly LoanMarket[], settings: Settings): UsualGap | undefined {
  const gaps = markets
    .filter(({ supplied }) => supplied > 0n)
    .flatMap((held) =>
      markets
        .filter(({ debt }) => debt > 0n)
        .map((owed) =>
          usualGapOf(
            [
              { token: held.token, debtWad: 0n, weightedWad: WAD },
              { token: owed.token, debtWad: WAD, weightedWad: 0n },
            ],
            (token) => usualMoveOf(assetAt(settings, token)?.symbol ?? ''),
          ),
        ),
    );
  return gaps.reduce<UsualGap | undefined>(
    (most, gap) => most && gap && (gap.healthWad > most.healthWad ? gap : most),
    gaps[0],
  );
}

/** The trigger that the loan needs so that a usual gap does not liquidate it before a rescue. */
export function triggerHint({ markets }: Pick<Loan, 'markets'>, settings: Settings): string {
  const gap = largestGap(markets, settings);
  if (gap === undefined) return guardWords.triggerHint;
  return guardWords.triggerHintGap(health(triggerFor(gap)), grouped(usualMoveHours));
}
