import type { Verdict } from '@bowline/core/domain/verdict';
import { judgeProposal } from '@bowline/core/verdict/rules';
import { attacks } from './attacks.ts';
import { honestMarket, honestShare, honestStable, lossOf, type Market, proposalOf } from './market.ts';
import { type Random, random } from './random.ts';

export interface Score {
  readonly name: string;
  readonly isHonest: boolean;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** The largest loss of a trade with a GO verdict; 0.02 is 2 %. */
  readonly worstLoss: number;
}

interface Kind {
  readonly name: string;
  readonly isHonest: boolean;
  readonly market: (draw: Random) => Market;
}

/** Kinds of moments: ordinary ones, and one for each attack. */
export const kinds: readonly Kind[] = [
  { name: 'ordinary moments', isHonest: true, market: (draw) => honestMarket(draw) },
  { name: 'the same, of a stablecoin', isHonest: true, market: honestStable },
  { name: 'the same, of a tokenised stock', isHonest: true, market: (draw) => honestShare(draw) },
  ...attacks.map(({ name, of, strike }) => ({
    name,
    isHonest: false,
    market: (draw: Random) => strike(of === 'share' ? honestShare(draw) : honestMarket(draw), draw),
  })),
];

/** The verdicts on `count` moments of the kind at that index. The same seed gives the same result. */
export function score(at: number, count: number, seed: number): Score {
  const kind = kinds[at];
  if (kind === undefined) throw new RangeError(`there is no kind ${at}`);
  const draw = random(seed + at);
  const verdicts = { GO: 0, CAUTION: 0, NO_GO: 0, NO_DATA: 0 };
  let worstLoss = 0;
  for (let moment = 0; moment < count; moment += 1) {
    const drawn = kind.market(draw);
    const { verdict } = judgeProposal(proposalOf(drawn));
    verdicts[verdict] += 1;
    if (verdict === 'GO') worstLoss = Math.max(worstLoss, lossOf(drawn));
  }
  return { name: kind.name, isHonest: kind.isHonest, verdicts, worstLoss };
}
