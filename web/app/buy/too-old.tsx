import { Notice } from '../parts/notice.tsx';

/** In the place of a button, once the verdict that an offer rests on has passed its time. */
export const TooOld = ({ again }: { readonly again: () => void }) => (
  <Notice kind="plain" title="The verdict is too old to buy on">
    <p>There is nothing to sign until it is asked for again.</p>
    <button type="button" className="button" onClick={again}>
      Ask again
    </button>
  </Notice>
);
