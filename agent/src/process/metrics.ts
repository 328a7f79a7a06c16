import type { Log } from '@bowline/core/domain/ports';
import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  /** The same log, with every event counted by name and level. */
  readonly log: Log;
  /** In the text format of Prometheus. */
  expose(): Promise<{ readonly type: string; readonly text: string }>;
}

/** What an operator watches: the process, and how often each event of the log has come up. */
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
