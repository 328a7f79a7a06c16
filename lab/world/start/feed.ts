import { shortAddress } from '@bowline/core/domain/readable';
import type { Entry } from './screen.ts';

// Formats the agent's log for people. Its lines are JSON with an `event`. Actions and warnings are shown; everything
// else only on request.

type Fields = Record<string, unknown>;

export interface FeedOptions {
  /** Names of accounts, by address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether to show unimportant lines too. */
  readonly everything: boolean;
}

/** The entry for one log line of the agent; undefined if there is nothing to show. Absent fields are left out. */
export function entryOf(line: string, { names, everything }: FeedOptions): Entry | undefined {
  const fields = parse(line);
  if (fields === undefined) return isTraceOfError(line) ? undefined : { title: `agent: ${line}`, isTrouble: true };
  const known = knownEntry(fields, names);
  const at = timeOf(fields);
  if (known !== undefined) return { ...at, ...known, details: (known.details ?? []).filter((detail) => detail !== '') };
  if (fields.level === 'warn') return { ...at, title: `agent warning: ${inWords(fields)}`, isTrouble: true };
  if (fields.level === 'error') return { ...at, title: `agent error: ${inWords(fields)}`, isTrouble: true };
  return everything && fields.event !== undefined ? { ...at, title: `agent: ${inWords(fields)}` } : undefined;
}

function knownEntry(fields: Fields, names: FeedOptions['names']): Entry | undefined {
  switch (fields.event) {
    case 'run.executed':
      return {
        title: `run of plan ${text(fields.planId)}`,
        details: [
          sentence(['paid', fields.paid], ['received', fields.received], ['at least', fields.floor]),
          balances('owner', fields.ownerBefore, fields.ownerAfter),
        ],
      };
    case 'run.deferred':
      return {
        title: `plan ${text(fields.planId)} deferred: ${[fields.verdict, fields.reason].map(text).filter(Boolean).join(', ')}`,
        details: [grouped(fields.detail)],
      };
    case 'rescue.done': {
      const borrower = text(fields.borrower);
      const whose = borrower === '' ? '' : ` of ${names.get(borrower.toLowerCase()) ?? short(borrower)}`;
      return {
        title: `guard ${text(fields.guardId)} rescued a loan${whose}`,
        details: [
          [
            change('health', health(fields.healthBefore), health(fields.healthAfter)),
            sentence(['repaid', fields.repaid]),
            sentence(['sold', fields.sold]),
          ]
            .filter(Boolean)
            .join(', '),
          balances('funder', fields.funderBefore, fields.funderAfter),
        ],
      };
    }
    case 'job.submitted':
      return { title: `job ${text(fields.jobId)} delivered`, details: [`deliverable ${short(fields.deliverable)}`] };
    case 'job.settled':
      return { title: `job ${text(fields.jobId)} settled: the escrow paid` };
    default:
      return undefined;
  }
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

// Lines of an uncaught error's stack trace. Its message is reported when the agent has ended.
const isTraceOfError = (line: string): boolean => /^\s*$|^\s+(at |\^)|^\s*\^+$|^(node|file):|^Node\.js v/.test(line);

function timeOf({ time }: Fields): { readonly at: Date } | undefined {
  const at = new Date(typeof time === 'string' ? time : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : { at };
}

/** An event without a sentence of its own: its name, its fields, and its error message. */
function inWords({ level: _, time: __, event, error, ...fields }: Fields): string {
  const told = Object.entries(fields).map(([name, value]) => `${name} ${short(value)}`);
  const said = record(error).message ?? error;
  return [
    text(event).replaceAll(/[._]/g, ' ') || 'unnamed event',
    told.length === 0 ? '' : ` (${told.join(', ')})`,
    said === undefined ? '' : `: ${short(said)}`,
  ].join('');
}

const maxShort = 160;

/** Shortens addresses and hashes to their ends, and cuts everything else to a few lines. */
function short(value: unknown): string {
  const spelled = typeof value === 'string' ? value : JSON.stringify(value);
  const brief = (spelled ?? '').replace(/0x[0-9a-fA-F]{16,}/g, shortAddress);
  return brief.length > maxShort ? `${brief.slice(0, maxShort)}…` : brief;
}

/** Balances by symbol, before and after. */
function balances(whose: string, heldBefore: unknown, heldAfter: unknown): string {
  const [before, after] = [record(heldBefore), record(heldAfter)];
  const symbols = Object.keys({ ...before, ...after });
  const changes = symbols.map((symbol) => change(symbol, grouped(before[symbol]), grouped(after[symbol])));
  return changes.length === 0 ? '' : `${whose}: ${changes.join(', ')}`;
}

const change = (what: string, before: string, after: string): string =>
  before === '' && after === '' ? '' : `${what} ${before || '?'} → ${after || '?'}`;

const sentence = (...parts: readonly [string, unknown][]): string =>
  parts
    .filter(([, value]) => text(value) !== '')
    .map(([word, value]) => `${word} ${grouped(value)}`)
    .join(', ');

/** Four decimals are enough to read. */
const health = (value: unknown): string => text(value).replace(/(\.\d{4})\d+$/, '$1');

/** Groups thousands and cuts unread digits, without rounding. */
const grouped = (value: unknown): string =>
  text(value).replace(/(?<![\w.,])(\d+)(?:\.(\d+))?(?![\w,])/g, (_, whole: string, fraction: string = '') => {
    const kept = fraction.slice(0, whole.length > 3 ? 2 : 8).replace(/0+$/, '');
    return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept === '' ? '' : `.${kept}`}`;
  });

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
