import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explained, explanations, type Trouble } from '../../bench/soak/explain.ts';

const line = (event: string, time: string) => ({ level: 'warn', event, time });
const troubles: readonly Trouble[] = [
  { cause: 'swallowed', fromMs: Date.parse('2026-01-01T00:01:00Z'), toMs: Date.parse('2026-01-01T00:01:10Z') },
];

test('CH-14: a line is explained by a fault of its kind at that time, and by nothing else', () => {
  expect(explained(line('sender.bumping', '2026-01-01T00:01:05Z'), troubles)).toBe(troubles[0]);
  expect(explained(line('sender.bumping', '2026-01-01T00:00:59Z'), troubles)).toBeUndefined();
  expect(explained(line('sender.bumping', '2026-01-01T00:03:00Z'), troubles)).toBeUndefined();
  expect(explained(line('head.silent', '2026-01-01T00:01:05Z'), troubles)).toBeUndefined();
  expect(explained(line('tick.failed', '2026-01-01T00:01:05Z'), troubles)).toBeUndefined();
});

test('CH-14: every event that has an explanation is one of the agent', () => {
  const folder = new URL('../../agent/src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  expect(Object.keys(explanations).filter((event) => !source.includes(`'${event}'`))).toEqual([]);
});
