import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { hashing } from '@bowline/chain/hashing';
import { type Again, documentsIn, judgedAgain, misfitOf } from '@bowline/core/audit/evidence';
import { isRun } from '@bowline/core/audit/figures';
import type { PlanHistory, Run } from '@bowline/core/audit/history';
import { spans } from '@bowline/core/audit/spans';
import { type Surplus, surplusOf, surplusSum } from '@bowline/core/audit/surplus';
import { verdictCodes } from '@bowline/core/domain/verdict';
import type { Ruling } from '@bowline/core/registry/address-book';
import { releaseOf } from '@bowline/core/replay/rules-in-force';
import { gainUsd } from '@bowline/core/texts/amounts';
import { zeroAddress } from 'viem';
import { createEvidenceStore } from '../../agent/src/process/evidence-store.ts';

/** Reads a document by its hash or the hash's first 19 bytes. Undefined if it is missing or was changed. */
export type ReadDocument = (hashOrPrefix: string) => Promise<string | undefined>;

/** Reads documents from a folder as the agent keeps them. */
export function storeAt(folder: string): ReadDocument {
  const ignored = () => {};
  const log = { debug: ignored, info: ignored, warn: ignored, error: ignored };
  return createEvidenceStore({ folder: pathToFileURL(`${folder}/`), hash: hashing.hash, log }).read;
}

/** Reads documents that an agent serves. Waits at the agent's rate limit. Throws if the agent does not answer. */
export function agentAt(url: string): ReadDocument {
  return async (hash) => {
    for (;;) {
      const response = await fetch(new URL(`/evidence/${hash}`, url), { signal: AbortSignal.timeout(10_000) });
      if (response.ok) return response.text();
      if (response.status === 404) return undefined;
      if (response.status !== 429) throw new Error(`${url} answered with status ${response.status}.`);
      await sleep(1_000 * Math.min(60, Number(response.headers.get('retry-after')) || 1));
    }
  };
}

/**
 * Resolves `--evidence`: a reader of all documents for a folder or an agent's URL, or the text of one document for its
 * hash in `store` or a file.
 */
export async function evidenceAt(place: string, store: string): Promise<ReadDocument | string> {
  if (/^https?:/.test(place)) return agentAt(place);
  if (isHash(place)) return documentIn(store, place);
  return statSync(place).isDirectory() ? storeAt(place) : readEvidence(place);
}

export const isHash = (text: string): boolean => /^0x(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{38})$/.test(text);

export async function documentIn(store: string, hash: string): Promise<string> {
  const text = await storeAt(store)(hash);
  if (text === undefined)
    throw new Error(`No document in ${store} has the hash ${hash}. Name the folder with --store.`);
  return text;
}

/** Reads an evidence document: alone, or inside the answer or log line that carries it. */
export function readEvidence(path: string): string {
  const [first = ''] = documentsIn(readFileSync(path, 'utf8'));
  return first;
}

/** The plan's token pair. Evidence about another pair confirms none of its records. */
const tradedBy = ({ versions: [first] }: PlanHistory) => first ?? { tokenIn: zeroAddress, tokenOut: zeroAddress };

/**
 * Says whether each record's verdict follows from its document; problems are in capitals. Also lists records without a
 * document, and records under older rules with the release that can judge them.
 * @param evidence a reader of documents, or the text of a single one, which must match a record.
 * @param of the deployment's chain, and the rules that were in force there.
 */
export async function evidenceLines(
  history: PlanHistory,
  evidence: ReadDocument | string,
  { chainId, rules = [] }: { readonly chainId?: number; readonly rules?: readonly Ruling[] } = {},
): Promise<string[]> {
  const isSingle = typeof evidence === 'string';
  const own = isSingle ? hashing.hash(evidence) : '';
  const read: ReadDocument = isSingle ? async (prefix) => (own.startsWith(prefix) ? evidence : undefined) : evidence;
  const lines: string[] = [];
  const missing: number[] = [];
  const earlier: string[] = [];
  const unchecked: string[] = [];
  const gains: Surplus[] = [];
  for (const [record, run] of history.runs.entries()) {
    const { evidencePrefix } = run;
    const text = await read(evidencePrefix);
    if (text === undefined) {
      missing.push(record);
      continue;
    }
    const hash = hashing.hash(text);
    // The audited party may serve anything.
    if (!hash.startsWith(evidencePrefix)) lines.push(`    THE DOCUMENT OF RECORD ${record} HAS ANOTHER HASH: ${hash}`);
    else {
      const again = await judgedAgain(tradedBy(history), text, { hashing, chainId });
      if (again.outcome === 'unsupported_rules') {
        const release = releaseOf(again.version, BigInt(run.time), rules);
        if (release !== undefined) {
          earlier.push(`    record ${record}: judged_by_rules_${again.version}, replay it with release ${release}`);
          continue;
        }
      }
      const found = differences(record, run, again);
      lines.push(...found);
      if (again.outcome === 'judged')
        unchecked.push(...again.unchecked.map((why) => `    not checked of record ${record}: ${why}`));
      if (found.length === 0 && isRun(run) && again.outcome === 'judged' && again.expected)
        gains.push(surplusOf(run, again.expected));
    }
  }
  const { length } = history.runs;
  const judged = length - missing.length - earlier.length;
  return [
    `  evidence of ${judged} of ${length} records replayed${lines.length === 0 ? ', no difference' : ''}${unchecked.length === 0 ? '' : ', not all checked'}`,
    ...lines,
    ...unchecked,
    ...earlier,
    ...(isSingle && judged + earlier.length === 0 ? ['    MATCHES NO RECORD of this plan'] : []),
    ...(isSingle || missing.length === 0 ? [] : [`    NO DOCUMENT of ${spans('records', missing)}`]),
    ...surplusLines(gains),
  ];
}

/** Surplus in USD over the runs that their evidence supports. */
function surplusLines(gains: readonly Surplus[]): string[] {
  const { runs, referenceUsdWad, runsBesidePool, poolUsdWad } = surplusSum(gains);
  if (runs === 0) return [];
  const besidePool =
    poolUsdWad === undefined
      ? ''
      : `, ${gainUsd(poolUsdWad)} compared with the best single pool (over ${runsBesidePool} of the runs)`;
  return [
    `  surplus of ${runs} run${runs === 1 ? '' : 's'}: ${gainUsd(referenceUsdWad)} compared with the reference${besidePool}`,
  ];
}

function differences(record: number, run: Run, again: Again): string[] {
  if (again.outcome !== 'judged') return [`    THE DOCUMENT OF RECORD ${record} CANNOT BE JUDGED: ${again.outcome}`];
  const misfit = misfitOf(run, again);
  return [
    ...again.differing.map((what) => `    THE EVIDENCE OF RECORD ${record} DIFFERS: ${what}`),
    ...(run.verdict === verdictCodes[again.verdict]
      ? []
      : [`    THE VERDICT OF RECORD ${record} DIFFERS: ${again.verdict}`]),
    ...(misfit ? [`    THE EVIDENCE OF RECORD ${record} IS OF ANOTHER ${misfit.toUpperCase()}`] : []),
  ];
}
