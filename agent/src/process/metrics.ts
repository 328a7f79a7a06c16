import type { Log } from '@bowline/core/domain/ports';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  /** The given log, with every event counted by name and level. */
  readonly log: Log;
  /** Prometheus text format. */
  expose(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Metrics for the operator: the process, and a counter per log event. */
export function createMetrics(log: Log): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const events = new Counter({
    name: 'bowline_events_total',
    help: 'Events of the log, by name and level.',
    labelNames: ['event', 'level'],
    registers: [registry],
  });
  const counted =
    (level: keyof Log) =>
    (event: string, fields?: Record<string, unknown>): void => {
      events.inc({ event, level });
      log[level](event, fields);
    };
  return {
    log: { debug: counted('debug'), info: counted('info'), warn: counted('warn'), error: counted('error') },
    expose: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}
