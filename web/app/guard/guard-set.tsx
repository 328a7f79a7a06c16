import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { Link } from 'wouter';
import type { Covered } from '../chain/coverage/use-covered.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { coverageSaid } from './coverage-said.tsx';

interface Props {
  /** The number of the new guard; undefined if its receipts do not show it. */
  readonly id: GuardKey | undefined;
  /** The account's guards as last read. */
  readonly covered: readonly Covered[];
  readonly protocol: string;
  readonly token: { readonly symbol: string; readonly decimals: number };
}

/** What a newly set guard could do now. A guard that is set may still be unable to pay. */
export function GuardSet({ id, covered, protocol, token }: Props) {
  const found = covered.find(({ guard }) => guardKey(guard) === id);
  if (id === undefined || found === undefined) return <p className="faint">{guardWords.newUnread}</p>;
  const { badge, sentences } = coverageSaid(found.coverage, protocol, token);
  return (
    <>
      <p>
        <Link href={`/loans/${id}`}>{partWords.guard(id)}</Link> {badge}
      </p>
      {sentences}
    </>
  );
}
