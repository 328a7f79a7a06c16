import { grouped } from '@bowline/core/domain/readable';
import type { ReactNode } from 'react';
import { Unknown } from '../chain/read-history.ts';
import { LongList } from '../parts/long-list.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { useSettings } from '../settings.tsx';
import { auditWords } from '../words/en/audit.ts';
import { words } from '../words/en/frame.ts';
import { exactly } from '../words/times.ts';

interface Props<Data> {
  readonly title: string;
  readonly query: {
    readonly data: Data | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  readonly children: (data: Data) => ReactNode;
}

/** The heading, where the figures are from, and what could not be read. */
export function AuditFrame<
  Data extends { readonly timestamp: bigint; readonly history: { readonly blockNumber: bigint } },
>({ title, query: { data, error, isFetching, refetch }, children }: Props<Data>) {
  const { rpcUrl } = useSettings();
  const again = () => void refetch();
  const isMissing = error instanceof Unknown;
  return (
    <>
      <Title
        title={title}
        lead={
          data
            ? auditWords.computedAt(grouped(data.history.blockNumber), exactly(data.timestamp), new URL(rpcUrl).host)
            : auditWords.computed
        }
      >
        {data && (
          <button type="button" className="button" disabled={isFetching} onClick={again}>
            {isFetching ? words.lists.reading : auditWords.readAgain}
          </button>
        )}
      </Title>
      {isMissing && <Notice kind="caution" title={error.message} />}
      {error && !isMissing && <ReadFailed what={data ? auditWords.newestState : title} error={error} retry={again} />}
      {data === undefined && error === null && <Skeleton lines={5} label={auditWords.readingChain} />}
      {data && children(data)}
    </>
  );
}

/** What disagrees with the terms, before everything else. */
export function Irregularities({ found }: { readonly found: readonly string[] }) {
  if (found.length === 0) return <Notice kind="good" title={auditWords.regular} />;
  const title = auditWords.irregularities(found.length);
  return (
    <Notice kind="bad" title={title}>
      <LongList items={found} first={FIRST} each="li" name={title}>
        {(shown) => (
          <ul>
            {shown.map((sentence) => (
              <li key={sentence} className="full" lang="en">
                {sentence}
              </li>
            ))}
          </ul>
        )}
      </LongList>
    </Notice>
  );
}

const FIRST = 20;
