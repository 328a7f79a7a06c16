import type { OfferReason } from '../../sound-offer.ts';
import { Notice } from '../parts/notice.tsx';
import { textOf } from '../words/core-words.ts';
import { buyWords } from '../words/en/buy.ts';

interface Props {
  readonly reason: OfferReason;
  /** Whether it was sound before: time has passed, or the price has moved. */
  readonly wasSound?: boolean;
  readonly again: () => void;
}

/** Replaces an offer that does not match the order, or no longer does. */
export function Unsound({ reason, wasSound = false, again }: Props) {
  const isLate = reason === 'offer_expired';
  const isOver = isLate || wasSound;
  const title = isLate ? buyWords.tooOld : wasSound ? buyWords.priceMoved : buyWords.unsound;
  return (
    <Notice kind={isOver ? 'plain' : 'bad'} title={title}>
      {!isLate && (
        <p>
          {buyWords.unsoundWhy} {textOf(reason)} (<span className="mono">{reason}</span>).
        </p>
      )}
      <button type="button" className="button" onClick={again}>
        {buyWords.askAgain}
      </button>
    </Notice>
  );
}
