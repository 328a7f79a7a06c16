import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime, useNoBlock } from '../chain/use-clock.ts';
import { isCurrent, useNetwork } from '../chain/use-line.tsx';
import { DocumentFiles, DocumentText } from '../parts/document-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Title } from '../parts/title.tsx';
import { JudgeFailed, judge } from '../replay/judge.ts';
import { useSettings } from '../settings.tsx';
import { judgeWords, verifyWords } from '../words/en/tickets.ts';
import { whyUnread } from '../words/refusals.ts';
import { Ticket } from './ticket.tsx';
import { textOfFragment } from './ticket-link.ts';

/** Checks any ticket in the browser. A ticket in the link's fragment never leaves it. */
export function Verify() {
  const { text, asked, trouble, show, type, read } = useGiven();
  return (
    <>
      <Title title={verifyWords.title} lead={verifyWords.lead} />
      {trouble === 'link' && <Notice kind="bad" title={verifyWords.badLink} />}
      <form
        className="card form"
        onSubmit={(event) => {
          event.preventDefault();
          show(text, true);
        }}
      >
        <DocumentText label={verifyWords.field} rows={6} value={text} onChange={type} />
        <DocumentFiles label={verifyWords.file} onFiles={([file]) => void read(file)} />
        <div className="buttons">
          <button type="submit" className="button primary" disabled={text.trim() === ''}>
            {verifyWords.verify}
          </button>
        </div>
      </form>
      {trouble === 'size' && <Notice kind="bad" title={verifyWords.tooLarge} more={verifyWords.tooLargeMore} />}
      {asked !== undefined && <Verified key={asked} text={asked} />}
    </>
  );
}

/** The ticket from a link, a file or the user. */
function useGiven() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState<string>();
  const [trouble, setTrouble] = useState<'link' | 'size'>();
  // Links and files load asynchronously: only the newest counts, and typing discards any that was given before.
  const given = useRef(0);
  /** A result is shown only next to the text that it belongs to. */
  const show = (next: string, isAsked: boolean, trouble?: 'link' | 'size') => {
    setText(next);
    setAsked(isAsked ? next : undefined);
    setTrouble(trouble);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only sets states
  useEffect(() => {
    const follow = async () => {
      given.current += 1;
      const own = given.current;
      const linked = await textOfFragment(location.hash).catch(() => null);
      if (own !== given.current || linked === undefined) return;
      show(linked ?? '', linked !== null, linked === null ? 'link' : undefined);
    };
    const followLink = () => void follow();
    followLink();
    addEventListener('hashchange', followLink);
    return () => removeEventListener('hashchange', followLink);
  }, []);
  return {
    ...{ text, asked, trouble, show },
    type: (next: string) => {
      given.current += 1;
      show(next, false);
    },
    read: async (file: File | undefined) => {
      if (file === undefined) return;
      given.current += 1;
      const own = given.current;
      const isTooLarge = file.size > MAX_BYTES;
      const next = isTooLarge ? '' : await file.text();
      if (own === given.current) show(next, !isTooLarge, isTooLarge ? 'size' : undefined);
    },
  };
}

const MAX_BYTES = 1_000_000;

/** Waits for a clock: the chain's, or the browser's if the chain does not answer. */
function Verified({ text }: { readonly text: string }): ReactNode {
  const chainTime = useChainTime();
  const unread = useNoBlock();
  const isCurrentChain = isCurrent(useNetwork());
  const { wall } = useMoment();
  const now = chainTime ?? (unread && BigInt(Math.floor(wall / 1_000)));
  if (now === null) return <Skeleton lines={3} label={verifyWords.verifying} />;
  // By the time of a node that is behind or stuck, an expired ticket would still be in force.
  const isTold = chainTime !== undefined && isCurrentChain;
  return <Judged key={String(isTold)} {...{ text, now, isTold, unread }} />;
}

interface Props {
  readonly text: string;
  /** Unix seconds. */
  readonly now: bigint;
  /** Whether `now` is the chain's current time. */
  readonly isTold: boolean;
  /** Why the chain's time could not be read. */
  readonly unread: Error | null;
}

function Judged({ text, now, isTold, unread }: Props): ReactNode {
  const { chainId, contracts, verdictSigners } = useSettings();
  const [at] = useState(now);
  const { data, error } = useQuery({
    queryKey: ['ticket', text, String(at)],
    queryFn: () =>
      judge({ kind: 'ticket', text, at, issuer: { chainId, planRegistry: contracts.planRegistry, verdictSigners } }),
    networkMode: 'always',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error instanceof JudgeFailed) {
    const isUnread = error.why === 'unread';
    return (
      <Notice
        kind="bad"
        title={isUnread ? verifyWords.noTicket : verifyWords.notChecked}
        more={isUnread ? verifyWords.noTicketMore : judgeWords[error.why]}
      />
    );
  }
  if (error !== null) return <Notice kind="bad" title={verifyWords.notChecked} />;
  if (data === undefined) return <Skeleton lines={3} label={verifyWords.verifying} />;
  return (
    <>
      {unread && <Notice kind="caution" title={verifyWords.browserClock} more={whyUnread(unread)} />}
      <Ticket text={text} verified={data} {...{ at, now, isTold }} />
    </>
  );
}
