import { Notice } from '../parts/notice.tsx';

/** Replaces the button when the verdict of an offer has expired. */
export const TooOld = ({ again }: { readonly again: () => void }) => (
  <Notice kind="plain" title="The verdict is too old to buy on">
    <p>There is nothing to sign until it is asked for again.</p>
    <button type="button" className="button" onClick={again}>
      Ask again
    </button>
  </Notice>
);
