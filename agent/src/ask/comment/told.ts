import type { CommentLeftOut } from '@bowline/core/domain/answer';
import type { Comment } from './comment.ts';

const why: Readonly<Record<CommentLeftOut, string>> = {
  number: 'name a number, an address or a code that no tool gave',
  verdict: 'name a verdict that no tool gave',
  link: 'name a link that no tool gave',
  writing: 'contain letters or signs that are not read here',
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
