import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from '@bowline/core/verdict/checks/index';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { inspectReasons } from '../../lab/tools/reasons.ts';

const source = 'docs/reasons.md';
const table = readFileSync(source, 'utf8');
const parts = ['docs', 'contracts', 'agent/src', 'packages/core', 'web/app', 'web/server'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reasons-'));
  for (const path of [
    ...parts,
    'web/validate-offer.ts',
    'web/wire.ts',
    'package.json',
    'lab/tools/reasons.ts',
    'lab/tools/reasons',
  ])
    cpSync(path, join(folder, path), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const changed = new Map<string, string>();
afterEach(() => {
  for (const [path, text] of changed) writeFileSync(join(folder, path), text);
  changed.clear();
});

/** Changes a file of the copy until the test ends; the text to replace must exist. */
function change(path: string, from: string, to: string) {
  const text = readFileSync(join(folder, path), 'utf8');
  expect(text).toContain(from);
  changed.set(path, changed.get(path) ?? text);
  writeFileSync(
    join(folder, path),
    text.replace(from, () => to),
  );
}

/** The output of `--check` for the copy. */
function found(given = checks): string {
  const { problems, stale } = inspectReasons(folder, given);
  return [...problems, ...stale].join('\n');
}

/** A whole line of the table. */
function rowOf(start: string): string {
  const row = table.split('\n').find((line) => line.startsWith(`| ${start} |`));
  if (row === undefined) throw new Error(`no row begins with ${start}`);
  return `${row}\n`;
}

test.each([
  ['a reason', '5 | stablecoin_off_peg', 'stablecoin_off_peg has no row'],
  ['the last reason', '18 | past_missing', 'past_missing has no row'],
  ['a check', 'stablecoin_peg', 'the check stablecoin_peg has no row'],
  ['a refusal of the agent', 'balance_too_low', 'balance_too_low has no row'],
  ['a refusal of an offer', 'router_not_pinned', 'router_not_pinned has no row'],
  ['a refusal of a contract', 'cooling_down', 'cooling_down has no row'],
])('the deleted row of %s is named', (_, start, why) => {
  change(source, rowOf(start), '');
  expect(found()).toContain(why);
});

test('as a command it ends with 1 and names the row', () => {
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync('node', [join(folder, 'lab/tools/reasons.ts'), ...args], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
  change(source, rowOf('stablecoin_peg'), '');
  const { status, stderr } = run('--check');
  expect(stderr).toContain('the check stablecoin_peg has no row');
  expect(status).toBe(1);
  // Nothing is written from such tables.
  expect(run().status).toBe(1);
  expect(readFileSync(join(folder, 'packages/core/texts/checks.ts'), 'utf8')).toContain('stablecoin_peg');
});

test('RW-1: a new reason reaches every file', () => {
  change(
    source,
    rowOf('18 | past_missing'),
    `${rowOf('18 | past_missing')}| 19 | something_new | way_back | it is new | New. |\n`,
  );
  const { files, problems, stale } = inspectReasons(folder);
  expect(problems).toEqual([]);
  expect(stale).toHaveLength(3);
  const all = files.map(({ text }) => text).join('\n');
  for (const text of ['SOMETHING_NEW = 19;', 'something_new: 19,', "something_new: 'it is new',"])
    expect(all).toContain(text);
});

const sixth = '| 6 | finality_missing | chain_health | ';
const peg = '| stablecoin_peg | Stablecoin peg | ';
test.each([
  ['finality-missing is not lower_snake', sixth, '| 6 | finality-missing | chain_health | '],
  ['finality_missing has number 7 instead of 6', sixth, sixth.replace('6', '7')],
  ['has peg_missing twice', sixth, sixth.replace('finality_missing', 'peg_missing')],
  ['has no_debt twice', '| no_collateral |', '| no_debt |'],
  ['finality_missing in words has an apostrophe or a full stop', sixth, `${sixth}it's `],
  ['finality_missing names gone, which is not a check', sixth, sixth.replace('health |', 'health, gone |')],
  ['no check is called stable_peg', peg, peg.replace('stablecoin_peg', 'stable_peg')],
  ['the question of stablecoin_peg is "Is the stablecoin that is received worth one dollar?"', peg, `${peg}So? `],
  ['no code refuses with something_new', rowOf('no_debt'), `${rowOf('no_debt')}| something_new | it is new |\n`],
  ['the row | no_debt | does not have refusal, in words', rowOf('no_debt'), '| no_debt |\n'],
  ['has no table of check, name, question', '| check | name | question |', '| check | name |'],
])('%s', (why, from, to) => {
  change(source, from, to);
  expect(found()).toContain(why);
});

test('a check without a row is named', () => {
  const [check] = checks;
  if (check === undefined) throw new Error('there is no check');
  expect(found([...checks, { ...check, id: 'way_back_again' }])).toContain('the check way_back_again has no row');
});

test.each([
  ['packages/core/domain/reasons.ts', 'peg_missing: 4', 'peg_missing: 5'],
  ['contracts/libraries/Reasons.sol', 'PEG_MISSING = 4', 'PEG_MISSING = 5'],
  ['packages/core/texts/reasons.ts', 'the stablecoin has no price', 'all is well'],
  ['packages/core/texts/refusals.ts', 'the loan has no debt', 'all is well'],
  ['packages/core/texts/checks.ts', 'checkCount = 9', 'checkCount = 7'],
])('%s is not changed by hand', (path, from, to) => {
  change(path, from, to);
  expect(found()).toBe(`${path} is out of date with ${source}`);
});
