import { partWords } from '../words/en/parts.ts';

/** What can happen, shown before signing. */
export const WhatCanHappen = ({ sentences }: { readonly sentences: readonly string[] | undefined }) => (
  <section className="summary stack small" aria-labelledby="can-happen" aria-live="polite">
    <h3 id="can-happen">{partWords.agreeing}</h3>
    {sentences ? (
      <ul className="stack">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    ) : (
      <p className="faint">{partWords.agreeingLater}</p>
    )}
  </section>
);
