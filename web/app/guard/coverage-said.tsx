import type { Coverage } from '../chain/coverage/coverage.ts';
import { agentsWord, coverageWords } from '../chain/coverage/coverage-words.ts';
import { moneyOf } from '../words/amounts.ts';
import { when } from '../words/times.ts';

/** What a guard could do now, as a badge and the sentences below it. @param token the repay token. */
export function coverageSaid(coverage: Coverage, protocol: string, token: Parameters<typeof moneyOf>[0]) {
  const { badge, tone, more } = coverageWords(coverage, protocol, moneyOf(token), when);
  return {
    badge: <span className={`badge word ${tone}`}>{badge}</span>,
    sentences: [more, agentsWord(coverage)].map(
      (sentence) =>
        sentence && (
          <p key={sentence} className="faint">
            {sentence}
          </p>
        ),
    ),
  };
}
