import { expect, test } from 'vitest';
import { slopePerHour } from '../../bench/soak/memory.ts';
import { judgeSoak, type Soaked } from '../../bench/soak/verdict.ts';

// CH-14: the soak comes out badly whenever something is wrong.

const at = (seconds: number) => Date.parse('2026-01-01T12:00:00Z') + seconds * 1000;
const line = (event: string, seconds: number, fields: object = {}, level = 'info') => ({
  event,
  level,
  time: new Date(at(seconds)).toISOString(),
  ...fields,
});
const [guardId, planId] = [1n, 2n];
const slot = (seconds: number) =>
  ({ time: at(seconds) / 1000 + 5, slotStart: at(seconds) / 1000, outcome: 'executed' }) as const;
const samples = Array.from({ length: 60 }, (_, minute) => ({ life: 1, atMs: at(minute * 60), heapMb: 60, rssMb: 280 }));

const good: Soaked = {
  log: [
    line('rescue.done', 31, { guardId: '1' }),
    line('run.executed', 5, { planId: '2' }),
    line('run.executed', 65, { planId: '2' }),
    line('head.silent', 40, {}, 'warn'),
  ],
  troubles: [{ cause: 'silent', fromMs: at(20), toMs: at(30) }],
  gaps: [],
  lives: [{}],
  samples,
  falls: [{ guardId, atMs: at(22) }],
  rescues: new Map([[guardId, [{ time: at(31) / 1000 }]]]),
  runs: new Map([[planId, [slot(0), slot(60)]]]),
  waits: [{ guardId, fromMs: at(22), toMs: at(31) }],
  readyAlthough: [],
  periods: new Map([[planId, 60]]),
  toMs: at(125),
};
const growing = (field: 'heapMb' | 'rssMb', perMinute: number) =>
  samples.map((sample, minute) => ({ ...sample, [field]: sample[field] + minute * perMinute }));

test('an hour without anything wrong has no reason', () => {
  expect(judgeSoak(good).reasons).toEqual([]);
});

test('a rescue of which was told that its nonce is used is not untold', () => {
  const told = (label: string) => [...good.log.slice(1), line('call.consumed', 31, { label }, 'error')];
  expect(judgeSoak({ ...good, log: told('rescue by guards 1, 7') }).reasons).toEqual([]);
  expect(judgeSoak({ ...good, log: told('rescue by guards 11, 7') }).reasons).not.toEqual([]);
});

test('a rescue of which a forged receipt says that it reverted is not untold, and nothing else excuses it', () => {
  const forged = { cause: 'forged_receipts', fromMs: at(20), toMs: at(40) } as const;
  const log = [...good.log.slice(1), line('call.reverted', 31, { label: 'rescue by guard 1' }, 'warn')];
  expect(judgeSoak({ ...good, log, troubles: [...good.troubles, forged] }).reasons).toEqual([]);
  expect(judgeSoak({ ...good, log }).reasons.join()).toContain('Nothing explains');
});

const wrong: readonly (readonly [what: string, changes: Partial<Soaked>, reason: string])[] = [
  ['a rescue too many', { falls: [] }, 'Guard 1 made 1 rescues of 0 falls.'],
  ['a lost rescue', { rescues: new Map([[guardId, []]]) }, 'Guard 1 made 0 rescues of 1 falls.'],
  ['a late rescue', { troubles: [], waits: [{ guardId, fromMs: at(22), toMs: at(33) }] }, '11.0 s after it could be'],
  ['a rescue late after a fault', { waits: [{ guardId, fromMs: at(22), toMs: at(42) }] }, '12.0 s after it could be'],
  ['an untold rescue', { log: good.log.slice(1) }, 'Guard 1: 1 rescues on chain, 0 in the log, 0 excused.'],
  ['a rescue that was not', { log: [...good.log, line('rescue.done', 50, { guardId: '1' })] }, '2 rescues in the log'],
  ['READY while a loan waits', { readyAlthough: [{ atMs: at(50), guardId, waitedMs: 21_000 }] }, 'READY although'],
  ['a slot without a record', { runs: new Map([[planId, [slot(0)]]]) }, 'slot of 12:01:00 was neither'],
  ['a slot run twice', { runs: new Map([[planId, [slot(0), slot(0), slot(60)]]]) }, 'was run 2 times'],
  ['a plan that never ran', { runs: new Map([[planId, []]]) }, 'Plan 2 has no record.'],
  ['an untold run', { log: good.log.filter(({ time }) => time !== line('', 5).time) }, '2 executed on chain, 1 in the'],
  ['an unexplained warning', { log: [...good.log, line('head.silent', 90, {}, 'warn')] }, 'Nothing explains'],
  ['an event without an excuse', { log: [...good.log, line('tick.failed', 25, {}, 'error')] }, 'Nothing explains'],
  ['a growing heap', { samples: growing('heapMb', 0.5) }, 'The heap grows by 30.0 MB an hour.'],
  ['growing memory', { samples: growing('rssMb', 2) }, 'Resident memory grows by 120.0 MB an hour.'],
];
test.each(wrong)('%s is a reason', (_, changes, reason) => {
  const { reasons } = judgeSoak({ ...good, ...changes });
  expect(reasons.join('\n')).toContain(reason);
});

test('the slope is that of most points: a few high samples do not change it', () => {
  const points = samples.map(({ atMs }, minute) => [atMs, 60 + minute / 60 + (minute % 10 === 0 ? 50 : 0)] as const);
  expect(slopePerHour(points)).toBeCloseTo(1, 1);
});
