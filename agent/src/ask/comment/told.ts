import type { CommentLeftOut } from '@bowline/core/domain/answer';

const leftOutWords: Readonly<Record<CommentLeftOut, string>> = {
  number: 'a number, an address or a code',
  verdict: 'a verdict',
  link: 'a link',
  writing: 'disguised letters or signs',
  length: 'more than an answer needs',
};

const MARK = 'The language model adds, in its own words:';

/** A model's words, each line marked, so that nothing in them can be mistaken for ours; or that they are left out. */
export function told(given: { readonly comment: string } | { readonly leftOut: CommentLeftOut }): string {
  if ('comment' in given) return [MARK, ...given.comment.split('\n').map((line) => `> ${line}`)].join('\n');
  const { leftOut } = given;
  return leftOut === 'length' || leftOut === 'writing'
    ? `The language model's own words are left out: they contain ${leftOutWords[leftOut]}.`
    : `The language model's own words are left out: they name ${leftOutWords[leftOut]} that no tool gave.`;
}

export const NOTHING_READ =
  'No tool gave anything for this answer: nothing in it is a verdict, a price or another fact.';
export const NOTHING_CHECKED = 'No check was run for this answer: nothing in it is a verdict.';
