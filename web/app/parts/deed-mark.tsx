import type { Deed } from '../chain/read-deeds.ts';

/** A buy comes in, a skipped one is stepped over, a rescue holds its shield. */
const paths: Readonly<Record<Deed['kind'], string>> = {
  run: 'M12 4.500v10m-4-4l4 4 4-4M5 19h14',
  skip: 'M5 14.500a7 7 0 0 1 13.500-1.500m.5-5v5h-5M10.500 18h3',
  rescue:
    'M12 4l6.500 2.700v4.700c0 4.300-2.700 7-6.500 8.600-3.800-1.600-6.500-4.300-6.500-8.600V6.700zM9 11.800l2.300 2.300 3.900-4.200',
};

/** A mark for the kind of deed in a row; the row's text says it, too. */
export const DeedMark = ({ kind }: { readonly kind: Deed['kind'] }) => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    aria-hidden="true"
    className={`deed-mark ${kind === 'skip' ? 'caution' : kind}`}
  >
    <path d={paths[kind]} />
  </svg>
);
