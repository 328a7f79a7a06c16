import { Notice } from './notice.tsx';

interface Props {
  /** What could not be read: "The plans". */
  readonly what: string;
  readonly retry: () => void;
}

export const ReadFailed = ({ what, retry }: Props) => (
  <Notice kind="bad" title={`${what} could not be read`}>
    <p>The chain or the page’s server did not answer. Nothing has been sent or changed.</p>
    <button type="button" className="button" onClick={retry}>
      Try again
    </button>
  </Notice>
);
