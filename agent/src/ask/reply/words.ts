import { grouped, inUtc, toIsoTime } from '@bowline/core/domain/readable';
import { formatBps, parseUnitsDown } from '@bowline/core/domain/units';
import { shortCost, shortDecimal } from '@bowline/core/texts/amounts';
import { reasonTexts } from '@bowline/core/texts/reasons-zh';
import { isWord, spaced, textOf, type Word } from '@bowline/core/texts/words';
import type { z } from 'zod';
import type { Checked } from '../../tools/check-asset.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Language, ToolCall } from '../question.ts';

/** A reason or refusal in words, followed by the reason word used in logs and docs. */
export const reasonInWords = (word: Word): string => `${textOf(word)} (${word})`;

/** The same for a word from outside, such as a contract's error. */
export const anyInWords = (word: string): string => (isWord(word) ? reasonInWords(word) : spaced(word));

export const reasonInChinese = (word: string): string => (isWord(word) ? reasonTexts[word] : spaced(word));

export interface Amount {
  readonly token: string;
  readonly amount: string;
}

/** Unlisted tokens have unknown decimals, so they are shown in base units. */
export const tokens = ({ token, amount }: Amount): string =>
  token.startsWith('0x') ? `${grouped(amount)} base units of ${token}` : `${shortDecimal(amount)} ${token}`;

export const inChinese = ({ token, amount }: Amount): string =>
  token.startsWith('0x') ? `${grouped(amount)} 个最小单位的 ${token}` : `${shortDecimal(amount)} ${token}`;

/** Rounded up, so that it is enough. */
export const costOf = (decimal: string): string => shortCost(parseUnitsDown(decimal, 18) ?? 0n, 18);

/** The source's name in its owner's spelling. */
export const sourceName = (source: string): string =>
  ownSpelling[source] ?? `${source.charAt(0).toUpperCase()}${source.slice(1)}`;

const ownSpelling: Readonly<Record<string, string>> = {
  exchange: 'exchange',
  redstone: 'RedStone',
  binance_oracle: 'Binance Oracle',
};

/** Renders a tool's output in a sentence or two. It states nothing that is not in the output. */
export type Sentence = (output: Record<string, unknown>, call: ToolCall, language?: Language) => string;

/** A tool's sentence in English, and in Chinese with the same facts and fewer details. */
export const say = <Output extends z.ZodType>(
  { name, output }: Tool<z.ZodType, Output>,
  english: (output: z.output<Output>, call: ToolCall) => string,
  chinese = english,
): [string, Sentence] => [
  name,
  (value, call, language) => (language === 'zh' ? chinese : english)(output.parse(value), call),
];

/**
 * What a verdict means in money, as the rest of its first sentence: what is paid and received, what that costs in all, of
 * what, and until when its ticket holds. Empty if the pool quotes no swap.
 */
export function moneyLine({ verdict, pay, receive, cost, ticket }: Checked): string {
  if (pay === null || receive === null) return '';
  const trade = `: you ${verdict === 'GO' ? '' : 'would '}pay ${tokens({ token: pay.symbol, amount: pay.amount })} and get ${tokens({ token: receive.symbol, amount: receive.amount })}`;
  return `${trade}${cost === null ? '' : costLine(cost)}${ticket === null || !holds(verdict) ? '' : `; the ticket holds until ${until(ticket)}`}`;
}

/** What to do with a size that is too large; empty if size is not the only problem. */
export const sizeLine = ({ go_up_to }: Pick<Checked, 'go_up_to'>): string =>
  go_up_to === null
    ? ''
    : ` GO up to ${tokens({ token: go_up_to.symbol, amount: go_up_to.amount })}, or in ${grouped(go_up_to.slots)} slots.`;

/** The ticket of any other verdict permits nothing. */
const holds = (verdict: Checked['verdict']): boolean => verdict === 'GO' || verdict === 'CAUTION';

const until = ({ expires_at }: NonNullable<Checked['ticket']>): string => inUtc(toIsoTime(BigInt(expires_at)));

function costLine({
  received_usd,
  total_usd,
  total_bps,
  fee_usd,
  impact_usd,
  distance_usd,
}: NonNullable<Checked['cost']>): string {
  const gain = total_usd.startsWith('-');
  const bps = BigInt(total_bps);
  const parts = [
    `fee ${usd(fee_usd)}`,
    `price impact ${usd(impact_usd)}`,
    `distance from the reference ${usd(distance_usd)}`,
  ];
  const inAll = `${gain ? 'a gain of' : 'a cost of'} ${usd(total_usd.replace('-', ''))} in all (${formatBps(bps < 0n ? -bps : bps)}: ${parts.join(', ')})`;
  return `, worth ${usd(received_usd)}, ${inAll}`;
}

/** To the cent; "under 0.01 USD" for less. Truncated. */
function usd(decimal: string): string {
  const [, sign = '', whole = '0', cents = '', more = ''] = /^(-?)(\d+)(?:\.(\d{1,2})(\d*))?$/.exec(decimal) ?? [];
  const rounded = grouped(/[1-9]/.test(cents) ? `${whole}.${cents.padEnd(2, '0')}` : whole);
  if (rounded === '0') return /[1-9]/.test(more) ? 'under 0.01 USD' : '0 USD';
  return `${sign}${rounded} USD`;
}
