const paths = {
  good: 'M6.500 12.500l3.700 3.700L17.500 8.500',
  caution: 'M12 6.500v7m0 3.600v.4',
  plain: 'M9 9.300a3 3 0 1 1 4.300 2.800c-.9.5-1.300 1-1.300 2m0 3v.4',
} as const;

export type StateTone = keyof typeof paths;

/** Fine, something to do, or not known. The shape tells them apart; the words beside it say the same. */
export const StateMark = ({ tone }: { readonly tone: StateTone }) => (
  <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" className={`state-mark ${tone}`}>
    <path d={paths[tone]} />
  </svg>
);
