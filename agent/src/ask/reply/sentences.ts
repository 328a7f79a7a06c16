import { checkName } from '@bowline/core/texts/words';
import { about } from '../../tools/about.ts';
import { loanSentences } from './loan-sentences.ts';
import { marketSentences } from './market-sentences.ts';
import { planSentences } from './plan-sentences.ts';
import { anyInWords, type Sentence, say } from './words.ts';

const aboutSentence = say(about, ({ name, version, chain_id, checks, charges, serves, ready, not_ok, links }) => {
  const state = ready ? 'works' : 'does not work as it should';
  const troubles = not_ok.map(({ name: part, reason }) => `${part} (${anyInWords(reason ?? 'no_answer')})`);
  const trouble = troubles.length === 0 ? '' : ` Not working: ${troubles.join(', ')}.`;
  const price =
    charges.tools.length === 0
      ? 'Answers are free'
      : `${charges.tools.join(' and ')} cost ${charges.price_usd} USD each, other tools nothing`;
  const parts = [serves.plans && 'plans', serves.guards && 'loan guards', serves.jobs && 'jobs'].filter(
    (part) => part !== null,
  );
  const page = links.page === undefined ? '' : ` The page is at ${links.page}.`;
  return (
    `${name} ${version} on chain ${chain_id} ${state}.${trouble} It serves ${parts.join(', ') || 'questions alone'}. ${price}; the contracts take ` +
    `no fee, and nobody has custody. ${checks.length} checks make a verdict: ${checks.map(({ check }) => checkName(check)).join(', ')}.${page}`
  );
});

/** Sentences by tool name, in each language. */
export const sentences: ReadonlyMap<string, Sentence> = new Map([
  ...marketSentences,
  ...planSentences,
  ...loanSentences,
  aboutSentence,
]);
