import type { PlanHistory } from '@bowline/core/audit/history';
import { useId, useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { count } from '../words/times.ts';
import type { EvidenceAtHand } from './use-evidence.ts';

interface Props {
  readonly plan: PlanHistory;
  readonly evidence: EvidenceAtHand;
}

/** How many records are borne out, and where documents come in. */
export function Evidence({ plan: { runs }, evidence }: Props) {
  const { byRecord, troubles, isBusy, addFiles, addText, askServer } = evidence;
  const [pasted, setPasted] = useState('');
  const [isOver, setOver] = useState(false);
  const id = useId();
  const held = [...byRecord.values()];
  const follows = held.filter(({ state }) => state === 'follows').length;
  const wrong = held.length - follows;
  const missing = runs.length - held.length;
  return (
    <section
      className={isOver ? 'card drop over' : 'card drop'}
      aria-labelledby={`${id}-title`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void addFiles([...event.dataTransfer.files]);
      }}
    >
      <h2 id={`${id}-title`}>Evidence</h2>
      <div role="status" className="stack">
        {wrong > 0 && (
          <p className="badge-line">
            <span className="badge word bad">{count(wrong, 'record')} not borne out</span>
          </p>
        )}
        {follows > 0 && (
          <p className="badge-line">
            <span className="badge word good">{count(follows, 'verdict')} judged again, no difference</span>
          </p>
        )}
        {missing > 0 && <p>Evidence not at hand: {count(missing, 'record')}.</p>}
      </div>
      <p className="faint">
        Each record carries the hash of the document its verdict was made from. Give the documents, from the agent’s
        folder, an answer or any mirror: they are matched by their hashes and judged again in this browser. Nothing is
        sent anywhere.
      </p>
      <div className="field">
        <label htmlFor={`${id}-files`}>Files, or drop them here</label>
        <input
          id={`${id}-files`}
          type="file"
          multiple
          disabled={isBusy}
          onChange={({ target }) => {
            void addFiles([...(target.files ?? [])]);
            target.value = '';
          }}
        />
      </div>
      <details className="more">
        <summary>Paste a document</summary>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void addText(pasted).then(() => setPasted(''));
          }}
        >
          <div className="field">
            <label htmlFor={`${id}-text`}>Document</label>
            <div className="input">
              <textarea id={`${id}-text`} rows={4} value={pasted} onChange={({ target }) => setPasted(target.value)} />
            </div>
          </div>
          <div className="buttons">
            <button type="submit" className="button" disabled={isBusy || pasted.trim() === ''}>
              Judge it
            </button>
          </div>
        </form>
      </details>
      {missing > 0 && (
        <div className="buttons">
          <button type="button" className="button" disabled={isBusy} onClick={() => void askServer()}>
            {isBusy ? 'Judging …' : 'Ask this page’s server for them'}
          </button>
        </div>
      )}
      {troubles.length > 0 && (
        <Notice kind="bad" title="Not every document is of use">
          <ul>
            {troubles.map((trouble) => (
              <li key={trouble} className="full">
                {trouble}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </section>
  );
}
