import type { Line } from '@bowline/core/replay/line';
import { useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { VerdictBadge } from '../parts/verdict-badge.tsx';
import type { TicketVerified } from '../replay/tasks.ts';
import { problemWords, verifyWords } from '../words/en/tickets.ts';
import { exactly } from '../words/times.ts';
import { fragmentOf } from './ticket-link.ts';
import { Terms } from './ticket-terms.tsx';

interface Props {
  readonly text: string;
  readonly verified: TicketVerified;
  /** Unix seconds at which the ticket was checked. */
  readonly at: bigint;
  /** Unix seconds. The ticket may expire while it is shown. */
  readonly now: bigint;
  /** Whether `now` can tell that the ticket has not expired. */
  readonly isTold: boolean;
}

export function Ticket({ text, verified, at, now, isTold }: Props) {
  const { problems, verdict, ticket, isReplayed, lines } = verified;
  const isExpired = now >= ticket.expiresAt;
  // Expiry is not the signer's fault.
  const isWrong = problems.some((problem) => problem !== 'expired');
  return (
    <>
      <Worth {...{ verified, isWrong, isExpired, isTold }} />
      <section className="card" aria-labelledby="ticket-says">
        <div className="card-head">
          <h2 id="ticket-says">{verifyWords.says}</h2>
          {isWrong || isExpired || !isTold ? (
            <span className={isWrong ? 'badge word bad' : 'badge word plain'}>
              {(isWrong ? verifyWords.notValid : isExpired ? verifyWords.was : verifyWords.saysWord)(verdict)}
            </span>
          ) : (
            <VerdictBadge verdict={verdict} />
          )}
        </div>
        <Terms verified={verified} isExpired={isExpired} />
        <p className="faint">{verifyWords.checkedAt(exactly(at))}</p>
        <Share text={text} />
      </section>
      <Compared lines={lines} isReplayed={isReplayed} />
    </>
  );
}

interface WorthProps extends Pick<Props, 'verified' | 'isTold'> {
  readonly isWrong: boolean;
  readonly isExpired: boolean;
}

/** Whether anyone should act on the ticket; shown before what it says. */
function Worth({ verified: { problems, isReplayed, looser }, isWrong, isExpired, isTold }: WorthProps) {
  return (
    <>
      {isWrong && (
        <Notice kind="bad" title={verifyWords.doNotAct}>
          <ul className="stack">
            {problems.map((problem) => (
              <li key={problem}>
                <strong>{problemWords[problem].title}</strong> (<code>{problem}</code>). {problemWords[problem].more}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {!isWrong && isExpired && (
        <Notice kind="caution" title={verifyWords.genuineExpired} more={problemWords.expired.more} />
      )}
      {!isWrong && !isExpired && !isTold && (
        <Notice kind="caution" title={verifyWords.genuineUntold} more={verifyWords.untold} />
      )}
      {!isWrong && !isExpired && isTold && (
        <Notice
          kind={isReplayed && looser.length === 0 ? 'good' : 'caution'}
          title={isReplayed ? verifyWords.goodAndFollows : verifyWords.good}
          more={isReplayed ? undefined : verifyWords.signatureOnly}
        />
      )}
      {looser.length > 0 && (
        <Notice kind="caution" title={verifyWords.looser} more={verifyWords.looserMore}>
          <ul>
            {looser.map(({ limit, own, usual }) => (
              <li key={limit}>
                <code>{limit}</code> {verifyWords.looserThan(own, usual)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** Every statement, next to what the evidence gives. */
function Compared({ lines, isReplayed }: { readonly lines: readonly Line[]; readonly isReplayed: boolean }) {
  if (!isReplayed) return <p className="faint">{verifyWords.pasteAll}</p>;
  const wrong = lines.filter(({ said, found }) => said !== found);
  const unchecked = lines.filter((line) => line.unchecked !== undefined && line.said === line.found);
  return (
    <section className="card" aria-labelledby="ticket-evidence">
      <h2 id="ticket-evidence">{verifyWords.judgedAgain}</h2>
      {lines.length === 0 && <p>{verifyWords.unknownRules}</p>}
      {lines.length > 0 && (
        <p>
          {verifyWords.follow(lines.length - wrong.length - unchecked.length, lines.length)}
          {unchecked.length > 0 && verifyWords.unchecked(unchecked.length)}
          {wrong.length > 0 && verifyWords.differ(wrong.length)}
          {verifyWords.end}
        </p>
      )}
      {unchecked.map(({ what, unchecked: why }) => (
        <p key={what} className="faint">
          {verifyWords.whyUnchecked(what, why ?? '')}
        </p>
      ))}
      {wrong.length > 0 && (
        <ul className="stack">
          {wrong.map(({ what, said, found }) => (
            <li key={what}>
              <span className="badge word bad">{verifyWords.differs}</span> <strong>{what}</strong>
              <p className="full faint">{verifyWords.stated(said)}</p>
              <p className="full faint">{verifyWords.found(found)}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Share({ text }: { readonly text: string }) {
  const [link, setLink] = useState<string>();
  if (link === undefined) {
    const make = async () => setLink(`${location.origin}/check/ticket#${await fragmentOf(text)}`);
    return (
      <div className="buttons">
        <button type="button" className="button" onClick={() => void make()}>
          {verifyWords.makeLink}
        </button>
      </div>
    );
  }
  return (
    <div className="field">
      <label htmlFor="ticket-link">{verifyWords.link}</label>
      <div className="input">
        <input id="ticket-link" readOnly value={link} onFocus={({ target }) => target.select()} />
      </div>
    </div>
  );
}
