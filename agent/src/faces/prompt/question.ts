import type { Asset } from '../../domain/assets.ts';
import type { Side } from '../../domain/facts.ts';
import { takeBareNumber, takeDollars } from './amount.ts';
import { takeAssets } from './names.ts';
import { type Span, takeSpan } from './span.ts';
import { Text } from './text.ts';

/** What a question in English names, found by its words alone. */
export interface Question {
  /** Lower case, with an @ for each asset, and without what the other fields hold. */
  readonly words: string;
  /** Listed assets that are asked about, in the order of the text. */
  readonly assets: readonly Asset[];
  /** Decimal text; a stablecoin counts as one dollar, and so does a number that names no currency. */
  readonly amountUsd?: string;
  readonly side?: Side;
  readonly address?: string;
  readonly plan?: string;
  readonly guard?: string;
  /** Of a plan's newest records. */
  readonly count?: number;
  readonly span?: Span;
}

/** What the tool gives at once. */
const MOST_RECORDS = 100;
const ID = '\\s*(?:number|no\\.?|nr\\.?|id)?\\s*#?\\s*(\\d{1,20})\\b';

export function readQuestion(prompt: string, assets: readonly Asset[]): Question {
  const text = new Text(prompt);
  const address = text.take(/\b0x[0-9a-fA-F]{40}\b/)?.[0];
  text.lower();
  const plan = text.take(new RegExp(`\\bplan${ID}`), 'plan')?.[1];
  const guard = text.take(new RegExp(`\\b(guard|policy|rescue)${ID}`), 'guard rescue')?.[2];
  const count = takeCount(text);
  const span = takeSpan(text);
  const dollars = takeDollars(text, assets);
  const side = sideOf(text);
  const named = takeAssets(text, assets);
  const amountUsd = dollars?.usd ?? takeBareNumber(text);
  const asked = named.length > 0 || dollars?.coin === undefined ? named : [dollars.coin];
  return {
    words: text.value.replace(/\s+/g, ' ').trim(),
    assets: [...new Set(asked)],
    ...(amountUsd !== undefined && { amountUsd }),
    ...(side && { side }),
    ...(address && { address }),
    ...(plan && { plan }),
    ...(guard && { guard }),
    ...(count && { count }),
    ...(span && { span }),
  };
}

function takeCount(text: Text): number | undefined {
  const newest = '(?:last|latest|newest|most recent)';
  const match = text.take(
    new RegExp(`\\b(?:${newest}\\s+)?(\\d{1,3})\\s+(?:${newest}\\s+)?(?:runs|records|deferrals)\\b`),
    'runs',
  );
  return match && Math.min(MOST_RECORDS, Number(match[1]));
}

function sideOf(text: Text): Side | undefined {
  const paidInDollars =
    /\b(?:in)?to (?:usdt|usdc|usd|dollars|stable\w*|cash)\b|\bhow (?:many|much) (?:usdt|usdc|usd|dollars)\b/;
  const sell = text.has(/\b(?:sell\w*|sold|dump\w*|get rid of|cash out|exit)\b/) || text.has(paidInDollars);
  const buy = text.has(/\b(?:buy\w*|bought|purchas\w*|acquir\w*|invest\w*|spend\w*|put)\b/);
  // Both, as in "buy or sell?", is neither.
  return sell === buy ? undefined : sell ? 'sell' : 'buy';
}
