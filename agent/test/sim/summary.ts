import type { Invariant } from './invariants.ts';
import type { Report } from './simulate.ts';

/** What many stories measured, as numbers that can be sent between threads. */
export interface Summary {
  seeds: number;
  rescueMs: number[];
  runMs: number[];
  stopMs: number[];
  slotsMissed: number;
  failures: number;
  steps: number;
  /** Seeds by broken invariant. */
  broken: Map<Invariant, number[]>;
  /** Log lines at warn and above. */
  events: Map<string, number>;
}

export const newSummary = (): Summary => ({
  seeds: 0,
  rescueMs: [],
  runMs: [],
  stopMs: [],
  slotsMissed: 0,
  failures: 0,
  steps: 0,
  broken: new Map(),
  events: new Map(),
});

export function addTo(sum: Summary, seed: number, report: Report): void {
  const { violations, rescueMs, runMs, stopMs, slotsMissed, failures, steps, events } = report;
  sum.seeds += 1;
  sum.rescueMs.push(...rescueMs);
  sum.runMs.push(...runMs);
  sum.stopMs.push(...stopMs);
  sum.slotsMissed += slotsMissed;
  sum.failures += failures.count;
  sum.steps += steps;
  for (const invariant of new Set(violations.map((each) => each.invariant))) {
    sum.broken.set(invariant, [...(sum.broken.get(invariant) ?? []), seed]);
  }
  for (const [event, count] of events) sum.events.set(event, (sum.events.get(event) ?? 0) + count);
}

export function merge(sum: Summary, more: Summary): void {
  sum.seeds += more.seeds;
  for (const times of ['rescueMs', 'runMs', 'stopMs'] as const) sum[times].push(...more[times]);
  for (const count of ['slotsMissed', 'failures', 'steps'] as const) sum[count] += more[count];
  for (const [invariant, seeds] of more.broken) {
    sum.broken.set(invariant, [...(sum.broken.get(invariant) ?? []), ...seeds]);
  }
  for (const [event, count] of more.events) sum.events.set(event, (sum.events.get(event) ?? 0) + count);
}

/** In lines for people. */
export function describe(sum: Summary): string {
  const { seeds, rescueMs, runMs, stopMs, slotsMissed, failures, steps, broken, events } = sum;
  const lines = [
    `${seeds} seeds, ${steps} steps, ${rescueMs.length} rescues, ${runMs.length} runs, ${slotsMissed} slots missed, ${failures} failed calls paid for`,
    `rescue after the loan was due or the outage ended: ${quantiles(rescueMs)}`,
    `run after its slot began or the outage ended: ${quantiles(runMs)}`,
    `end after SIGTERM: ${quantiles(stopMs)}`,
    ...[...broken].map(
      ([invariant, by]) => `${invariant}: broken by ${by.length} seeds: ${some(by.toSorted((a, b) => a - b))}`,
    ),
    `log lines at warn and above: ${[...events]
      .toSorted(([, a], [, b]) => b - a)
      .map(([event, count]) => `${event} ×${count}`)
      .join(', ')}`,
  ];
  return lines.join('\n');
}

const some = (seeds: readonly number[]): string => `${seeds.slice(0, 20).join(', ')}${seeds.length > 20 ? ' …' : ''}`;

function quantiles(milliseconds: readonly number[]): string {
  if (milliseconds.length === 0) return 'none';
  const ordered = milliseconds.toSorted((a, b) => a - b);
  const at = (part: number) =>
    ((ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * part))] ?? 0) / 1000).toFixed(1);
  return `p50 ${at(0.5)} s, p90 ${at(0.9)} s, p99 ${at(0.99)} s, max ${at(1)} s`;
}
