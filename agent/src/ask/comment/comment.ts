import type { CommentLeftOut } from '@bowline/core/domain/answer';
import { groundless, groundsOf } from './claims.ts';
import { folded, visible } from './fold.ts';

/** A longer text is no addition to an answer. */
const MAX_CHARS = 4_000;

/**
 * What of a model's text may stand in an answer: all of it, or nothing. A text from which sentences were taken says something
 * that nobody wrote, and one that states what no tool gave is not to be believed elsewhere either.
 * @param outputs of the tools that were called.
 * @param sentences our own, made from these outputs.
 */
export function commentOf(
  text: string,
  outputs: readonly Readonly<Record<string, unknown>>[],
  sentences: readonly string[],
): { readonly comment: string } | { readonly leftOut: CommentLeftOut } {
  const comment = visible(text);
  if (comment.length > MAX_CHARS) return { leftOut: 'length' };
  if (HIDDEN.test(text) || isDisguised(comment)) return { leftOut: 'writing' };
  const leftOut = groundless(comment, groundsOf(outputs, sentences));
  return leftOut === undefined ? { comment } : { leftOut };
}

const SCRIPTS = 'Han Hiragana Katakana Hangul Arabic Hebrew Devanagari Bengali Tamil Telugu Thai Greek'
  .split(' ')
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** Of Latin and Cyrillic, what today's languages are written in, and no phonetic or obsolete letters. */
const LETTERS = ' -~\\u00a0-\\u017f\\u0218-\\u021b\\u0300-\\u036f\\u0400-\\u045f\\u0490-\\u0493\\u1ea0-\\u1ef9';
const SIGNS = '\\p{Nd}\\p{P}\\p{Sc}\\u2190-\\u2193\\u2212\\u2044\\u2248\\u2260\\u2264\\u2265\\n';

/** Characters of living languages. Others are drawn like letters (🅖🅞, ɢᴏ, 🇬🇴) or say something (✅). */
const ORDINARY = new RegExp(`^[${SCRIPTS}${LETTERS}${SIGNS}]*$`, 'u');

/** Alphabets whose letters look like one another: no word mixes them. */
const MIXED =
  /\p{Script=Latin}(?=[\p{Script=Cyrillic}\p{Script=Greek}])|\p{Script=Cyrillic}(?=[\p{Script=Latin}\p{Script=Greek}])|\p{Script=Greek}(?=[\p{Script=Latin}\p{Script=Cyrillic}])/u;

/** Letters that stand for digits (lOO), and runs that only machines read. */
const CODED = /(?<![\p{L}'’])(?:[lI|]+O[OolI|]*|[OolI|]*[Oo]{2,}[OolI|]*|[Il|]{3,})(?!\p{L})|[A-Za-z+/=_-]{36,}/u;

/** A letter of another script in place of a Latin one: CAUTI口N, G〇. */
const REPLACED =
  /\p{Script=Latin}(?!\p{Script=Latin})[\p{L}\p{Nl}]\p{Script=Latin}|(?<!\p{Script=Latin})\p{Script=Latin}(?!\p{Script=Latin})[\p{L}\p{Nl}]|(?!\p{Script=Latin})[\p{L}\p{Nl}]\p{Script=Latin}(?!\p{Script=Latin})|\p{Script=Latin}〇|〇\p{Script=Latin}/u;

/** Characters that carry a text unseen, or turn one around. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u202d\u202e]/u;

const isDisguised = (comment: string): boolean => {
  const bare = comment.normalize('NFD').replace(/\p{M}/gu, '');
  return !ORDINARY.test(comment) || MIXED.test(bare) || REPLACED.test(bare) || CODED.test(folded(comment));
};
