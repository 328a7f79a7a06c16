import type { JudgedDocument } from '@bowline/core/audit/evidence';
import type { Run } from '@bowline/core/audit/history';
import { canonicalJson } from '@bowline/core/domain/evidence';
import { useReducer, useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, getJson } from '../api/request.ts';
import { JudgeFailed, judge } from '../replay/judge.ts';
import { auditWords } from '../words/en/audit.ts';
import { judgeWords } from '../words/en/tickets.ts';
import { refusalOf } from '../words/refusals.ts';

/** What is known of a record's document. Absent: not at hand. */
export type Held =
  | { readonly state: 'follows' }
  /** It has the record's hash, and the verdict does not follow from it. */
  | { readonly state: 'differs'; readonly what: readonly string[] }
  /** A document that was named as this record's has another hash. */
  | { readonly state: 'changed' };

interface Document {
  readonly name: string;
  readonly text: string;
}

export interface EvidenceAtHand {
  readonly byRecord: ReadonlyMap<number, Held>;
  /** What was given and is of no use: one sentence each. */
  readonly troubles: readonly string[];
  readonly isBusy: boolean;
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  readonly addText: (text: string) => Promise<void>;
  /** Asks the page's server for the documents of the newest records that are not at hand. */
  readonly askServer: () => Promise<void>;
}

interface State {
  readonly byRecord: ReadonlyMap<number, Held>;
  readonly troubles: readonly string[];
}

/** A log of a day may be large; a document has 16 kB. */
const MAX_BYTES = 20_000_000;
/** Documents that one press asks the server for. */
const ASKED = 100;
const none: State = { byRecord: new Map(), troubles: [] };

/** Documents that the reader gives, matched with the records by their hashes and judged again in a worker. */
export function useEvidence(runs: readonly Run[]): EvidenceAtHand {
  const [{ byRecord, troubles }, add] = useReducer(reduce, none);
  const [isBusy, setBusy] = useState(false);

  async function take({ name, text }: Document): Promise<void> {
    const recorded = runs.map(({ evidencePrefix, verdict }) => ({ evidencePrefix, verdict }));
    try {
      for (const document of await judge({ kind: 'documents', name, text, runs: recorded })) {
        add(findingsOf(document, name));
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
      const missing = [...runs.keys()].filter((record) => byRecord.get(record)?.state !== 'follows');
      let found = 0;
      for (const record of missing.toReversed().slice(0, ASKED)) {
        const name = runs[record]?.evidencePrefix ?? '';
        try {
          const document = await getJson(`/api/evidence/${name}`, z.looseObject({}), 20_000);
          found += 1;
          await take({ name, text: canonicalJson(document) });
        } catch (error) {
          if (error instanceof ApiError && error.code === 'not_found') continue;
          add({ byRecord: new Map(), troubles: [refusalOf(error as Error)] });
          return;
        }
      }
      if (found === 0) add({ byRecord: new Map(), troubles: [auditWords.serverHasNone] });
    }),
  };
}

function findingsOf(document: JudgedDocument, name: string): State {
  const { records, borneOut, spoilt, again } = document;
  const held = new Map<number, Held>();
  for (const record of records) {
    if (borneOut.includes(record)) held.set(record, { state: 'follows' });
    else
      held.set(record, {
        state: 'differs',
        what: again.outcome === 'judged' ? [...again.differing, ...verdictOf(again.verdict)] : [],
      });
  }
  for (const record of spoilt) held.set(record, { state: 'changed' });
  if (spoilt.length > 0) return { byRecord: held, troubles: [auditWords.wasChanged(name, document.hash)] };
  if (records.length > 0) return { byRecord: held, troubles: [] };
  return {
    byRecord: held,
    troubles: [auditWords.matchesNone(name)],
  };
}

const verdictOf = (verdict: string): string[] => [auditWords.verdictThatFollows(verdict)];

/** A document that bears out its record is not displaced by one that does not have its hash. */
function reduce(before: State, { byRecord, troubles }: State): State {
  const merged = new Map(before.byRecord);
  for (const [record, held] of byRecord) {
    if (held.state === 'changed' && merged.has(record)) continue;
    merged.set(record, held);
  }
  return { byRecord: merged, troubles: [...new Set([...before.troubles, ...troubles])].slice(-MAX_TROUBLES) };
}

const MAX_TROUBLES = 20;
