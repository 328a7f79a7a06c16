import type { Checked } from '../../tools/check-asset.ts';

/** The verdict in Markdown for people, followed by the same answer in JSON for machines. */
export function verdictReport(task: string, answer: Checked): string {
  const { verdict, reason, reference_usd, pool_usd, deviation_bps, references, findings, block, time } = answer;
  const rows = findings.map(
    ({ question, outcome, measured, limit, unit, detail }) =>
      `| ${cell(question)} | ${outcome} | ${measured ?? 'none'} | ${limit} ${unit} | ${cell(detail)} |`,
  );
  const prices = references.map(({ source, usd }) => `- ${source}: ${usd} USD`);
  const deviation = deviation_bps === null ? '' : `, ${deviation_bps} bps from the reference`;
  return [
    `# ${verdict}: ${trade(answer)}`,
    '',
    ...task.split('\n').map((line) => `> ${line}`),
    '',
    reason === null ? 'Every check passed.' : `Decided by: \`${reason}\`.`,
    `Judged at block ${block}, ${time}.`,
    '',
    '## Prices',
    '',
    ...prices,
    `- reference (their median): ${usd(reference_usd)}`,
    `- pool: ${usd(pool_usd)}${deviation}`,
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

/** The judged trade. Its value is unknown if the pool cannot quote, or token_in has no price. */
function trade({ side, asset, amount_usd, pay, receive }: Checked): string {
  if (amount_usd !== null) return `${side} ${asset} for ${amount_usd} USD`;
  return pay && receive
    ? `${side} ${asset}, ${pay.amount} ${pay.symbol} for ${receive.amount} ${receive.symbol}`
    : `${side} ${asset}, of unknown worth`;
}

const usd = (price: string | null): string => (price === null ? 'none' : `${price} USD`);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
