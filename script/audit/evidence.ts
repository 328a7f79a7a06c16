import { readFileSync } from 'node:fs';
import { verdictCodes } from '@bowline/core/domain/verdict';
import { judgeAgain } from '@bowline/core/replay/replay';
import { hashing } from '../hashing.ts';
import type { PlanHistory } from './read.ts';

/** Reads an evidence document: alone, or inside the answer or log line that carries it. */
export function readEvidence(path: string): string {
  const text = readFileSync(path, 'utf8').trim();
  const { evidence } = JSON.parse(text) as { evidence?: unknown };
  if (evidence === undefined) return text;
  return typeof evidence === 'string' ? evidence : JSON.stringify(evidence);
}

/**
 * Which record the evidence belongs to, and whether the recorded verdict follows from it. One sentence each; problems
 * are in capitals.
 */
export function evidenceLines({ runs }: PlanHistory, text: string): string[] {
  const { hash, again, lines } = judgeAgain(text, hashing.hash);
  const wrong = lines.filter(({ said, found }) => said !== found).map(({ what }) => `    DIFFERS: ${what}`);
  const records = [...runs.entries()].filter(([, run]) => hash.startsWith(run.evidencePrefix));
  return [
    `  evidence ${hash}, judged again: ${again.verdict}${again.reason === undefined ? '' : ` (${again.reason})`}`,
    ...wrong,
    ...(records.length === 0 ? ['    MATCHES NO RECORD of this plan'] : []),
    ...records.map(([record, { verdict }]) =>
      verdict === verdictCodes[again.verdict]
        ? `    matches record ${record}, with the same verdict`
        : `    MATCHES RECORD ${record}, BUT THE VERDICT DIFFERS`,
    ),
  ];
}
