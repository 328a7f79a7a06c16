import type { Asset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import type { Named } from './rows.ts';

/** What a phrase is about. */
export type Topic =
  | Named<'hello assets fee custody who working stop makeGuard makePlan order largest limit lacks moved covered rescue total terms why next'>
  | Named<'funded quoted quote slip peg mine plans plan loan guards fair amount price future causes compared runs past status'>;

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Which parts of the output the question asks for. */
  readonly details?: Details;
}

interface Details {
  /** Compare this price of one unit, in US dollars. */
  readonly priceUsd?: string;
  /** Value of this many units. */
  readonly units?: string;
  /** Measurement of this check, whether or not it decided. */
  readonly check?: string;
  /** Only yesterday. */
  readonly yesterday?: true;
  /** Terms of one plan from the list. */
  readonly plan?: string;
  /** The largest size that is GO. */
  readonly largest?: true;
}

/** A trade size: decimal text. */
export type Size = { readonly amount_usd: string } | { readonly amount_asset: string };

export interface Trade {
  readonly assets: readonly Item[];
  readonly side?: Side;
  readonly size?: Size;
}

/** An asset with its own size. */
export interface Item {
  readonly asset: Asset;
  readonly size?: Size;
}

/** Why nothing is called; each has its words in both languages. */
export type Back =
  | Named<'asset unlisted side size address plan guard number unit price_or_size percent currency not_understood several'>
  | Named<'both_sides pairs only_reads forecast only_now causes instructed unread'>;

/** How a number or a word was read, to be stated: `20k` as US dollars. */
export interface Reading {
  readonly written: string;
  readonly as: string;
}

export type Language = 'en' | 'zh';

/** Topics that are answered without a tool. */
export type FixedTopic = 'hello' | 'stop' | 'makePlan' | 'makeGuard' | 'fee' | 'custody' | 'who' | 'working';

/** What a prompt asks for: calls of tools, a fixed reply, or nothing yet. */
export type Intent = { readonly language: Language } & (
  | { readonly calls: readonly ToolCall[]; readonly readings: readonly Reading[] }
  | { readonly fixed: FixedTopic | 'meaning'; readonly about?: string }
  | {
      readonly back: Back;
      /** Similar questions that can be answered; may be empty. */
      readonly offered: readonly ToolCall[];
      readonly fixedOffered?: readonly FixedTopic[];
      /** A call that lacks only what we ask back for. */
      readonly lacking?: ToolCall;
      /** Words or numbers that are not understood. */
      readonly about?: readonly string[];
    }
);

/** A question with its marks (see english.ts), and what they stand for. */
export interface Question {
  readonly language: Language;
  /** The text orders a trade and asks no question. */
  readonly isOrder: boolean;
  /** Its words ask for a verdict; a trade alone is judged too. */
  readonly isJudged: boolean;
  /** The first percentage, as written. */
  readonly percent: string;
  /** Possible topics, used only for the offered choices. */
  readonly hinted: readonly FixedTopic[];
  /** What is left of the text: marks that no phrase took. */
  readonly left: string;
  readonly topics: ReadonlySet<Topic>;
  readonly unknown: readonly string[];
  /** Assets outside trades, with sizes. */
  readonly items: readonly Item[];
  readonly trades: readonly Trade[];
  /** Amounts outside trades and items. */
  readonly amounts: readonly Size[];
  readonly named?: { readonly asset: Asset; readonly priceUsd: string };
  readonly moved?: { readonly asset?: Asset; readonly change: string };
  readonly target?: string;
  readonly span?: Span;
  readonly count?: number;
  readonly addresses: readonly string[];
  readonly plans: readonly string[];
  readonly guards: readonly string[];
  readonly readings: readonly Reading[];
  readonly unclear?: { readonly back: Back; readonly written: string; readonly sizes: readonly Size[] };
}

/** A period up to now, as candles. */
export interface Span {
  readonly interval: '1m' | '5m' | '1h' | '1d';
  readonly count: number;
  readonly yesterday?: true;
}
