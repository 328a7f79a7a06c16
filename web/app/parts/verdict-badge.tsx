import type { VerdictWord } from '../../wire.ts';
import { verdictWords } from '../words/en/parts.ts';

const shapes: Readonly<Record<VerdictWord, { readonly tone: string; readonly path: string }>> = {
  GO: { tone: 'good', path: 'M4 8.500l2.700 2.700L12 5.500' },
  CAUTION: { tone: 'caution', path: 'M8 4v5m0 2.600v.4' },
  NO_GO: { tone: 'bad', path: 'M5 5l6 6m0-6l-6 6' },
  NO_DATA: { tone: 'plain', path: 'M5 8h6' },
};

/** Words and shape carry the meaning; the colour only repeats it. The code is the name in contracts and logs. */
export function VerdictBadge({ verdict }: { readonly verdict: VerdictWord }) {
  const { tone, path } = shapes[verdict];
  return (
    <span className={`badge ${tone}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={path} />
      </svg>
      {verdictWords[verdict]} <code>{verdict}</code>
    </span>
  );
}

/** Replaces an expired verdict. It does not repeat the word: an expired GO is not a GO. */
export const OldVerdict = ({ asOf }: { readonly asOf: string }) => (
  <span className="stack small">
    <span className="badge plain word">{verdictWords.old}</span>
    <span className="faint">{verdictWords.asOf(asOf)}</span>
  </span>
);
