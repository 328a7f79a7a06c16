import { useState } from 'react';
import type { Address } from 'viem';
import type { BuyAnswer } from '../../wire.ts';
import { Findings } from '../parts/findings.tsx';
import { Notice } from '../parts/notice.tsx';
import { VerdictBadge } from '../parts/verdict-badge.tsx';
import { reasonWords } from '../words/reasons.ts';
import { DeskOffer } from './desk-offer.tsx';
import { SwapOffer } from './swap-offer.tsx';

interface Props {
  readonly answer: BuyAnswer;
  readonly owner: Address;
  readonly isAsking: boolean;
  readonly acknowledge: () => void;
  readonly again: () => void;
}

/** The verdict with its findings, and what may be signed because of it, if anything. */
export function Offer({ answer, owner, isAsking, acknowledge, again }: Props) {
  const { verdict, reason, withheld, findings } = answer;
  const [isAccepted, setAccepted] = useState(false);
  const isRefused = verdict === 'NO_GO' || verdict === 'NO_DATA';
  return (
    <div className="stack">
      <section className="card" aria-labelledby="verdict">
        <div className="card-head">
          <h2 id="verdict">Verdict on {answer.asset}</h2>
          <VerdictBadge verdict={verdict} />
        </div>
        {isRefused && (
          <Notice
            kind={verdict === 'NO_GO' ? 'bad' : 'plain'}
            title={verdict === 'NO_GO' ? 'Not at this price' : 'Too little is known'}
          >
            <p>{sentence(reasonWords(reason ?? 'verdict_no_data'))} There is nothing to sign.</p>
            <button type="button" className="button" disabled={isAsking} onClick={again}>
              Ask again
            </button>
          </Notice>
        )}
        {verdict === 'CAUTION' && withheld === 'caution_not_acknowledged' && (
          <Notice kind="caution" title="Look before you buy">
            <p>{sentence(reasonWords(reason ?? ''))}</p>
            <label className="tick">
              <input type="checkbox" checked={isAccepted} onChange={(event) => setAccepted(event.target.checked)} />
              <span>I have read the findings and want to go on</span>
            </label>
            <button type="button" className="button" disabled={!isAccepted || isAsking} onClick={acknowledge}>
              {isAsking ? 'Preparing …' : 'Prepare the swap'}
            </button>
          </Notice>
        )}
        {!isRefused && withheld !== null && withheld !== 'caution_not_acknowledged' && (
          <Notice kind="caution" title="The swap cannot be made now">
            <p>{sentence(reasonWords(withheld))}</p>
          </Notice>
        )}
        {!isRefused && answer.calls && <SwapOffer answer={answer} again={again} />}
        {!isRefused && answer.desk?.quote && <DeskOffer desk={answer.desk} owner={owner} />}
        <details className="more" open={verdict !== 'GO'}>
          <summary>Findings</summary>
          <Findings ruling={{ verdict, reason, findings }} />
        </details>
      </section>
    </div>
  );
}

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
