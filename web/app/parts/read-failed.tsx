import { words } from '../words/en/frame.ts';
import { whyUnread } from '../words/refusals.ts';
import { Notice } from './notice.tsx';

interface Props {
  /** What could not be read: "The plans". */
  readonly what: string;
  /** Which action failed. */
  readonly done?: 'read' | 'searched';
  /** The error of the reading. */
  readonly error: unknown;
  /** What the page shows instead, or the consequence. */
  readonly more?: string;
  readonly retry: () => void;
}

export const ReadFailed = ({ what, done = 'read', error, more, retry }: Props) => (
  <Notice kind="bad" title={(done === 'read' ? words.readings.couldNotRead : words.readings.couldNotSearch)(what)}>
    <p>
      {whyUnread(error)} {more && `${more} `}
      {words.readings.nothingChanged}
    </p>
    <button type="button" className="button" onClick={retry}>
      {words.readings.retry}
    </button>
  </Notice>
);
