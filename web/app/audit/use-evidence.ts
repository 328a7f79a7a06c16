import type { PlanHistory } from '@bowline/core/audit/history';
import { canonicalJson } from '@bowline/core/domain/evidence';
import { useReducer, useRef, useState } from 'react';
import { zeroAddress } from 'viem';
import * as z from 'zod/mini';
import { ApiError, getJson } from '../api/request.ts';
import { JudgeFailed, judge } from '../replay/judge.ts';
import { useSettings } from '../settings.tsx';
import { auditWords } from '../words/en/audit.ts';
import { judgeWords } from '../words/en/tickets.ts';
import { refusalOf } from '../words/refusals.ts';
import { findingsOf, type Held, type State, stillOf, toAsk } from './held.ts';

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
  /** Asks the page's server for the missing documents of the newest records. */
  readonly askServer: () => Promise<void>;
}

/** A log of a day may be large; a document has 16 kB. */
const MAX_BYTES = 20_000_000;
const none: State = { byRecord: new Map(), troubles: [] };

/** Documents that the reader gives, matched with the records by their hashes and judged again in a worker. */
export function useEvidence({ runs, versions }: PlanHistory): EvidenceAtHand {
  const { rules = [] } = useSettings();
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
      for (const document of await judge({ kind: 'documents', name, text, traded, runs: recorded })) {
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
        // Of one that differs, the document with its hash is at hand.
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
