import { expect, test } from 'vitest';
import { ranIn } from '../../lab/smoke/coverage.ts';
import { createRecorder, filesOf, type Paths } from '../../lab/smoke/paths.ts';
import { excess, missed, readRecorded, tableOf } from '../../lab/smoke/record.ts';
import { createReport } from '../../lab/smoke/report.ts';

const root = 'file:///project/';
const called = (functionName: string, startOffset: number, count: number) => ({
  functionName,
  ranges: [{ startOffset, count }],
});

test('a function of the project ran if it was called, and a module was not called because it was loaded', () => {
  const ran = ranIn(
    [
      { url: `${root}agent/a.ts`, functions: [called('', 0, 1), called('', 40, 2), called('one', 10, 1)] },
      { url: `${root}agent/loaded.ts`, functions: [called('', 0, 1), called('two', 10, 0)] },
      { url: `${root}node_modules/library/index.js`, functions: [called('three', 10, 1)] },
      { url: 'node:fs', functions: [called('four', 10, 1)] },
    ],
    root,
  );
  expect([...ran]).toEqual(['agent/a.ts#@40', 'agent/a.ts#one@10']);
});

test('of a path are the functions that ran in each of its windows and not in the idle agent', () => {
  const windows = [new Set(['b.ts#x@1', 'a.ts#y@1', 'a.ts#z@9', 'c.ts#once@1']), new Set(['a.ts#y@1', 'b.ts#x@1'])];
  expect(filesOf(windows, new Set())).toEqual(['a.ts', 'b.ts']);
  expect(filesOf(windows, new Set(['b.ts#x@1']))).toEqual(['a.ts']);
  expect(filesOf([], new Set())).toEqual([]);
});

test('what ran before a window is not of its path', async () => {
  const taken = [['before.ts#f@1'], ['during.ts#f@1']];
  const take = () => Promise.resolve(new Set(taken.shift()));
  const recorder = createRecorder({ take });
  expect(await recorder.during('rescue', async () => 'seen')).toBe('seen');
  expect(recorder.paths()).toEqual({ question: [], verdict: [], plan: [], rescue: ['during.ts'] });
});

test('a path may have as many files as are recorded, and those that are new are named', () => {
  const recorded: Paths = { question: ['a.ts', 'b.ts'], verdict: ['a.ts'], plan: [], rescue: [] };
  expect(excess({ ...recorded, question: ['a.ts', 'c.ts'] }, recorded)).toEqual([]);
  expect(excess({ ...recorded, verdict: ['a.ts', 'c.ts'] }, recorded)).toEqual([
    'verdict: 2 files run, and at most 1 may. Not recorded: c.ts',
  ]);
});

test('a table has a row for each folder', () => {
  expect(tableOf(['agent/src/a.ts', 'agent/src/b.ts', 'packages/core/c.ts'])).toBe(
    [
      '| 3 files run | | |',
      '| --- | --: | --- |',
      '| [agent/src](../../agent/src) | 2 | a, b |',
      '| [packages/core](../../packages/core) | 1 | c |',
    ].join('\n'),
  );
});

test('a job that fails is counted, and the next one is still played', async () => {
  const report = createReport();
  await report.job('first', () => Promise.reject(new Error('not GO')));
  await report.job('second', async () => 'GO');
  expect(report.failures()).toEqual(['first']);
});

test('a path whose own file did not run was missed, however few files that makes', () => {
  const recorded = readRecorded();
  expect(missed(recorded)).toEqual([]);
  expect(missed({ ...recorded, plan: recorded.question, rescue: [] })).toEqual(['plan', 'rescue']);
});
