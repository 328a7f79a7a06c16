import { grouped } from '@bowline/core/domain/readable';
import type { Searched } from '../chain/searched.ts';
import { partWords } from '../words/en/parts.ts';
import { Notice } from './notice.tsx';
import { ReadFailed } from './read-failed.tsx';

interface Props {
  readonly owned: Searched;
  readonly noun: 'plan' | 'guard';
  readonly retry: () => void;
}

/** Says what is missing from the list of an account's plans or guards. */
export function ListGaps({ owned: { unread, upTo, count: total, cause, searchCause }, noun, retry }: Props) {
  const left = grouped(total - upTo);
  const rest = (noun === 'plan' ? partWords.restOfPlans : partWords.restOfGuards)(left, total);
  const missing = noun === 'plan' ? partWords.unreadPlans : partWords.unreadGuards;
  return (
    <>
      {unread.length > 0 && <ReadFailed what={missing(grouped(unread.length))} error={cause} retry={retry} />}
      {upTo < total && searchCause === undefined && (
        <Notice kind="caution" title={partWords.toSearch(rest)} more={partWords.toSearchMore} />
      )}
      {upTo < total && searchCause !== undefined && (
        <ReadFailed what={rest} done="searched" error={searchCause} more={partWords.maybeYours} retry={retry} />
      )}
    </>
  );
}
