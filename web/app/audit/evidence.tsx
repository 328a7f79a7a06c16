import type { PlanHistory } from '@bowline/core/audit/history';
import { surplusSum } from '@bowline/core/audit/surplus';
import { useId, useState } from 'react';
import { Notice } from '../parts/notice.tsx';
import { gainUsd } from '../words/amounts.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { gainOf } from './held.ts';
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
  const wrong = held.filter(({ state }) => state === 'differs' || state === 'changed').length;
  const loose = held.filter((each) => each.state === 'follows' && each.looser.length > 0).length;
  const missing = runs.length - held.length;
  const gains = runs.map((run, record) => gainOf(run, byRecord.get(record)));
  const sum = surplusSum(gains.filter((gain) => gain !== undefined));
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
      <h2 id={`${id}-title`}>{partWords.evidence}</h2>
      <div role="status" className="stack">
        {wrong > 0 && (
          <p>
            <span className="badge word bad">{auditWords.notBorneOut(wrong)}</span>
          </p>
        )}
        {follows > 0 && (
          <p>
            <span className="badge word good">{auditWords.judgedAgain(follows)}</span>
          </p>
        )}
        {loose > 0 && (
          <p>
            <span className="badge word caution">{auditWords.loose(loose)}</span>
          </p>
        )}
        {sum.runs > 0 && <p>{auditWords.surplus(gainUsd(sum.referenceUsdWad), sum.runs)}</p>}
        {sum.poolUsdWad !== undefined && (
          <p>{auditWords.surplusBesidePool(gainUsd(sum.poolUsdWad), sum.runsBesidePool)}</p>
        )}
        {missing > 0 && <p>{auditWords.missing(missing)}</p>}
      </div>
      <p className="faint">{auditWords.evidenceMore}</p>
      <div className="field">
        <label htmlFor={`${id}-files`}>{auditWords.files}</label>
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
        <summary>{auditWords.paste}</summary>
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            void addText(pasted).then(() => setPasted(''));
          }}
        >
          <div className="field">
            <label htmlFor={`${id}-text`}>{auditWords.document}</label>
            <div className="input">
              <textarea id={`${id}-text`} rows={4} value={pasted} onChange={({ target }) => setPasted(target.value)} />
            </div>
          </div>
          <div className="buttons">
            <button type="submit" className="button" disabled={isBusy || pasted.trim() === ''}>
              {auditWords.judgeIt}
            </button>
          </div>
        </form>
      </details>
      {missing > 0 && (
        <div className="buttons">
          <button type="button" className="button" disabled={isBusy} onClick={() => void askServer()}>
            {isBusy ? auditWords.judging : auditWords.askServer}
          </button>
        </div>
      )}
      {troubles.length > 0 && (
        <Notice kind="bad" title={auditWords.notAllOfUse}>
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
