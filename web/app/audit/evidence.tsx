import type { PlanHistory } from '@bowline/core/audit/history';
import { surplusSum } from '@bowline/core/audit/surplus';
import { useId, useState } from 'react';
import { DocumentFiles, DocumentText } from '../parts/document-fields.tsx';
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
export function Evidence({ plan, evidence }: Props) {
  const { byRecord, troubles, isBusy, addFiles, askServer } = evidence;
  const [isOver, setOver] = useState(false);
  const id = useId();
  return (
    <section
      className={isOver ? 'card drop over' : 'card drop'}
      aria-labelledby={id}
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
      <h2 id={id}>{partWords.evidence}</h2>
      <Found plan={plan} byRecord={byRecord} />
      <p className="faint">{auditWords.evidenceMore}</p>
      <DocumentFiles label={auditWords.files} isMany isOff={isBusy} onFiles={(files) => void addFiles(files)} />
      <Paste {...evidence} />
      {plan.runs.length > byRecord.size && (
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

/** What the documents say of the records, and what all of them together gained. */
function Found({ plan: { runs }, byRecord }: Pick<Props, 'plan'> & Pick<EvidenceAtHand, 'byRecord'>) {
  const held = [...byRecord.values()];
  const follows = held.filter(({ state }) => state === 'follows').length;
  const wrong = held.filter(({ state }) => state === 'differs' || state === 'changed').length;
  const loose = held.filter((each) => each.state === 'follows' && each.looser.length > 0).length;
  const missing = runs.length - held.length;
  const gains = runs.map((run, record) => gainOf(run, byRecord.get(record)));
  const sum = surplusSum(gains.filter((gain) => gain !== undefined));
  const told = [
    { count: wrong, tone: 'bad', say: auditWords.notBorneOut },
    { count: follows, tone: 'good', say: auditWords.judgedAgain },
    { count: loose, tone: 'caution', say: auditWords.loose },
  ].filter(({ count }) => count > 0);
  return (
    <div role="status" className="stack">
      {told.map(({ count, tone, say }) => (
        <p key={tone}>
          <span className={`badge word ${tone}`}>{say(count)}</span>
        </p>
      ))}
      {sum.runs > 0 && <p>{auditWords.surplus(gainUsd(sum.referenceUsdWad), sum.runs)}</p>}
      {sum.poolUsdWad !== undefined && (
        <p>{auditWords.surplusBesidePool(gainUsd(sum.poolUsdWad), sum.runsBesidePool)}</p>
      )}
      {missing > 0 && <p>{auditWords.missing(missing)}</p>}
    </div>
  );
}

function Paste({ isBusy, addText }: EvidenceAtHand) {
  const [pasted, setPasted] = useState('');
  return (
    <details className="more">
      <summary>{auditWords.paste}</summary>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void addText(pasted).then(() => setPasted(''));
        }}
      >
        <DocumentText label={auditWords.document} rows={4} value={pasted} onChange={setPasted} />
        <div className="buttons">
          <button type="submit" className="button" disabled={isBusy || pasted.trim() === ''}>
            {auditWords.judgeIt}
          </button>
        </div>
      </form>
    </details>
  );
}
