import type { ReactNode } from 'react';
import { Unknown } from '../chain/read-history.ts';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
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
      <div className="title-row">
        <div>
          <h1>{title}</h1>
          <p className="lead">
            {data
              ? `Computed by this browser from state at block ${data.history.blockNumber.toLocaleString('en')}, ${exactly(data.timestamp)}, as the node ${new URL(rpcUrl).host} gives it.`
              : 'Computed by this browser from the chain alone.'}
          </p>
        </div>
        {data && (
          <button type="button" className="button" disabled={isFetching} onClick={again}>
            {isFetching ? 'Reading …' : 'Read again'}
          </button>
        )}
      </div>
      {isMissing && <Notice kind="caution" title={error.message} />}
      {error && !isMissing && <ReadFailed what={data ? 'The newest state' : title} error={error} retry={again} />}
      {data === undefined && error === null && <Skeleton lines={5} label="Reading the chain" />}
      {data && children(data)}
    </>
  );
}

/** What disagrees with the terms, before everything else. */
export function Irregularities({ found }: { readonly found: readonly string[] }) {
  if (found.length === 0) return <Notice kind="good" title="No irregularities: every record agrees with its terms." />;
  return (
    <Notice kind="bad" title={`Irregularities: ${found.length.toLocaleString('en')}`}>
      <ul>
        {found.slice(0, MOST).map((sentence) => (
          <li key={sentence} className="full">
            {sentence}
          </li>
        ))}
      </ul>
      {found.length > MOST && <p>The text below has all of them.</p>}
    </Notice>
  );
}

const MOST = 20;

/** The text that `npm run audit` prints, so that anybody can compare. */
export const AsText = ({ text }: { readonly text: string }) => (
  <details className="more">
    <summary>The same as text</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
    <pre className="audit-text" tabIndex={0}>
      {text}
    </pre>
  </details>
);
