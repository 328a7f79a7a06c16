import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { Link } from 'wouter';
import { agentsWord, coverageWords } from '../chain/coverage/coverage-words.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { shortAmount, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { when } from '../words/times.ts';

interface Props {
  /** The number of the new guard; undefined if its receipts do not show it. */
  readonly id: GuardKey | undefined;
  /** The account's guards as last read. */
  readonly covered: readonly Covered[];
  readonly protocol: string;
  readonly token: { readonly symbol: string; readonly decimals: number };
}

/** What a guard that was just set could do now: that it is set does not mean that it can pay. */
export function GuardSet({ id, covered, protocol, token }: Props) {
  const found = covered.find(({ guard }) => guardKey(guard) === id);
  if (id === undefined || found === undefined) return <p className="faint">{guardWords.newUnread}</p>;
  const amount = (base: bigint) => `${shortAmount(base, token.decimals)} ${token.symbol}`;
  const cost = (base: bigint) => `${shortCost(base, token.decimals)} ${token.symbol}`;
  const { badge, tone, more } = coverageWords(found.coverage, protocol, { amount, cost }, when);
  const word = agentsWord(found.coverage);
  return (
    <>
      <p>
        <Link href={`/loans/${id}`}>{partWords.guard(id)}</Link> <span className={`badge word ${tone}`}>{badge}</span>
      </p>
      {more && <p className="faint">{more}</p>}
      {word && <p className="faint">{word}</p>}
    </>
  );
}
