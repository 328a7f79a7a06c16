import type { Reply } from './seller.ts';

interface Finding {
  readonly question: string;
  readonly outcome: string;
  readonly measured: string | null;
  readonly limit: string;
  readonly unit: string;
  readonly detail: string;
}

/** What check_asset answers, as far as the report shows it. */
interface VerdictAnswer {
  readonly asset: string;
  readonly side: string;
  readonly amount_usd: string;
  readonly verdict: string;
  readonly reason: string | null;
  readonly reference_usd: string | null;
  readonly pool_usd: string | null;
  readonly deviation_bps: string | null;
  readonly references: readonly { readonly source: string; readonly usd: string }[];
  readonly findings: readonly Finding[];
  readonly block: string;
  readonly time: string;
}

/** The verdict for people, in Markdown; the same answer in JSON stands below it for machines. */
export function verdictReport(task: string, answer: Reply): string {
  const told = answer as unknown as VerdictAnswer;
  const rows = told.findings.map(
    ({ question, outcome, measured, limit, unit, detail }) =>
      `| ${cell(question)} | ${outcome} | ${measured ?? 'none'} | ${limit} ${unit} | ${cell(detail)} |`,
  );
  const prices = told.references.map(({ source, usd }) => `- ${source}: ${usd} USD`);
  return [
    `# ${told.verdict}: ${told.side} ${told.asset} for ${told.amount_usd} USD`,
    '',
    ...task.split('\n').map((line) => `> ${line}`),
    '',
    told.reason === null ? 'Every check passed.' : `Decided by: \`${told.reason}\`.`,
    `Judged at block ${told.block}, ${told.time}.`,
    '',
    '## Prices',
    '',
    ...prices,
    `- reference (their median): ${told.reference_usd ?? 'none'} USD`,
    `- pool: ${told.pool_usd ?? 'none'} USD, ${told.deviation_bps ?? 'no'} bps from the reference`,
    '',
    '## Checks',
    '',
    '| question | outcome | measured | limit | detail |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## The same as JSON',
    '',
    '```json',
    JSON.stringify(answer, null, 2),
    '```',
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
