import type { PlanHistory } from '@bowline/core/audit/history';
import { surplusSum } from '@bowline/core/audit/surplus';
import { canonicalJson } from '@bowline/core/domain/evidence';
import { useId, useReducer, useRef, useState } from 'react';
import { zeroAddress } from 'viem';
import * as z from 'zod/mini';
import { ApiError, getJson } from '../api/request.ts';
import { DocumentFiles, DocumentText } from '../parts/document-fields.tsx';
import { Notice } from '../parts/notice.tsx';
import { JudgeFailed, judge } from '../replay/judge.ts';
import { useSettings } from '../settings.tsx';
import { gainUsd } from '../words/amounts.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { judgeWords } from '../words/en/tickets.ts';
import { refusalOf } from '../words/refusals.ts';
import { findingsOf, gainOf, type Held, type State, stillOf, toAsk } from './held.ts';

interface Props {
  readonly plan: PlanHistory;
  readonly evidence: EvidenceAtHand;
}

/** How many records the documents confirm, and the inputs for documents. */
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

/** What the documents say about the records, and what all records gained together. */
function Found({ plan: { runs }, byRecord }: Pick<Props, 'plan'> & Pick<EvidenceAtHand, 'byRecord'>) {
  const held = [...byRecord.values()];
  const follows = held.filter(({ state }) => state === 'follows').length;
  const wrong = held.filter(({ state }) => state === 'differs' || state === 'changed').length;
  const loose = held.filter((each) => each.state === 'follows' && each.looser.length > 0).length;
  const unchecked = held.filter((each) => each.state === 'follows' && each.unchecked.length > 0).length;
  const missing = runs.length - held.length;
  const gains = runs.map((run, record) => gainOf(run, byRecord.get(record)));
  const sum = surplusSum(gains.filter((gain) => gain !== undefined));
  const told = [
    { count: wrong, tone: 'bad', say: auditWords.notBorneOut },
    { count: follows, tone: 'good', say: auditWords.judgedAgain },
    { count: loose, tone: 'caution', say: auditWords.loose },
    { count: unchecked, tone: 'caution', say: auditWords.unchecked },
  ].filter(({ count }) => count > 0);
  return (
    <div role="status" className="stack">
      {told.map(({ count, tone, say }) => (
        <p key={say(count)}>
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

interface Document {
  readonly name: string;
  readonly text: string;
}

export interface EvidenceAtHand {
  readonly byRecord: ReadonlyMap<number, Held>;
  /** Input that was unusable, one sentence each. */
  readonly troubles: readonly string[];
  readonly isBusy: boolean;
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly addText: (text: string) => Promise<void>;
  /** Asks the page's server for the missing documents of the newest records. */
  readonly askServer: () => Promise<void>;
}

/** A day's log may be large; a document has 16 kB. */
const MAX_BYTES = 20_000_000;
const none: State = { byRecord: new Map(), troubles: [] };

/** Documents from the user, matched with the records by their hashes and judged again in a worker. */
export function useEvidence({ runs, versions }: PlanHistory): EvidenceAtHand {
  const { rules = [], chainId } = useSettings();
  const [{ byRecord: found, troubles }, add] = useReducer(reduce, none);
  const [isBusy, setBusy] = useState(false);
  const absent = useRef<ReadonlySet<string>>(new Set());
  const byRecord = stillOf(runs, found);

  async function take({ name, text }: Document): Promise<void> {
    const recorded = runs.map(({ evidencePrefix, verdict, time, isAttested, amountIn }) => ({
      ...{ evidencePrefix, verdict, time, isAttested, amountIn },
    }));
    const traded = { tokenIn: versions[0]?.tokenIn ?? zeroAddress, tokenOut: versions[0]?.tokenOut ?? zeroAddress };
    try {
      for (const document of await judge({ kind: 'documents', name, text, chainId, traded, runs: recorded })) {
        add(findingsOf(document, name, runs, rules));
      }
    } catch (error) {
      if (!(error instanceof JudgeFailed)) throw error;
      add({ byRecord: new Map(), troubles: [auditWords.trouble(name, judgeWords[error.why])] });
    }
  }
  const busily = (act: () => Promise<void>) => async () => {
    setBusy(true);
    await act().finally(() => setBusy(false));
  };
  return {
    ...{ byRecord, troubles, isBusy },
    addFiles: (files) =>
      busily(async () => {
        for (const file of files) {
          if (file.size > MAX_BYTES) add({ byRecord: new Map(), troubles: [auditWords.tooLarge(file.name)] });
          else await take({ name: file.name, text: await file.text() });
        }
      })(),
    addText: (text) => busily(() => take({ name: auditWords.pasted, text }))(),
    askServer: busily(async () => {
      const missing = [...runs.keys()]
        // For a record that differs, the document with its hash is already at hand.
        .filter((record) => (byRecord.get(record)?.state ?? 'changed') === 'changed')
        .toReversed()
        .map((record) => runs[record]?.evidencePrefix ?? '');
      const asked = toAsk(missing, absent.current);
      let found = 0;
      for (const name of asked) {
        try {
          const document = await getJson(`/api/evidence/${name}`, z.looseObject({}), 20_000);
          found += 1;
          await take({ name, text: canonicalJson(document) });
        } catch (error) {
          if (error instanceof ApiError && error.code === 'not_found') {
            absent.current = new Set([...absent.current, name]);
            continue;
          }
          add({ byRecord: new Map(), troubles: [refusalOf(error as Error)] });
          return;
        }
      }
      if (found > 0) return;
      const isAll = missing.every((name) => absent.current.has(name));
      const trouble = isAll ? auditWords.serverHasNone : auditWords.serverHasNoneOf(asked.length);
      add({ byRecord: new Map(), troubles: [trouble] });
    }),
  };
}

/** A document with its record's hash is never replaced by one without it. */
function reduce(before: State, { byRecord, troubles }: State): State {
  const merged = new Map(before.byRecord);
  for (const [record, held] of byRecord) {
    const before = merged.get(record);
    if (held.state === 'changed' && before?.of.evidencePrefix === held.of.evidencePrefix) continue;
    merged.set(record, held);
  }
  return { byRecord: merged, troubles: [...new Set([...before.troubles, ...troubles])].slice(-MAX_TROUBLES) };
}

const MAX_TROUBLES = 20;
