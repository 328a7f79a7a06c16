import type { Text } from './text.ts';

const what =
  'buy|sell|trade|swap|invest|want|need|like|care|give|tell|show|quote|check|judge|execute|do|forecast|bother|worry|send|sign';
const theRest = '(?=[,;.!?]|\\b(?:but|just|only|instead|rather)\\b|$)';
const negated = [
  new RegExp(
    `(?:(?<=^|[,;.!?]\\s*)|\\b(?:i|we|and|but|please|so|just)\\s+)(?:do not|don't|dont|never)\\s+(?:${what})\\b[^,;.!?]*?${theRest}`,
    'g',
  ),
  new RegExp(`(?<=^|[,;.!?]\\s*)not\\s+(?:the|an?|its)\\s+[^,;.!?]*?${theRest}`, 'g'),
  /(?:(?<=^|[,;.!?]\s*)|\band\s+)(?:no|without)\s+(?:an?\s+)?(?:verdict|quote|swap|history|chart|check|price)s?\b/g,
];

/** "Don't buy, just tell me the price" asks for the price alone. "Why not buy?" and "isn't it cheap?" negate nothing. */
export function takeNegated(text: Text): void {
  for (const pattern of negated) {
    // Which asset it was about is still known: "don't buy @, what does it cost?"
    text.value = text.value.replace(pattern, (clause) => ` not_that ${'@ '.repeat(clause.split('@').length - 1)}`);
  }
}
