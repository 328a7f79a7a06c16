import type { Proposal } from '../domain/facts.ts';
import { ageOf } from './references.ts';
import type { Judgement } from './rules.ts';
import { judgeProposal } from './rules.ts';

/** Facts from services of our own choosing rather than from the chain. */
const ownFacts = ['exchange', 'depth', 'history', 'pyth'] as const;
export type OwnFact = (typeof ownFacts)[number];

/** Checks that use one such fact and nothing else that can be missing. */
const factOf: Readonly<Record<string, OwnFact>> = {
  exchange_spread: 'exchange',
  volatility: 'history',
  price_in_history: 'history',
  reference_confidence: 'pyth',
};

/**
 * Own sources whose silence alone is the reason for no decision; empty if there is another reason. A source is silent
 * if it gives no answer, an unusable one, or one of another time; not if it is switched off or gives a current price we
 * dislike. The rest is judged as if the silent sources were off: a NO_GO or NO_DATA that remains has its reason on
 * chain or in another source's answer.
 */
export function silenceBehind(proposal: Proposal, { verdict, findings }: Judgement): readonly OwnFact[] {
  if (verdict === 'GO' || verdict === 'CAUTION') return [];
  const missed = findings.filter(({ outcome }) => outcome === 'no_data').map(({ check }) => factOf[check]);
  const silent = ownFacts.filter(
    (fact) => proposal[fact] === undefined || missed.includes(fact) || isOfAnotherTime(proposal, fact),
  );
  const rest = judgeProposal({ ...proposal, ...Object.fromEntries(silent.map((fact) => [fact, 'off'])) });
  return rest.verdict === 'GO' || rest.verdict === 'CAUTION' ? silent : [];
}

/** Depth and history of another time are dropped before they become facts. */
function isOfAnotherTime(proposal: Proposal, fact: OwnFact): boolean {
  const { exchange, pyth } = proposal;
  if (fact === 'exchange' && exchange !== undefined && exchange !== 'off') {
    return ageOf(proposal, { source: 'exchange', usdWad: 0n, updatedAt: exchange.answeredAt })?.fresh === false;
  }
  if (fact === 'pyth' && pyth !== undefined && pyth !== 'off') return ageOf(proposal, pyth)?.fresh !== true;
  return false;
}
