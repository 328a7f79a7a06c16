import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { placeOf } from '@bowline/http/place';
import { create, extract, list } from 'tar';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openPaymentStore } from '../../agent/src/payments/payment-store.ts';
import { backUp } from '../../script/backup/backup.ts';
import { noteLostTime } from '../../script/backup/lost-time.ts';
import { placesOfAgent } from '../../script/backup/places.ts';
import { restore } from '../../script/backup/restore.ts';

// DP-43 to DP-46. A backup lies where others may reach it: what comes back is taken for a stranger's file.

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'bowline-backup-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const settings = (machine: string) => ({
  CHAIN: 'bsc',
  DEPLOYMENTS_DIR: join(scratch, machine, 'deployments'),
  EVIDENCE_DIR: join(scratch, machine, 'evidence'),
  DELIVERABLES_DIR: join(scratch, machine, 'deliverables'),
  PAYMENTS_DIR: join(scratch, machine, 'payments'),
  NOTICES_FILE: join(scratch, machine, 'notices.json'),
});
const placesOn = (machine: string) => placesOfAgent(settings(machine));

function write(machine: string, path: string, text = `content of ${path}`) {
  const file = join(scratch, machine, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const kept = [
  'deliverables/0xa-0xb.json',
  'deployments/56.json',
  'evidence/ab/0xab12.json',
  'notices.json',
  'payments/answered/one.json',
  'payments/keys/two.json',
  'payments/open/two.json',
  'payments/tasks/asked/four.json',
  'payments/tasks/receivers/ab/five.json',
  'payments/transfers/three',
];
const filesOn = (machine: string) =>
  existsSync(join(scratch, machine))
    ? readdirSync(join(scratch, machine), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(scratch, machine, name)).isFile())
        .sort()
    : [];

async function backedUp(): Promise<string> {
  for (const path of kept) write('one', path);
  // Half written, of another chain, and none of the agent's.
  for (const path of ['evidence/ab/0xab34.json.1234.part', 'deployments/97.json', 'stop']) write('one', path);
  const file = join(scratch, 'backup.tgz');
  expect(await backUp(placesOn('one'), file, 1_700_000_000_999)).toBe(kept.length);
  return file;
}

test('DP-43: everything that the chain does not hold comes back on another machine, readable by whom it may be', async () => {
  const file = await backedUp();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(scratch).sort()).toEqual(['backup.tgz', 'one']);
  expect(await restore(placesOn('two'), file)).toBe(kept.length);
  expect(filesOn('two')).toEqual(kept);
  for (const path of kept) expect(readFileSync(join(scratch, 'two', path), 'utf8')).toBe(`content of ${path}`);
  for (const path of kept.filter((each) => /^(payments|notices)/.test(each)))
    expect(statSync(join(scratch, 'two', path)).mode & 0o077, path).toBe(0);
  for (const folder of ['open', 'tasks', 'tasks/asked', 'tasks/receivers/ab'])
    expect(statSync(join(scratch, 'two/payments', folder)).mode & 0o077).toBe(0);
});

test('AG-239: a restore leaves word of the time whose payments it has lost, for the agent alone', async () => {
  const file = await backedUp();
  await restore(placesOn('two'), file);
  await noteLostTime(placesOn('two'), file, 1_700_000_600_001);
  const path = join(scratch, 'two/payments/restored.json');
  expect(statSync(path).mode & 0o077).toBe(0);
  const store = await openPaymentStore(pathToFileURL(`${dirname(path)}/`), () => {});
  const lost = { from: 1_700_000_000n, until: 1_700_000_600n };
  expect(await store.lost(1_700_000_700_000)).toEqual(lost);
  const week = 7 * 24 * 3_600_000;
  expect(await store.lost(1_700_000_600_000 + week)).toEqual(lost);
  expect(await store.lost(1_700_000_600_001 + week)).toBeUndefined();
  // It is no part of a backup: what was lost once is in the next one, or is too old.
  expect(await backUp(placesOn('two'), `${file}.2`, 1_700_000_700_000)).toBe(kept.length);
});

test('DP-44: neither replaces anything', async () => {
  const file = await backedUp();
  await expect(backUp(placesOn('one'), file, 1_700_000_000_999)).rejects.toThrow('backup.tgz exists: name a new file.');
  for (const path of kept.filter((each) => !each.startsWith('deployments'))) {
    write('two', path, 'of another agent');
    await expect(restore(placesOn('two'), file), path).rejects.toThrow('is not empty: stop the agent');
    expect(filesOn('two')).toEqual([path]);
    rmSync(join(scratch, 'two'), { recursive: true });
  }
  // A record may stand, if it is the same one; and so may the empty folders of a first start.
  write('two', 'deployments/56.json', 'another');
  await expect(restore(placesOn('two'), file)).rejects.toThrow("is another record than the backup's");
  expect(filesOn('two')).toEqual(['deployments/56.json']);
  write('two', 'deployments/56.json', 'content of deployments/56.json');
  mkdirSync(join(scratch, 'two/payments/open'), { recursive: true });
  await restore(placesOn('two'), file);
  expect(filesOn('two')).toEqual(kept);
});

test.each<[string, (copy: string) => string[] | undefined, RegExp]>([
  ['a changed file', (copy) => void writeFileSync(join(copy, kept[2] as string), 'forged'), /0xab12.json is damaged/],
  ['a missing file', (copy) => void rmSync(join(copy, kept.at(-1) as string)), /transfers\/three is missing/],
  [
    'a file too many',
    (copy) => void writeFileSync(join(copy, 'evidence/0xcd.json'), ''),
    /0xcd.json is damaged or not/,
  ],
  ['no list', (copy) => void rmSync(join(copy, 'contents.json')), /does not begin with contents.json/],
  ['a list that is none', (copy) => void writeFileSync(join(copy, 'contents.json'), '{}'), /does not begin with/],
  [
    'a link in place of a file',
    (copy) => {
      rmSync(join(copy, 'notices.json'));
      symlinkSync('/etc/hostname', join(copy, 'notices.json'));
    },
    /notices.json is not a file/,
  ],
  [
    'a listed file of another place',
    (copy) => {
      const content = JSON.parse(readFileSync(join(copy, 'contents.json'), 'utf8'));
      content.sha256['.env'] = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      writeFileSync(join(copy, 'contents.json'), JSON.stringify(content));
      writeFileSync(join(copy, '.env'), '');
    },
    /\.env belongs to no place/,
  ],
  [
    'a listed file outside its folder',
    (copy) => {
      const content = JSON.parse(readFileSync(join(copy, 'contents.json'), 'utf8'));
      content.sha256['evidence/../../../out'] = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
      writeFileSync(join(copy, 'contents.json'), JSON.stringify(content));
      mkdirSync(join(copy, '../x/y'), { recursive: true });
      writeFileSync(join(dirname(dirname(copy)), 'out'), '');
      return ['evidence/../../../out'];
    },
    /out belongs to no place/,
  ],
])('DP-45: %s: nothing is restored', async (_, spoil, message) => {
  const file = await backedUp();
  const copy = join(scratch, 'in/copy');
  mkdirSync(copy, { recursive: true });
  await extract({ file, cwd: copy });
  const more = spoil(copy) ?? [];
  const names = readdirSync(copy, { recursive: true, encoding: 'utf8' })
    .filter((name) => !existsSync(join(copy, name)) || !statSync(join(copy, name)).isDirectory())
    .sort((one, other) => Number(other === 'contents.json') - Number(one === 'contents.json'));
  const spoilt = join(scratch, 'spoilt.tgz');
  await create({ cwd: copy, file: spoilt, gzip: true, preservePaths: true }, [...names, ...more]);
  await expect(restore(placesOn('two'), spoilt)).rejects.toThrow(message);
  expect(filesOn('two')).toEqual([]);
});

test('DP-45: a file that was cut short, and one that is no backup', async () => {
  const file = await backedUp();
  const bytes = readFileSync(file);
  for (const part of [bytes.subarray(0, bytes.length / 2), bytes.subarray(0, 0), Buffer.from('not a backup')]) {
    writeFileSync(file, part);
    await expect(restore(placesOn('two'), file)).rejects.toThrow('backup.tgz');
    expect(filesOn('two')).toEqual([]);
  }
  await expect(restore(placesOn('two'), join(scratch, 'nothing'))).rejects.toThrow('There is no');
});

test('DP-46: while payments are being answered, none of them is missed', { tags: 'long' }, async () => {
  const at = (state: string, number: number) => `payments/${state}/${number}.json`;
  const put = (state: string, number: number) => {
    write('one', `${at(state, number)}.part`, String(number));
    renameSync(join(scratch, 'one', `${at(state, number)}.part`), join(scratch, 'one', at(state, number)));
  };
  for (let number = 0; number < 300; number++) put('open', number);
  const file = join(scratch, 'backup.tgz');
  const child = spawn(process.execPath, ['--import', 'tsx', resolve('script/backup.ts'), file], {
    env: { ...process.env, ...settings('one') },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let code: number | null | undefined;
  child.once('close', (ended) => (code = ended));
  let answered = 0;
  await expect.poll(() => readdirSync(scratch).some((name) => name.includes('.part-')), { interval: 1 }).toBe(true);
  while (code === undefined) {
    if (answered < 300) {
      put('answered', answered);
      rmSync(join(scratch, 'one', at('open', answered)));
      answered += 1;
    }
    await turn();
  }
  expect(code).toBe(0);
  expect(answered).toBeGreaterThan(0);
  await restore(placesOn('two'), file);
  const found = new Set(filesOn('two').map((name) => name.split('/').at(-1)));
  expect(found.size).toBe(300);
  // What needs another file is copied before it.
  const names: string[] = [];
  await list({ file, onReadEntry: ({ path }) => void names.push(path.split('/').slice(0, 2).join('/')) });
  expect([...new Set(names)].filter((name) => name.startsWith('payments'))[0]).toBe('payments/open');
  expect(placesOn('one').map(({ name }) => name)).toEqual([
    'deployments/56.json',
    'evidence',
    'deliverables',
    'payments/tasks',
    'payments/open',
    'payments/answered',
    'payments/keys',
    'payments/transfers',
    'notices.json',
  ]);
});

test('DP-47: what an earlier version kept is used where it stands until it is moved', () => {
  const root = pathToFileURL(`${scratch}/`);
  expect(placeOf('data/evidence', root)).toBe('data/evidence');
  mkdirSync(join(scratch, '.cache/evidence'), { recursive: true });
  expect(placeOf('data/evidence', root)).toBe('.cache/evidence');
  expect(placeOf('data/deliverables', root)).toBe('data/deliverables');
  expect(placeOf('elsewhere', root)).toBe('elsewhere');
  mkdirSync(join(scratch, 'data/evidence'), { recursive: true });
  expect(placeOf('data/evidence', root)).toBe('data/evidence');
});
