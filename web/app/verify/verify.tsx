import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useChain } from '../chain/client.ts';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { JudgeFailed, judge } from '../replay/judge.ts';
import { useSettings } from '../settings.tsx';
import { judgeWords, verifyWords } from '../words/en/tickets.ts';
import { whyUnread } from '../words/why-unread.ts';
import { Ticket } from './ticket.tsx';
import { textOfFragment } from './ticket-link.ts';

/** Checks any ticket in the browser. A ticket in the link's fragment never leaves it. */
export function Verify() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string>();
  const [isBadLink, setBadLink] = useState(false);
  useEffect(() => {
    const follow = () =>
      void textOfFragment(location.hash).then(
        (linked) => {
          setBadLink(false);
          if (linked === undefined) return;
          setText(linked);
          setAsked(linked);
        },
        () => {
          setBadLink(true);
          setAsked(undefined);
        },
      );
    follow();
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return (
    <>
      <div className="title-row">
        <div>
          <h1>{verifyWords.title}</h1>
          <p className="lead">{verifyWords.lead}</p>
        </div>
      </div>
      {isBadLink && <Notice kind="bad" title={verifyWords.badLink} />}
      <form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked(text);
        }}
      >
        <div className="field">
          <label htmlFor="ticket">{verifyWords.field}</label>
          <div className="input">
            <textarea
              id="ticket"
              rows={6}
              spellCheck={false}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </div>
        </div>
        <div className="field">
          <label htmlFor="ticket-file">{verifyWords.file}</label>
          <input
            id="ticket-file"
            type="file"
            onChange={async ({ target }) => {
              const [file] = target.files ?? [];
              if (file === undefined || file.size > MAX_BYTES) return;
              const read = await file.text();
              setText(read);
              setAsked(read);
            }}
          />
        </div>
        <div className="buttons">
          <button type="submit" className="button primary" disabled={text.trim() === ''}>
            {verifyWords.verify}
          </button>
        </div>
      </form>
      {asked !== undefined && <Verified key={asked} text={asked} />}
    </>
  );
}

const MAX_BYTES = 1_000_000;

function Verified({ text }: { readonly text: string }): ReactNode {
  const client = useChain();
  const { chainId, contracts, verdictSigners } = useSettings();
  const time = useQuery({
    queryKey: ['chain', 'verified-at', text],
    queryFn: async () => (await client.getBlock({ blockTag: 'latest' })).timestamp,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  // Without the chain, the browser's clock says whether it has expired.
  const [atStart] = useState(() => BigInt(Math.floor(Date.now() / 1_000)));
  const at = time.data ?? (time.isError ? atStart : undefined);
  const { data, error } = useQuery({
    queryKey: ['ticket', text, String(at)],
    queryFn: () =>
      judge({
        kind: 'ticket',
        text,
        at: at ?? 0n,
        issuer: { chainId, planRegistry: contracts.planRegistry, verdictSigners },
      }),
    enabled: at !== undefined,
    networkMode: 'always',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error instanceof JudgeFailed) {
    const isUnread = error.why === 'unread';
    return (
      <Notice kind="bad" title={isUnread ? verifyWords.noTicket : verifyWords.notChecked}>
        <p>{isUnread ? verifyWords.noTicketMore : judgeWords[error.why]}</p>
      </Notice>
    );
  }
  if (error !== null) return <Notice kind="bad" title={verifyWords.notChecked} />;
  if (data === undefined || at === undefined) return <Skeleton lines={3} label={verifyWords.verifying} />;
  return (
    <>
      {time.isError && (
        <Notice kind="caution" title={verifyWords.browserClock}>
          <p>{whyUnread(time.error)}</p>
        </Notice>
      )}
      <Ticket text={text} verified={data} at={at} />
    </>
  );
}
