import type { Settings } from '../app/api/settings.ts';
import type { Known } from '../app/home/known.ts';
import { figuresOf, type Sure } from '../app/home/state.ts';

/** Home's three numbers in one line, as they are read out: "1.20 not guarded · 0:34 12:00 · 1". */
export const stateOf = (known: Known, sure: Sure, settings: Settings): string =>
  figuresOf(known, sure, settings)
    .map(({ value, more }) => `${value} ${more}`.trim())
    .join(' · ');

/** Tone of the figure that counts what needs the owner. */
export const toneOf = (known: Known, sure: Sure, settings: Settings) => figuresOf(known, sure, settings)[2].tone;
