import type { Asset } from '@bowline/core/domain/assets';
import type { Side } from '@bowline/core/domain/facts';
import { markSides } from './sides.ts';

/** A trade size as given. */
export interface Size {
  /** The asset it belongs to; absent if it belongs to none or to all. */
  readonly asset?: Asset;
  readonly amount: { readonly amount_usd: string } | { readonly amount_asset: string };
}

/** One asset with the side and size of its own clause. */
export interface Leg {
  readonly asset: Asset;
  readonly side?: Side;
  readonly size?: Size['amount'];
}

/**
 * How the assets of a question go with its sides.
 *   alike    one statement for all: one asset, or a list under one side or none
 *   each     different clauses: every asset has its own side
 *   unclear  anything else; its legs are guesses, used for examples only
 */
export interface Clauses {
  readonly kind: 'alike' | 'each' | 'unclear';
  readonly legs: readonly Leg[];
}

// Each word becomes one letter, so that a rule covers the whole question: a word without a class (x) matches none.
//   S P sides · A asset · N D B numbers · k colon · c other punctuation · j joins · o of · v verbs · q fair · w whether ·
//   f other words of a frame
const classes: Readonly<Record<string, string>> = {
  // Skipped: they change nothing, and rules that allow them in many places are slow.
  '': 'a an the my our some more',
  j: 'and or plus also then nor + / what_about how_about as_well_as',
  o: 'of in into on worth',
  v: 'is are',
  f:
    'to for at be do does would could can may should i we one you me it both either good bad right ' +
    'great fine nice ok okay safe reasonable wise smart sensible time moment idea deal now today currently please pls verdict ' +
    'check judge tell give want think thinking this that impact slippage what there enough liquidity depth too ' +
    'all just really each wait first about for_money',
  q: 'fair fairly price priced',
  w: 'whether',
};
const letters = new Map(
  Object.entries(classes).flatMap(([letter, words]) => words.split(' ').map((word) => [word, letter] as const)),
);

function lettersOf(words: string): string {
  const spaced = markSides(words)
    .replace(/\b(what|how) about\b/g, '$1_about')
    .replace(/\bas well as\b/g, 'as_well_as')
    .replace(/\bnow that\b/g, 'since')
    .replace(/\b(tell me|check|say|know) if\b/g, '$1 whether')
    .replace(/\b(?:for|(?:in)?to|in|with|using|from) (?:usd|stablecoin|dollars|cash)\b/g, 'for_money')
    .replace(/-+>|=+>/g, ' → ')
    .replace(/[^\p{L}\p{N}_@'\s]/gu, ' $& ');
  const letterOf = (word: string): string => {
    if (word === '@') return 'A';
    if (/^[SPNDB]$/.test(word)) return word;
    if (word === ':') return 'k';
    return /^[,;.?!()"–—•|-]$/.test(word) ? 'c' : (letters.get(word) ?? 'x');
  };
  return spaced.trim().split(/\s+/).map(letterOf).join('');
}

const item = '(?:N|[DB]o*)?A';
const list = `${item}(?:[cj]+${item})*`;
const side = '[SP](?:j[SP])*';
// Letters allowed before the first clause and after an asset. "Is" after an asset is about that one alone.
const before = '[fqwvjcko]*';
const after = '(?:[fqjck][fqvjck]*)?';

/** "Sell N @ and N @, P N @": each side before its assets. */
const sideFirst = new RegExp(`^${before}(?:${side}[ok]*${list}${after})+$`);
/** "@ fair to S, @ to P": each side after its assets, with something between the clauses. */
const sideLast = new RegExp(`^${before}${list}[fqvk]*${side}(?:[fq]*[cj][fqvjck]*${list}[fqvk]*${side})*[fqjck]*$`);
/** A list under the single named side, before or after it. */
const alike = /^[^A]*A(?:[cj]*(?:N|[DB]o*)?A)*(?:[^Avx][^Ax]*)?$/;
/** A list without a side, also "@ fair, @ fair". */
const alikeOfNoSide = /^[^A]*A(?:[cjq]*(?:N|[DB]o*)?A)*(?:[^Avx][^Ax]*)?$/;

/**
 * How the assets of a question go with the sides its words name.
 * @param words as in a Question
 * @param named the asset of each @
 * @param sizes of the marks N, D and B in order; undefined if one of them is a price
 */
export function clausesOf(words: string, named: readonly Asset[], sizes: readonly Size[] | undefined): Clauses {
  const all = lettersOf(words);
  const bothSides = all.includes('S') && all.includes('P');
  const several = new Set(named).size > 1;
  const sided = all.match(/[SP]/g)?.length ?? 0;
  const byClause =
    sizes === undefined ? undefined : sideFirst.test(all) ? sideBefore : sideLast.test(all) ? sideAfter : undefined;
  const legs = (sideOf: SideOf) => legsOf(all, named, sizes ?? [], sideOf);
  // A stablecoin beside another asset is the payment for it.
  const paid = several && named.some(({ class: kind }) => kind === 'stable');
  if (bothSides && byClause && !paid) return { kind: 'each', legs: legs(byClause) };
  const isList = sided === 0 ? alikeOfNoSide.test(all) : sided === 1 ? alike.test(all) : byClause !== undefined;
  if (!bothSides && (!several || isList)) return { kind: 'alike', legs: legs(nearest) };
  return { kind: 'unclear', legs: guessed(words, legs(nearest), bothSides) };
}

/** The sides of an asset, as S and P, given the letters before and after it. */
type SideOf = (left: string, right: string) => string | undefined;

const sideBefore: SideOf = (left) => /[SP](?:j[SP])*(?=[^SP]*$)/.exec(left)?.[0];
const sideAfter: SideOf = (_, right) => /^[^SP]*([SP](?:j[SP])*)/.exec(right)?.[1];
const nearest: SideOf = (left, right) =>
  /[SP](?=[^ASP]*$)/.exec(left)?.[0] ??
  /^[^ASPcj]*([SP])/.exec(right)?.[1] ??
  sideBefore(left, right) ??
  sideAfter(left, right);

function legsOf(all: string, named: readonly Asset[], sizes: readonly Size[], sideOf: SideOf): Leg[] {
  const assets = [...all.matchAll(/A/g)];
  return assets.flatMap(({ index }, ordinal) => {
    const [left, right] = [all.slice(0, index), all.slice(index + 1)];
    const asset = named[ordinal];
    if (asset === undefined) return [];
    const size = /[NDB]o*$/.test(left) ? sizes[(left.match(/[NDB]/g)?.length ?? 0) - 1] : undefined;
    const leg = { asset, ...(size && { size: size.amount }) };
    const sides = new Set(sideOf(left, right)?.match(/[SP]/g));
    return sides.size === 0
      ? [leg]
      : [...sides].map((mark) => ({ ...leg, side: mark === 'S' ? 'sell' : 'buy' }) as const);
  });
}

const again = '(?:(?:N|my|the|some|more) )*@';
const swapped = new RegExp(`@ (?:for|(?:in)?to|against|→|->|=>) ?${again}`);
const paidWith = new RegExp(`\\bP .*@ (?:for|with|using|from|against) ${again}`);

/** Possible meanings, for examples: the two halves of a swap, or both sides of one asset. */
function guessed(words: string, legs: readonly Leg[], bothSides: boolean): readonly Leg[] {
  const [first, second, ...more] = legs;
  if (first === undefined || more.length > 0) return legs;
  if (second === undefined) {
    return bothSides ? (['buy', 'sell'] as const).map((side) => ({ ...first, side })) : legs;
  }
  const halves = (one: Side, other: Side): Leg[] => [
    { ...first, side: one },
    { ...second, side: other },
  ];
  if (/\bhow (?:much|many)\b/.test(words)) return legs;
  const marked = markSides(words);
  if (paidWith.test(marked)) return halves('buy', 'sell');
  return swapped.test(marked) ? halves('sell', 'buy') : legs;
}
