/** What can happen, shown before signing. */
export const WhatCanHappen = ({ sentences }: { readonly sentences: readonly string[] | undefined }) => (
  <section className="summary" aria-labelledby="can-happen" aria-live="polite">
    <h3 id="can-happen">What exactly can happen</h3>
    {sentences ? (
      <ul className="stack">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    ) : (
      <p className="faint">Enter an amount and a number of runs, and it is said here in plain words.</p>
    )}
  </section>
);
