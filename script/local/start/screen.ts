// What the agent logs, as people read it. Its lines are JSON with an `event`: what it did is shown, and what it complains of.

type Fields = Record<string, unknown>;

/** Lines end before this column; what is longer goes on in the next. */
const WIDTH = 80;

/** How long the same complaint is not shown again. */
const AGAIN_MS = 60_000;

/**
 * Reads the agent's log for people. What the reader answers is to be shown; undefined for nothing. `nowMs` is a clock that
 * does not go back.
 */
export function createReader(nowMs: () => number): (line: string) => string | undefined {
  const shown = new Map<string, number>();
  return (line) => {
    const fields = parse(line);
    if (fields?.level !== 'warn' && fields?.level !== 'error') return fields && ofWork(fields);
    const complaint = complaintOf(fields);
    const last = shown.get(complaint);
    if (last !== undefined && nowMs() - last < AGAIN_MS) return undefined;
    shown.set(complaint, nowMs());
    return lines(fields, complaint, []);
  };
}

/** A line that somebody has to read as it is: of what was on the way when the agent ended. */
export function plain(line: string): string {
  const fields = parse(line);
  return fields?.event === undefined ? line : complaintOf(fields);
}

function ofWork(fields: Fields): string | undefined {
  switch (fields.event) {
    case 'run.executed':
      return lines(fields, `run of plan ${text(fields.planId)}`, [
        sentence(['paid', fields.paid], ['received', fields.received], ['at least', fields.floor]),
        balances(fields),
      ]);
    case 'run.deferred':
      return lines(fields, `plan ${text(fields.planId)} deferred`, [
        [fields.verdict, fields.reason].map(text).filter(Boolean).join(', '),
        grouped(fields.detail),
      ]);
    case 'rescue.done':
      return lines(fields, `rescue by guard ${text(fields.policyId)}`, [
        fields.borrower === undefined ? '' : `the loan of ${text(fields.borrower)}`,
        sentence(['repaid', fields.repaid]),
        change('health', short(fields.healthBefore), short(fields.healthAfter)),
      ]);
    default:
      return undefined;
  }
}

/** "warning: sender.stuck (nonce 5)": the event, and what it tells of itself in short. */
function complaintOf({ level, event, time: _time, ...rest }: Fields): string {
  const told = Object.entries(rest)
    .map(([name, value]) => {
      const message = record(value).message;
      const said = typeof message === 'string' ? message : text(value);
      return said === '' ? '' : `${name} ${said}`;
    })
    .filter(Boolean)
    .slice(0, 3);
  const word = level === 'error' ? 'error: ' : level === 'warn' ? 'warning: ' : '';
  return `${word}${text(event)}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
}

function parse(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function lines({ time }: Fields, title: string, details: readonly string[]): string {
  const at = typeof time === 'string' || typeof time === 'number' ? new Date(time) : undefined;
  const clock = at === undefined || Number.isNaN(at.getTime()) ? '' : `${at.toTimeString().slice(0, 8)}  `;
  const indent = ' '.repeat(clock.length || 2);
  return [title, ...details.filter((detail) => detail !== '')]
    .flatMap((part) => wrapped(part, WIDTH - indent.length))
    .map((part, index) => (index === 0 ? clock : indent) + part)
    .join('\n');
}

/** A word that is longer than a line stands alone on one. */
export function wrapped(sentences: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of sentences.split(' ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + 1 + word.length <= width) rows[rows.length - 1] = `${row} ${word}`;
    else rows.push(word);
  }
  return rows;
}

/** Owner's balances by symbol, before and after. */
function balances({ ownerBefore, ownerAfter }: Fields): string {
  const [before, after] = [record(ownerBefore), record(ownerAfter)];
  const symbols = Object.keys({ ...before, ...after });
  const changes = symbols.map((symbol) => change(symbol, grouped(before[symbol]), grouped(after[symbol])));
  return changes.length === 0 ? '' : `owner: ${changes.join(', ')}`;
}

const change = (what: string, before: string, after: string): string =>
  before === '' && after === '' ? '' : `${what} ${before || '?'} → ${after || '?'}`;

const sentence = (...parts: readonly [string, unknown][]): string =>
  parts
    .filter(([, value]) => text(value) !== '')
    .map(([word, value]) => `${word} ${grouped(value)}`)
    .join(', ');

/** Health with four decimals: the rest says nothing. */
const short = (value: unknown): string => text(value).replace(/(\.\d{4})\d+$/, '$1');

/** Amounts with thousands apart and without the digits that nobody reads: cut, not rounded. */
const grouped = (value: unknown): string =>
  text(value).replace(/(?<![\d,.x])(\d+)(?:\.(\d+))?(?![\d,])/g, (_, whole: string, fraction: string = '') => {
    const kept = fraction.slice(0, whole.length > 3 ? 2 : 8).replace(/0+$/, '');
    return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept === '' ? '' : `.${kept}`}`;
  });

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
