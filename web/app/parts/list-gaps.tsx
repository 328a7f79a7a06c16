import { count } from '../words/times.ts';
import { Notice } from './notice.tsx';
import { ReadFailed } from './read-failed.tsx';

interface Props {
  readonly owned: {
    readonly unread: readonly bigint[];
    readonly upTo: bigint;
    readonly count: bigint;
    readonly cause: unknown;
    readonly searchCause: unknown;
  };
  readonly noun: 'plan' | 'guard';
  readonly retry: () => void;
}

/** Names what the list of an account's plans or guards lacks. */
export function ListGaps({ owned: { unread, upTo, count: total, cause, searchCause }, noun, retry }: Props) {
  const rest = `${(total - upTo).toLocaleString('en')} of ${count(total, noun)}`;
  return (
    <>
      {unread.length > 0 && (
        <ReadFailed what={`${unread.length.toLocaleString('en')} of your ${noun}s`} error={cause} retry={retry} />
      )}
      {upTo < total && searchCause === undefined && (
        <Notice kind="caution" title={`${rest} are still to be searched`}>
          <p>Some of them may be yours. The page goes on by itself.</p>
        </Notice>
      )}
      {upTo < total && searchCause !== undefined && (
        <ReadFailed what={rest} done="searched" error={searchCause} more="Some of them may be yours." retry={retry} />
      )}
    </>
  );
}
