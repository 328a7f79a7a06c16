import type { Log } from '@bowline/core/domain/log';
import { type DestinationStream, pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** Texts to redact from every line, whatever their source: a node's error message may quote its own URL. */
  readonly secrets: readonly string[];
}

/** Logs one line of JSON per call, on standard output by default: `level`, `time`, `event`, then the fields. */
export function createLog({ level, secrets }: LogOptions, destination: DestinationStream = pino.destination(1)): Log {
  // JSON-escaped, so that a secret with a quote is redacted too. Shorter secrets are ordinary words and stay.
  const spelled = secrets.filter(({ length }) => length >= 8).map((secret) => JSON.stringify(secret).slice(1, -1));
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => spelled.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line) },
    },
    destination,
  );
  // Evidence and errors are long, so they are serialised only if the line is written.
  const at =
    (name: keyof Log): Log[keyof Log] =>
    (event, fields) => {
      if (logger.isLevelEnabled(name)) logger[name](plain(event, fields));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Restricts values to JSON types. A field that cannot be serialised must not stop the code that logs it. */
function plain(event: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  try {
    return { event, ...JSON.parse(JSON.stringify(fields, (_, value) => writable(value))) };
  } catch {
    return { event, fields: 'could not be written' };
  }
}

function writable(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, cause } = value;
  // viem's errors are a page long; the first line says what happened.
  const [first] = message.split('\n');
  return { name, message: first, ...(cause === undefined ? {} : { cause }) };
}
