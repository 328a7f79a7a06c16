import { shortAddress } from '@bowline/core/domain/readable';
import type { Line } from '@bowline/core/replay/line';
import { useState } from 'react';
import { elapsed, thisMoment } from '../api/age.ts';
import { assetAt } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import { useToken } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { VerdictBadge } from '../parts/verdict-badge.tsx';
import { problemWords } from '../replay/problem-words.ts';
import type { TicketVerified } from '../replay/tasks.ts';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { exactly } from '../words/times.ts';
import { fragmentOf } from './ticket-link.ts';

interface Props {
  readonly text: string;
  readonly verified: TicketVerified;
  /** Unix seconds at which it was checked. */
  readonly at: bigint;
}

export function Ticket({ text, verified, at }: Props) {
  const { problems, verdict, ticket, signer, isReplayed, lines } = verified;
  const [checkedAt] = useState(thisMoment);
  // It expires while it is looked at.
  const now = at + BigInt(Math.floor(elapsed(checkedAt, useMoment()) / 1_000));
  const settings = useSettings();
  const pay = useToken(ticket.tokenIn);
  const buy = useToken(ticket.tokenOut);
  const isKnown = (address: typeof ticket.tokenIn) => assetAt(settings, address) !== undefined;
  const named = (token: typeof pay, address: typeof ticket.tokenIn) =>
    token === undefined
      ? shortAddress(address)
      : `${token.symbol}${isKnown(address) ? '' : ', not listed here'} (${address})`;
  const isExpired = now >= ticket.expiresAt;
  // An expired ticket is no fault of its signer's.
  const isWrong = problems.some((problem) => problem !== 'expired');
  const facts: readonly (readonly [string, string])[] = [
    ['Signed by', signer ?? 'nobody: the signature is of no key'],
    ['Pays with', named(pay, ticket.tokenIn)],
    ['Buys', named(buy, ticket.tokenOut)],
    [
      'At most per trade',
      ticket.maxAmountIn === 0n
        ? 'nothing: it serves for a record alone'
        : pay
          ? `${exactAmount(ticket.maxAmountIn, pay.decimals)} ${pay.symbol}`
          : `${ticket.maxAmountIn} base units`,
    ],
    [
      'Highest price',
      ticket.maxPriceWad === 0n
        ? 'none: it serves for a record alone'
        : pay && buy
          ? `${exactAmount((ticket.maxPriceWad * 10n ** BigInt(buy.decimals)) / 10n ** BigInt(pay.decimals), 18)} ${pay.symbol} per ${buy.symbol}`
          : `${ticket.maxPriceWad} base units per 1e18`,
    ],
    ['Issued', exactly(ticket.issuedAt)],
    [isExpired ? 'Expired' : 'Expires', exactly(ticket.expiresAt)],
    ['Evidence', ticket.evidenceHash],
  ];
  return (
    <>
      {isWrong && (
        <Notice kind="bad" title="Do not act on this ticket">
          <ul className="stack">
            {problems.map((problem) => (
              <li key={problem}>
                <strong>{problemWords[problem][0]}</strong> (<code>{problem}</code>). {problemWords[problem][1]}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {!isWrong && isExpired && (
        <Notice kind="caution" title="It is genuine, and it has expired">
          <p>{problemWords.expired[1]}</p>
        </Notice>
      )}
      {!isWrong && !isExpired && (
        <Notice
          kind={isReplayed ? 'good' : 'caution'}
          title={
            isReplayed
              ? 'Signed by this deployment, in force, and it follows from its evidence'
              : 'Signed by this deployment, and in force'
          }
        >
          {!isReplayed && <p>Evidence not at hand: the signature is all that vouches for the verdict.</p>}
        </Notice>
      )}
      <section className="card" aria-labelledby="ticket-says">
        <div className="card-head">
          <h2 id="ticket-says">What it says</h2>
          {isWrong || isExpired ? (
            <span className={isWrong ? 'badge word bad' : 'badge word plain'}>
              {isWrong ? `not valid: says ${verdict}` : `was ${verdict}`}
            </span>
          ) : (
            <VerdictBadge verdict={verdict} />
          )}
        </div>
        <Facts rows={facts} />
        <p className="faint">Checked at {exactly(at)}.</p>
        <Share text={text} />
      </section>
      <Compared lines={lines} isReplayed={isReplayed} />
    </>
  );
}

/** Every statement, beside what the evidence gives. */
function Compared({ lines, isReplayed }: { readonly lines: readonly Line[]; readonly isReplayed: boolean }) {
  if (!isReplayed)
    return <p className="faint">Evidence not at hand. Paste the whole answer to have it judged again.</p>;
  const wrong = lines.filter(({ said, found }) => said !== found);
  const unchecked = lines.filter((line) => line.unchecked !== undefined && line.said === line.found);
  return (
    <section className="card" aria-labelledby="ticket-evidence">
      <h2 id="ticket-evidence">Judged again from its evidence</h2>
      {lines.length === 0 && <p>The evidence cannot be judged by the rules that this page knows.</p>}
      {lines.length > 0 && (
        <p>
          {lines.length - wrong.length - unchecked.length} of {lines.length} statements follow
          {unchecked.length > 0 && `, ${unchecked.length} could not be checked`}
          {wrong.length > 0 && `, ${wrong.length} differ`}.
        </p>
      )}
      {unchecked.map(({ what, unchecked: why }) => (
        <p key={what} className="faint">
          {what}: {why}
        </p>
      ))}
      {wrong.length > 0 && (
        <ul className="stack">
          {wrong.map(({ what, said, found }) => (
            <li key={what}>
              <span className="badge word bad">differs</span> <strong>{what}</strong>
              <p className="full faint">stated {said}</p>
              <p className="full faint">found {found}</p>
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
    const make = async () => setLink(`${location.origin}/verify#${await fragmentOf(text)}`);
    return (
      <div className="buttons">
        <button type="button" className="button" onClick={() => void make()}>
          Make a link to it
        </button>
      </div>
    );
  }
  return (
    <div className="field">
      <label htmlFor="ticket-link">Link. What follows the # is sent to no server.</label>
      <div className="input">
        <input id="ticket-link" readOnly value={link} onFocus={({ target }) => target.select()} />
      </div>
    </div>
  );
}
