import { useState } from 'react';
import { decodeSwap, type Order } from '../../validate-offer.ts';
import type { BuyAnswer } from '../../wire.ts';
import { isPastTicket, thisMoment } from '../api/age.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Findings, LargestGo } from '../parts/findings.tsx';
import { Notice } from '../parts/notice.tsx';
import { OldVerdict, VerdictBadge } from '../parts/verdict-badge.tsx';
import { useSettings } from '../settings.tsx';
import { cautionAdvice, inWords, sentence } from '../words/core-words.ts';
import { buyWords } from '../words/en/buy.ts';
import { verdictWords } from '../words/en/parts.ts';
import { timeOfDay } from '../words/times.ts';
import { SwapOffer, Unsound } from './swap-offer.tsx';

interface Props {
  readonly answer: BuyAnswer;
  /** The order that the answer must match; an answer to any other order is ignored. */
  readonly order: Order;
  /** Whether the owner trades BNB, with WBNB only in between. */
  readonly isBnb: boolean;
  readonly isAsking: boolean;
  /** The checks that had not passed when the owner accepted the findings. The next answer may have others. */
  readonly accepted: readonly string[];
  readonly acknowledge: () => void;
  readonly again: () => void;
}

/** The verdict with its findings, and the offer that may be signed because of it, if any. */
export function Offer({ answer, order, isBnb, isAsking, accepted, acknowledge, again }: Props) {
  const settings = useSettings();
  const { verdict, reason, withheld, findings } = answer;
  const [isAccepted, setAccepted] = useState(false);
  // An offer is mounted for every answer, so this is when the answer arrived.
  const [received] = useState(thisMoment);
  const now = useMoment();
  const chainTime = useChainTime();
  const isOld = isPastTicket(received, now) || (chainTime !== undefined && chainTime >= BigInt(answer.expires_at));
  const isRefused = verdict === 'NO_GO' || verdict === 'NO_DATA';
  const swap = !isRefused && answer.calls ? decodeSwap(answer, order, settings) : undefined;
  // Nothing to sign, and no reason given.
  const isBare = !isRefused && answer.calls === null && withheld === null;
  const bare = isBare ? ({ ok: false, reason: 'offer_contradicts_itself' } as const) : undefined;
  const unsound = [swap, bare].find((each) => each?.ok === false);
  const isToAccept = verdict === 'CAUTION' && withheld === 'caution_not_acknowledged';
  const hasNews = order.isCautionAccepted && notPassedIn(answer).some((check) => !accepted.includes(check));
  const isReady = unsound === undefined && (isAccepted || !hasNews);
  return (
    <div className="stack">
      <section className="card" aria-labelledby="verdict">
        <div className="card-head">
          <h2 id="verdict">{buyWords.verdictOn(answer.asset)}</h2>
          {isOld ? <OldVerdict asOf={timeOfDay(received.wall)} /> : <VerdictBadge verdict={verdict} />}
        </div>
        {isRefused && (
          <Notice
            kind={verdict === 'NO_GO' ? 'bad' : 'plain'}
            title={verdict === 'NO_GO' ? buyWords.refused : verdictWords.NO_DATA}
            more={buyWords.nothingToSign(sentence(inWords(reason ?? 'verdict_no_data')))}
          >
            <button type="button" className="button" disabled={isAsking} onClick={again}>
              {buyWords.askAgain}
            </button>
          </Notice>
        )}
        {isToAccept && (
          <Notice kind="caution" title={buyWords.caution} more={sentence(inWords(reason ?? ''))}>
            <p>{cautionAdvice(reason ?? '')}</p>
            <label className="tick">
              <input type="checkbox" checked={isAccepted} onChange={(event) => setAccepted(event.target.checked)} />
              <span>{buyWords.accept}</span>
            </label>
            <button type="button" className="button" disabled={!isAccepted || isAsking} onClick={acknowledge}>
              {isAsking ? buyWords.preparing : buyWords.prepare}
            </button>
          </Notice>
        )}
        {!isRefused && withheld !== null && !isToAccept && (
          <Notice kind="caution" title={buyWords.withheld} more={sentence(inWords(withheld))} />
        )}
        {unsound && <Unsound reason={unsound.reason} again={again} />}
        {!unsound && hasNews && swap && (
          <Notice kind="caution" title={buyWords.newFindings} more={buyWords.newFindingsMore}>
            <label className="tick">
              {/* Stays ticked: hiding the offer would lose what is known of a purchase in flight. */}
              <input type="checkbox" checked={isAccepted} disabled={isAccepted} onChange={() => setAccepted(true)} />
              <span>{buyWords.accept}</span>
            </label>
          </Notice>
        )}
        {isReady && swap?.ok && <SwapOffer trade={swap.trade} {...{ order, isBnb, isOld, again }} />}
        {!isOld && <LargestGo ruling={answer} />}
        <details className="more" open={verdict !== 'GO'}>
          <summary>{buyWords.findings}</summary>
          <Findings ruling={{ verdict, reason, findings }} />
        </details>
      </section>
    </div>
  );
}

/** The checks that an answer did not pass, by name: these are what the user accepts. */
export const notPassedIn = ({ findings }: Pick<BuyAnswer, 'findings'>): readonly string[] =>
  findings.flatMap(({ check, outcome }) => (outcome === 'pass' ? [] : [check]));
