import { parseUnits } from 'viem';
import type { Ruling } from '../../wire.ts';
import { usd } from '../words/amounts.ts';
import { verdictWords } from '../words/en/parts.ts';

/** The size up to which the verdict would be GO, next to the verdict for the requested size. */
export const LargestGo = ({ ruling: { largest_go_usd: largest } }: { readonly ruling: Ruling }) =>
  largest ? <p className="faint">{verdictWords.upTo(usd(parseUnits(largest, 18)))}</p> : null;
