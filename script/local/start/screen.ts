// What the agent logs, as people read it. Its lines are JSON with an `event`; three events are shown, all else is left out.

type Fields = Record<string, unknown>;

/** The lines to show for a line of the agent's log; undefined for nothing. Fields that are absent are left out. */
export function readable(line: string): string | undefined {
  const fields = parse(line);
  switch (fields?.event) {
    case 'run.executed':
      return lines(fields, `run of plan ${text(fields.planId)}`, [
        sentence(['paid', fields.paid], ['received', fields.received], ['at least', fields.floor]),
        balances(fields),
      ]);
    case 'run.deferred':
      return lines(fields, `plan ${text(fields.planId)} deferred`, [
        [fields.verdict, fields.reason].map(text).filter(Boolean).join(', '),
        text(fields.detail),
      ]);
    case 'rescue.done':
      return lines(fields, `rescue under policy ${text(fields.policyId)}`, [
        sentence(['repaid', fields.repaid]),
        change('health', short(fields.healthBefore), short(fields.healthAfter)),
      ]);
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

function lines({ time }: Fields, title: string, details: readonly string[]): string {
  const at = typeof time === 'string' || typeof time === 'number' ? new Date(time) : undefined;
  const clock = at === undefined || Number.isNaN(at.getTime()) ? '' : `${at.toTimeString().slice(0, 8)}  `;
  return [`${clock}${title}`, ...details.filter((detail) => detail !== '')].join(`\n${' '.repeat(clock.length || 2)}`);
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
  text(value).replace(/(\d+)(?:\.(\d+))?/g, (_, whole: string, fraction: string = '') => {
    const kept = fraction.slice(0, whole.length > 3 ? 2 : 8).replace(/0+$/, '');
    return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${kept === '' ? '' : `.${kept}`}`;
  });

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const record = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
