import type { CommentLeftOut } from '@bowline/core/domain/answer';
import { groundsOf, hasFigure, hasLink, hasVerdict } from './claims.ts';
import { misjudges } from './judging.ts';

/** A longer text is no addition to an answer. */
const MAX_CHARS = 4_000;

export type Comment = { readonly comment: string } | { readonly leftOut: CommentLeftOut };

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
): Comment {
  const comment = visible(text);
  if (comment.length > MAX_CHARS) return { leftOut: 'length' };
  const words = comment.normalize('NFD').replace(/\p{M}/gu, '');
  if (HIDDEN.test(text) || !READ.test(comment) || DISGUISED.test(words)) return { leftOut: 'writing' };
  const grounds = groundsOf(outputs, sentences);
  if (hasLink(words)) return { leftOut: 'link' };
  if (hasVerdict(words, grounds) || misjudges(comment, words, outputs)) return { leftOut: 'verdict' };
  return hasFigure(words, grounds) ? { leftOut: 'number' } : { comment };
}

/** The text without characters that are not seen, with one kind of line break: the form that is checked and shown. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, (control) => (control === '\n' ? control : ' '))
    .trim();

/** Characters that carry a text unseen, or turn one around. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u202d\u202e]/u;
/** Scripts of the languages whose judging words are known: others could say anything, and look like these. */
const READ =
  /^[\n -~\u00a0¡¿«»°·×‐-—―‘’“”„…•€£¥→−≈≠≤≥、。《》「」『』【】ÀÂÄÇÈ-ËÌÍÎÏÑÒÓÔÖÙ-ÜßàáâäçèéêëìíîïñòóôöùúûüÿŒœŸÁ\p{Script=Han}]*$/u;
/** Markup; letters that stand for digits (lOO) or Han signs for letters (CAUTI口N, G〇); and runs that only machines read. */
const DISGUISED =
  /<[A-Za-z/!|]|[{}]|(?<![\p{L}'’])(?:[lI|]+O[OolI|]*|[OolI|]*[Oo]{2,}[OolI|]*|[Il|]{3,})(?!\p{L})|[A-Za-z+/=_-]{36,}|[A-Za-z]\p{Script=Han}[A-Za-z]|(?<![A-Za-z])[A-Za-z]\p{Script=Han}|[A-Za-z]〇|〇[A-Za-z]/u;

const why: Readonly<Record<CommentLeftOut, string>> = {
  number: 'name a number, an address or a code that no tool gave',
  verdict: 'name a verdict that no tool gave',
  link: 'name a link that no tool gave',
  writing: 'contain letters or symbols that are not supported',
  length: 'contain more than an answer needs',
};

/** A model's words, each line marked, so that nothing in them can be mistaken for ours; or why they are left out. */
export const told = (given: Comment): string =>
  'comment' in given
    ? `The language model adds, in its own words:\n> ${given.comment.replaceAll('\n', '\n> ')}`
    : `The language model's own words are left out: they ${why[given.leftOut]}.`;

export const NOTHING_READ =
  'No tool gave anything for this answer: nothing in it is a verdict, a price or another fact.';
export const NOTHING_CHECKED = 'No check was run for this answer: nothing in it is a verdict.';
