import type { Log } from '@bowline/core/domain/log';

/** Keeps each log entry as one JSON line. */
export function keepLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const line = (event: string, fields: Record<string, unknown> = {}) =>
    void lines.push(JSON.stringify({ event, ...fields }));
  return { lines, debug: line, info: line, warn: line, error: line };
}
