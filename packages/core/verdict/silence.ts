import type { Proposal } from '../domain/facts.ts';
import { ageOf } from './freshness.ts';
import type { Judgement } from './rules.ts';
import { judgeProposal } from './rules.ts';

/** What we ask of services of our own choosing, and not of the chain. */
const ownFacts = ['exchange', 'depth', 'history', 'pyth'] as const;
export type OwnFact = (typeof ownFacts)[number];

/** Of the checks that look at one such fact and at nothing else that can be missing. */
const factOf: Readonly<Record<string, OwnFact>> = {
  exchange_spread: 'exchange',
  volatility: 'history',
  price_in_history: 'history',
  reference_confidence: 'pyth',
};

/**
 * The facts of our own sources whose silence alone is why nothing was decided; empty where there is another reason. Silent is
 * who gives no answer, none that can be used, or one of another time; not who is switched off, and not who gives a price of
 * now that we do not like. The rest is judged as if the silent ones were switched off: what is then NO_GO or NO_DATA still has
 * its reason on chain, or in what somebody did say.
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

/** The depth and the past that are dated so are no facts from the start. */
function isOfAnotherTime(proposal: Proposal, fact: OwnFact): boolean {
  const { exchange, pyth } = proposal;
  if (fact === 'exchange' && exchange !== undefined && exchange !== 'off') {
    return ageOf(proposal, { source: 'exchange', usdWad: 0n, updatedAt: exchange.answeredAt })?.fresh === false;
  }
  if (fact === 'pyth' && pyth !== undefined && pyth !== 'off') return ageOf(proposal, pyth)?.fresh !== true;
  return false;
}
