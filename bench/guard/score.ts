import type { Verdict } from '../../agent/src/domain/verdict.ts';
import { judgeProposal } from '../../agent/src/guard/rules.ts';

import { attacks } from './attacks.ts';
import { honestMarket, honestShare, lossOf, type Market, proposalOf } from './market.ts';
import { random } from './random.ts';

export interface Score {
  readonly name: string;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The most that a trade would have lost on which the verdict was GO; 0.02 is 2 %. */
  readonly worstLoss: number;
}

/** How the guard judges `count` ordinary moments, and as many of each attack. The same seed gives the same answer. */
export function scores(
  count: number,
  seed: number,
): { readonly honest: readonly Score[]; readonly attacked: readonly Score[] } {
  const judged = (name: string, at: number, market: (draw: ReturnType<typeof random>) => Market): Score => {
    const draw = random(seed + at);
    const verdicts = { GO: 0, CAUTION: 0, NO_GO: 0, NO_DATA: 0 };
    let worstLoss = 0;
    for (let moment = 0; moment < count; moment += 1) {
      const drawn = market(draw);
      const { verdict } = judgeProposal(proposalOf(drawn));
      verdicts[verdict] += 1;
      if (verdict === 'GO') worstLoss = Math.max(worstLoss, lossOf(drawn));
    }
    return { name, verdicts, worstLoss };
  };
  return {
    honest: [judged('ordinary moments', 0, honestMarket), judged('the same, of a tokenised stock', 1, honestShare)],
    attacked: attacks.map(({ name, of, strike }, at) =>
      judged(name, at + 2, (draw) => strike(of === 'share' ? honestShare(draw) : honestMarket(draw), draw)),
    ),
  };
}
