import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
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
import { othersAddresses } from '@bowline/core/registry/address-book';
import { create, extract, list } from 'tar';
import { type Hex, isAddress, keccak256, numberToHex, stringToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { dataParts } from '../../agent/src/process/data-places.ts';
import { hashManifest } from '../../agent/src/selling/jobs/offers.ts';
import { readPayment } from '../../agent/src/selling/payments/payment.ts';
import { openRecords } from '../../agent/src/selling/payments/records.ts';
import { absences, backUp, keptBy } from '../../cli/backup.ts';
import { hostOf } from '../../cli/host.ts';
import { restore } from '../../cli/restore.ts';

// DP-43. Others may reach a backup where it lies, so what is restored is treated as a stranger's file.

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'bowline-backup-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const settings = (machine: string) => ({
  CHAIN: 'bsc',
  DEPLOYMENTS_DIR: join(scratch, machine, 'deployments'),
  DATA_DIR: join(scratch, machine),
  PAY_TO: payee,
});
const keptOn = (machine: string) => keptBy(hostOf(settings(machine)));

function write(machine: string, path: string, text = contentOf[path] ?? `content of ${path}`) {
  const file = join(scratch, machine, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const payee = '0x00000000000000000000000000000000000000aa';
const { token } = othersAddresses(isAddress, 56).escrow;
const transaction: Hex = `0x${'7'.repeat(64)}`;

/** What a payer has signed, as the store keeps it. */
async function paymentOf(number: number, more: object, to: string = payee) {
  const from = payer.address;
  const authorization = {
    ...{ from, to, value: '1000', validAfter: '0', validBefore: '2000000000' },
    nonce: numberToHex(number, { size: 32 }),
  };
  const signature = await payer.sign({ hash: `0x${'1'.repeat(64)}` });
  const accepted = { network: 'eip155:56', asset: token.address, amount: '1000', payTo: payee };
  const payment = readPayment({ x402Version: 2, accepted, payload: { authorization, signature } });
  if (typeof payment === 'string') throw new Error(payment);
  const state = { since: 1n, answer: { text: 'GO' }, hashes: [], isUnanswered: false, ...more };
  const file = { payment, question: { key: 'k', ask: { prompt: 'p' } }, state };
  return {
    name: `${sha(payment.key)}.json`,
    key: payment.key,
    file,
    text: JSON.stringify(file, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
  };
}

const payer = privateKeyToAccount(generatePrivateKey());
const own = 'revocations venusMarket loanGuard venusPriceSource chainlinkPriceSource planRegistry swapExecutor'.split(
  ' ',
);
const record = JSON.stringify({ chainId: 56, ...Object.fromEntries(own.map((name) => [name, payee])) });
const document = '{"evidence":1}';
const documentHash = keccak256(stringToBytes(document));
const manifest = { version: 1, job_id: 1, chain_id: 56, contracts: {}, response: { content: 'report' } };
const open = await paymentOf(1, { name: 'KEPT' });
const answered = await paymentOf(2, { name: 'PAID', transaction, isDelivered: true });

const contentOf: Readonly<Record<string, string>> = {
  [`deliverables/0x${'a'.repeat(64)}-${hashManifest(manifest)}.json`]: JSON.stringify(manifest),
  'deployments/56.json': record,
  [`evidence/${documentHash.slice(2, 4)}/${documentHash}.json`]: document,
  'notices.json': 'content of notices.json',
  [`payments/answered/${answered.name}`]: answered.text,
  [`payments/keys/${sha('key')}.json`]: open.key,
  [`payments/open/${open.name}`]: open.text,
  [`payments/transfers/${sha('transfer')}.json`]: open.key,
};
const kept = Object.keys(contentOf);
const [, , evidencePath = ''] = kept;
const filesOn = (machine: string) =>
  existsSync(join(scratch, machine))
    ? readdirSync(join(scratch, machine), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(scratch, machine, name)).isFile())
        .sort()
    : [];

async function backedUp() {
  for (const path of kept) write('one', path);
  // A half-written file, a record of another chain, and a file that is not the agent's.
  for (const path of ['evidence/ab/0xab34.json.1234.part', 'deployments/97.json', 'stop']) write('one', path);
  const file = join(scratch, 'backup.tgz');
  const { count, hash } = await backUp(keptOn('one'), file);
  expect(count).toBe(kept.length);
  return { file, hash };
}

test('DP-43: everything that the chain does not hold comes back on another machine, readable by whom it may be', async () => {
  const { file, hash } = await backedUp();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(scratch).sort()).toEqual(['backup.tgz', 'one']);
  expect(await restore(keptOn('two'), file, hash)).toBe(kept.length);
  expect(filesOn('two')).toEqual(kept);
  for (const path of kept) expect(readFileSync(join(scratch, 'two', path), 'utf8')).toBe(contentOf[path]);
  for (const path of kept.filter((each) => !each.startsWith('deployments')))
    expect(statSync(join(scratch, 'two', path)).mode & 0o077, path).toBe(0);
  for (const folder of ['', 'open']) expect(statSync(join(scratch, 'two/payments', folder)).mode & 0o077).toBe(0);
  // Other users' programs read it.
  expect(statSync(join(scratch, 'two/deployments/56.json')).mode & 0o777).toBe(0o644);
});

test('DP-43: a folder may have "#", "?" or "%" in its name', async () => {
  const [one, two] = ['one #1 50%20?', 'two #1 50%20?'];
  for (const path of kept) write(one, path);
  const file = join(scratch, 'backup.tgz');
  const { count, hash } = await backUp(keptOn(one), file);
  expect(count).toBe(kept.length);
  await restore(keptOn(two), file, hash);
  expect(filesOn(two)).toEqual(kept);
});

test('PY-3: payments come back as they stood, whether they are paid or not', async () => {
  const { file, hash } = await backedUp();
  await restore(keptOn('two'), file, hash);
  const records = await openRecords(pathToFileURL(`${join(scratch, 'two/payments')}/`), () => expect.fail());
  onTestFinished(() => records.close());
  expect(await records.open()).toEqual([open.file]);
  expect(await records.find(answered.key)).toEqual(answered.file);
  // The lock of the folder is not part of a backup.
  expect((await backUp(keptOn('two'), `${file}.2`)).count).toBe(kept.length);
});

test('DP-43: neither replaces anything', async () => {
  const { file, hash } = await backedUp();
  await expect(backUp(keptOn('one'), file)).rejects.toThrow('backup.tgz exists: name a new file.');
  for (const path of kept.filter((each) => !each.startsWith('deployments'))) {
    write('two', path, 'of another agent');
    await expect(restore(keptOn('two'), file, hash), path).rejects.toThrow('is not empty: stop the agent');
    expect(filesOn('two')).toEqual([path]);
    rmSync(join(scratch, 'two'), { recursive: true });
  }
  // The same record may already exist, and so may the stop file and the empty folders of a first start.
  write('two', 'deployments/56.json', 'another');
  await expect(restore(keptOn('two'), file, hash)).rejects.toThrow("differs from the backup's record");
  expect(filesOn('two')).toEqual(['deployments/56.json']);
  write('two', 'deployments/56.json');
  write('two', 'stop');
  mkdirSync(join(scratch, 'two/payments/open'), { recursive: true });
  await restore(keptOn('two'), file, hash);
  expect(filesOn('two')).toEqual([...kept, 'stop'].sort());
});

/** All paths there, with the target of each link. */
const treeOn = (machine: string) =>
  readdirSync(join(scratch, machine), { recursive: true, withFileTypes: true }).map((each) => {
    const path = join(each.parentPath, each.name);
    return each.isSymbolicLink() ? `${path} → ${readlinkSync(path)}` : path;
  });

test.each([
  ['evidence', 'evidence', 'two/elsewhere'],
  ['payments/open', 'payments/open', 'two/elsewhere'],
  ['notices.json', 'notices.json', 'nowhere'],
  ['the record', 'deployments/56.json', 'nowhere'],
])('DP-43: where %s is a link, nothing is restored, and nothing has changed', async (_, path, target) => {
  const { file, hash } = await backedUp();
  for (const folder of ['elsewhere', 'deliverables', 'payments', 'deployments'])
    mkdirSync(join(scratch, 'two', folder), { recursive: true });
  symlinkSync(join(scratch, target), join(scratch, 'two', path));
  const before = treeOn('two');
  const refused = restore(keptOn('two'), file, hash);
  await expect(refused).rejects.toThrow(`${join(scratch, 'two', path)} is a link: move it away`);
  expect(treeOn('two')).toEqual(before);
});

test('DP-43: a file that belongs elsewhere: nothing is restored', async () => {
  const { file } = await backedUp();
  const copy = join(scratch, 'in');
  mkdirSync(copy);
  await extract({ file, cwd: copy });
  for (const name of ['.env', 'deployments/97.json']) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    writeFileSync(join(copy, name), '');
    const spoilt = join(scratch, 'spoilt.tgz');
    await create({ cwd: copy, file: spoilt, gzip: true }, [name]);
    const hash = createHash('sha256').update(readFileSync(spoilt)).digest('hex');
    await expect(restore(keptOn('two'), spoilt, hash)).rejects.toThrow(`${name} is not a file of this agent`);
    expect(filesOn('two')).toEqual([]);
  }
});

test('DP-43: where a file cannot be written, nothing is left of those before it', async () => {
  const { file, hash } = await backedUp();
  // A folder that nobody may write to, among those of a first start.
  const closed = join(scratch, 'two/payments/transfers');
  mkdirSync(closed, { recursive: true, mode: 0o500 });
  const refused = restore(keptOn('two'), file, hash);
  if (process.getuid?.() === 0) await refused;
  else {
    await expect(refused).rejects.toThrow();
    expect(filesOn('two')).toEqual([]);
  }
});

test('DP-43: a file that was cut short or changed, and one that is no backup', async () => {
  const { file, hash } = await backedUp();
  const bytes = readFileSync(file);
  const changed = Buffer.from(bytes.map((byte, at) => (at === 500 ? byte ^ 1 : byte)));
  for (const part of [
    changed,
    bytes.subarray(0, bytes.length / 2),
    bytes.subarray(0, 0),
    Buffer.from('not a backup'),
  ]) {
    writeFileSync(file, part);
    await expect(restore(keptOn('two'), file, hash)).rejects.toThrow('backup.tgz cannot be restored: its SHA-256 is');
    expect(filesOn('two')).toEqual([]);
  }
  await expect(restore(keptOn('two'), join(scratch, 'nothing'), hash)).rejects.toThrow('There is no');
});

test('a forged backup is refused, since it has another hash', async () => {
  const { file, hash } = await backedUp();
  write('one', 'deployments/56.json', record.replaceAll(payee, payer.address));
  const forged = await backUp(keptOn('one'), `${file}.2`);
  for (const confirmed of ['', hash]) {
    const refused = restore(keptOn('two'), `${file}.2`, confirmed);
    await expect(refused).rejects.toThrow(`its SHA-256 is ${forged.hash}, not the one in --sha256`);
    expect(filesOn('two')).toEqual([]);
  }
});

test('the seller’s notes of jobs are in no backup: the chain has them', async () => {
  await backedUp();
  write('one', 'deliverables/jobs.json', '{"newest":"9"}');
  expect((await backUp(keptOn('one'), join(scratch, 'second.tgz'))).count).toBe(kept.length);
});

test('DP-43: while payments are being answered, none of them is missed', { tags: 'long' }, async () => {
  // The last ones stay open, however late a busy machine comes to read them.
  const [moved, all] = [300, 310];
  const payments = await Promise.all(Array.from({ length: all }, (_, at) => paymentOf(at + 10, { name: 'KEPT' })));
  const at = (state: string, number: number) => `payments/${state}/${payments[number]?.name}`;
  const put = (state: 'open' | 'answered', number: number) => {
    const file = payments[number]?.text ?? '';
    const text = state === 'open' ? file : file.replace('"KEPT"', '"PAID"');
    write('one', `${at(state, number)}.part`, text);
    renameSync(join(scratch, 'one', `${at(state, number)}.part`), join(scratch, 'one', at(state, number)));
  };
  for (let number = 0; number < all; number++) put('open', number);
  // The settings name these, too.
  for (const path of [evidencePath, kept[0] ?? '', 'deployments/56.json']) write('one', path);
  const file = join(scratch, 'backup.tgz');
  const child = spawn(process.execPath, [resolve('cli/main.ts'), 'backup', file], {
    env: { ...process.env, ...settings('one') },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  let code: number | null | undefined;
  child.once('close', (ended) => (code = ended));
  let answered = 0;
  await expect.poll(() => readdirSync(scratch).some((name) => name.includes('.part-')), { interval: 1 }).toBe(true);
  while (code === undefined) {
    if (answered < moved) {
      put('answered', answered);
      rmSync(join(scratch, 'one', at('open', answered)));
      answered += 1;
    }
    await turn();
  }
  expect(code).toBe(0);
  expect(answered).toBeGreaterThan(0);
  const [, hash = ''] = /SHA-256 ([0-9a-f]{64})/.exec(said) ?? [];
  await restore(keptOn('two'), file, hash);
  const restored = filesOn('two').filter((name) => name.startsWith('payments'));
  const found = new Set(restored.map((name) => name.split('/').at(-1)));
  expect(found.size).toBe(all);
  // A file that needs another one is copied before it.
  const names: string[] = [];
  await list({ file, onReadEntry: ({ path }) => void names.push(path.split('/').slice(0, 2).join('/')) });
  expect([...new Set(names)].filter((name) => name.startsWith('payments'))[0]).toBe('payments/open');
  expect(dataParts).toEqual([
    ...['evidence/', 'deliverables/', 'payments/open/', 'payments/answered/'],
    ...['payments/keys/', 'payments/transfers/', 'notices.json'],
  ]);
});

/** `npx bowline backup` in a shell. */
async function commanded(line: string, env: NodeJS.ProcessEnv) {
  const child = spawn('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, said };
}

const backupTo = (name: string) => `"${process.execPath}" cli/main.ts backup ${join(scratch, name)}`;

test('a place that a setting names and that is not there fails the backup', async () => {
  await backedUp();
  const present = settings('one');
  expect(await commanded(backupTo('whole.tgz'), present)).toMatchObject({ code: 0 });
  for (const setting of ['DEPLOYMENTS_DIR', 'DATA_DIR']) {
    const away = join(scratch, 'away/there');
    const { code, said } = await commanded(backupTo('lacking.tgz'), { ...present, [setting]: away });
    expect(code, setting).toBe(1);
    expect(said).toContain(`${setting} names a path that does not exist: ${join(scratch, 'away')}`);
    expect(existsSync(join(scratch, 'lacking.tgz'))).toBe(false);
  }
  // Webhooks have no file before the first one.
  rmSync(join(present.DATA_DIR, 'notices.json'));
  const { code, said } = await commanded(backupTo('without.tgz'), present);
  expect([code, said]).toEqual([0, expect.not.stringContaining('Nothing of')]);
});

test('what is missing is named, and a backup of nothing is none', () => {
  write('one', 'deployments/56.json');
  const [data, record] = [join(scratch, 'one'), join(scratch, 'away/56.json')];
  const absent = (more = {}) => absences({ ...keptOn('one'), ...more }, () => '');
  // Neither a folder that does not exist, nor one without an agent's files.
  for (const folder of [data, join(scratch, 'away')])
    expect(() => absent({ data: folder })).toThrow(`${folder} holds no data of an agent with these settings.`);
  write('one', evidencePath);
  const lines = ['deliverables', 'payments'].map(
    (name) => `The backup has nothing from ${name}: there is no ${join(data, name)}.`,
  );
  expect(absent()).toEqual(lines);
  expect(absent({ record })).toEqual([`The backup has no deployment record: there is no ${record}.`, ...lines]);
});

test('with the unit’s own settings a backup has what its agent keeps', async () => {
  const unit = readFileSync('ops/bowline.service', 'utf8');
  const of = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const files = of('EnvironmentFile');
  expect(files).toEqual(['/etc/bowline/folders.env', '/etc/bowline/agent.env']);
  // In the unit itself, no other command would know them.
  expect(of('Environment').join(' ')).not.toMatch(/_DIR=/);
  const inScratch = (text: string) =>
    text.replaceAll('/etc/bowline', join(scratch, 'etc')).replaceAll('/var/lib/bowline', join(scratch, 'var'));
  mkdirSync(join(scratch, 'etc/deployments'), { recursive: true });
  writeFileSync(join(scratch, 'etc/folders.env'), inScratch(readFileSync('ops/folders.env', 'utf8')));
  writeFileSync(join(scratch, 'etc/agent.env'), `CHAIN=bsc\nPAY_TO=${payee}\n`);
  writeFileSync(join(scratch, 'etc/deployments/56.json'), record);
  const [, shell = ''] = /^cd \/opt\/bowline && (set -a .*)$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  for (const file of files) expect(shell).toContain(`. ${file}`);
  const asUnit = (line: string) => commanded(`${inScratch(shell)} && ${line}`, {});
  // A first start, of an agent that has stored nothing yet.
  const [first = ''] = of('ExecStartPre');
  expect(await asUnit(first)).toEqual({ code: 0, said: '' });
  expect(await asUnit(backupTo('empty.tgz'))).toMatchObject({
    code: 0,
    said: expect.stringContaining('holds 1 files'),
  });
  for (const path of kept.filter((each) => !each.startsWith('deployments'))) write('var', path);
  const { code, said } = await asUnit(backupTo('unit.tgz'));
  expect([code, said]).toEqual([0, expect.stringContaining(`holds ${kept.length} files`)]);
});
