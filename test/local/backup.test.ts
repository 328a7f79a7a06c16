import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { othersAddresses } from '@bowline/core/registry/address-book';
import { placeOf } from '@bowline/http/place';
import { create, extract, list } from 'tar';
import { type Hex, isAddress, keccak256, numberToHex, stringToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { readPayment } from '../../agent/src/payments/payment-check.ts';
import { openPaymentStore } from '../../agent/src/payments/payment-store.ts';
import { hashManifest } from '../../agent/src/seller/offers.ts';
import { backUp } from '../../script/backup/backup.ts';
import { noteLostTime } from '../../script/backup/lost-time.ts';
import { missingLines, missingPlaces } from '../../script/backup/missing.ts';
import { placesOfAgent } from '../../script/backup/places.ts';
import { restore } from '../../script/backup/restore.ts';

// DP-43 to DP-46, DP-82, DP-83. A backup lies where others may reach it: what comes back is taken for a stranger's file.

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
  PAY_TO: payee,
  NOTICES_FILE: join(scratch, machine, 'notices.json'),
});
const placesOn = (machine: string) => placesOfAgent(settings(machine));

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
async function paymentOf(number: number, more: object = {}, to: string = payee) {
  const from = payer.address;
  const authorization = {
    ...{ from, to, value: '1000', validAfter: '0', validBefore: '2000000000' },
    nonce: numberToHex(number, { size: 32 }),
  };
  const signature = await payer.sign({ hash: `0x${'1'.repeat(64)}` });
  const terms = { network: 'eip155:56', method: 'eip3009', asset: token.address, amount: 1000n, payTo: payee } as const;
  const payment = readPayment({ authorization, signature }, terms, token);
  if (payment === undefined) throw new Error('no payment');
  const progress = { since: '1', transactions: [] };
  const file = { payment, question: { key: 'k', ask: { prompt: 'p' } }, progress, ...more };
  return {
    name: `${sha(payment.key)}.json`,
    key: payment.key,
    file,
    text: JSON.stringify(file, (_, v) => (typeof v === 'bigint' ? `${v}` : v)),
  };
}

const payer = privateKeyToAccount(generatePrivateKey());
const paid = { transaction, receipt: { success: true } };
const own = 'revocations venusMarket loanGuard venusPriceSource chainlinkPriceSource planRegistry swapExecutor'.split(
  ' ',
);
const record = JSON.stringify({ chainId: 56, ...Object.fromEntries(own.map((name) => [name, payee])) });
const document = '{"evidence":1}';
const documentHash = keccak256(stringToBytes(document));
const manifest = { version: 1, job_id: 1, chain_id: 56, contracts: {}, response: { content: 'report' } };
const open = await paymentOf(1, { paid, credit: { signature: 'ours' } });
const answered = await paymentOf(2, { paid, answer: { text: 'GO' } });

const contentOf: Readonly<Record<string, string>> = {
  [`deliverables/0x${'a'.repeat(64)}-${hashManifest(manifest)}.json`]: JSON.stringify(manifest),
  'deployments/56.json': record,
  [`evidence/${documentHash.slice(2, 4)}/${documentHash}.json`]: document,
  'notices.json': 'content of notices.json',
  [`payments/answered/${answered.name}`]: answered.text,
  [`payments/keys/${sha('key')}.json`]: open.key,
  [`payments/open/${open.name}`]: open.text,
  [`payments/tasks/asked/${sha('an ID')}.json`]: JSON.stringify({ id: 'an ID', payments: [open.key] }),
  [`payments/tasks/receivers/${sha('us job-7')}.json`]: JSON.stringify({ seller: 'us', taskId: 'job-7' }),
  [`payments/transfers/${sha('transfer')}.json`]: open.key,
};
const kept = Object.keys(contentOf);
const [, , evidencePath = '', , , , , askedPath = '', receiversPath = '', transferPath = ''] = kept;
const filesOn = (machine: string) =>
  existsSync(join(scratch, machine))
    ? readdirSync(join(scratch, machine), { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(scratch, machine, name)).isFile())
        .sort()
    : [];

async function backedUp(): Promise<string> {
  for (const path of kept) write('one', path);
  // Half written, of another chain, and none of the agent's.
  for (const path of ['evidence/ab/0xab34.json.1234.part', 'deployments/97.json', 'stop'])
    write('one', path, path.endsWith('56.json') ? record : undefined);
  const file = join(scratch, 'backup.tgz');
  expect(await backUp(placesOn('one'), file, 1_700_000_000_999)).toEqual({ count: kept.length, record: sha(record) });
  return file;
}

test('DP-43: everything that the chain does not hold comes back on another machine, readable by whom it may be', async () => {
  const file = await backedUp();
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(scratch).sort()).toEqual(['backup.tgz', 'one']);
  expect((await restore(placesOn('two'), file, sha(record))).count).toBe(kept.length);
  expect(filesOn('two')).toEqual(kept);
  for (const path of kept.filter((each) => !each.startsWith('payments/open')))
    expect(readFileSync(join(scratch, 'two', path), 'utf8')).toBe(contentOf[path]);
  for (const path of kept.filter((each) => /^(payments|notices)/.test(each)))
    expect(statSync(join(scratch, 'two', path)).mode & 0o077, path).toBe(0);
  for (const folder of ['open', 'tasks', 'tasks/asked', 'tasks/receivers'])
    expect(statSync(join(scratch, 'two/payments', folder)).mode & 0o077).toBe(0);
});

test('AG-239: a restore leaves word of the time whose payments it has lost, for the agent alone', async () => {
  const file = await backedUp();
  // Before anything is in place: a power cut in between loses no word of it.
  await restore(placesOn('two'), file, sha(record), async () => {
    expect(filesOn('two').filter((name) => !name.includes('.restored'))).toEqual([]);
    await noteLostTime(placesOn('two'), file, 1_700_000_600_001);
  });
  const path = join(scratch, 'two/payments/restored.json');
  expect(statSync(path).mode & 0o077).toBe(0);
  const store = await openPaymentStore(pathToFileURL(`${dirname(path)}/`), () => {});
  const lost = { from: 1_700_000_000n, until: 1_700_000_600n };
  expect(await store.lost(1_700_000_700_000)).toEqual(lost);
  const week = 7 * 24 * 3_600_000;
  expect(await store.lost(1_700_000_600_000 + week)).toEqual(lost);
  expect(await store.lost(1_700_000_600_001 + week)).toBeUndefined();
  // It is no part of a backup: what was lost once is in the next one, or is too old.
  expect((await backUp(placesOn('two'), `${file}.2`, 1_700_000_700_000)).count).toBe(kept.length);
});

test('DP-44: neither replaces anything', async () => {
  const file = await backedUp();
  await expect(backUp(placesOn('one'), file, 1_700_000_000_999)).rejects.toThrow('backup.tgz exists: name a new file.');
  for (const path of kept.filter((each) => !each.startsWith('deployments'))) {
    write('two', path, 'of another agent');
    await expect(restore(placesOn('two'), file, sha(record)), path).rejects.toThrow('is not empty: stop the agent');
    expect(filesOn('two')).toEqual([path]);
    rmSync(join(scratch, 'two'), { recursive: true });
  }
  // A record may stand, if it is the same one; and so may the empty folders of a first start.
  write('two', 'deployments/56.json', 'another');
  await expect(restore(placesOn('two'), file, sha(record))).rejects.toThrow("is another record than the backup's");
  expect(filesOn('two')).toEqual(['deployments/56.json']);
  write('two', 'deployments/56.json');
  mkdirSync(join(scratch, 'two/payments/open'), { recursive: true });
  await restore(placesOn('two'), file, sha(record));
  expect(filesOn('two')).toEqual(kept);
});

test.each<[string, (copy: string) => string[] | undefined, RegExp]>([
  ['a changed file', (copy) => void writeFileSync(join(copy, evidencePath), 'forged'), /\.json is damaged/],
  ['a missing file', (copy) => void rmSync(join(copy, transferPath)), /transfers\/[0-9a-f]{64}\.json is missing/],
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
  await expect(restore(placesOn('two'), spoilt, sha(record))).rejects.toThrow(message);
  expect(filesOn('two')).toEqual([]);
});

test('DP-45: a file that was cut short, and one that is no backup', async () => {
  const file = await backedUp();
  const bytes = readFileSync(file);
  for (const part of [bytes.subarray(0, bytes.length / 2), bytes.subarray(0, 0), Buffer.from('not a backup')]) {
    writeFileSync(file, part);
    await expect(restore(placesOn('two'), file, sha(record))).rejects.toThrow('backup.tgz');
    expect(filesOn('two')).toEqual([]);
  }
  await expect(restore(placesOn('two'), join(scratch, 'nothing'))).rejects.toThrow('There is no');
});

// DP-49
test('what a restore would refuse is left out of a backup, and said', async () => {
  await backedUp();
  rmSync(join(scratch, 'backup.tgz'));
  const odd = {
    'evidence/.DS_Store': "is named as none of the agent's files is",
    'evidence/ab/Icon\r': "is named as none of the agent's files is",
    'evidence/ab/0xab34.json': 'is not the document of that hash',
    'payments/open/half.json': 'is no payment',
    'payments/keys/half.json': 'names no payment',
  };
  for (const path of Object.keys(odd)) write('one', path);
  const told: string[] = [];
  const file = join(scratch, 'backup.tgz');
  expect((await backUp(placesOn('one'), file, 1_700_000_000_999, (line) => void told.push(line))).count).toBe(
    kept.length,
  );
  expect(told.sort()).toEqual(
    Object.entries(odd)
      .map(([path, why]) => `${join(scratch, 'one', path)} is left out: it ${why}.`)
      .sort(),
  );
  expect((await restore(placesOn('two'), file, sha(record))).count).toBe(kept.length);
});

/** A backup that a forger has made, with hashes that fit. */
async function forged(path: string, content: string, instead = path): Promise<string> {
  for (const each of kept.filter((one) => one !== instead)) write('forged', each);
  write('forged', path, content);
  const names = filesOn('forged');
  const sha256 = Object.fromEntries(
    names.map((name) => [name, sha(readFileSync(join(scratch, 'forged', name), 'utf8'))]),
  );
  write('forged', 'contents.json', JSON.stringify({ format: 'bowline-backup-1', sha256 }));
  const file = join(scratch, 'forged.tgz');
  await create({ cwd: join(scratch, 'forged'), file, gzip: true, portable: true }, ['contents.json', ...names]);
  return file;
}

// DP-50
const stolen = await paymentOf(4, { paid }, '0x00000000000000000000000000000000000000bb');
const otherChain = { agentId: '1', agentRegistry: `eip155:56:${payee}` };
test.each<[string, string, string, RegExp]>([
  ['a task of another name', askedPath, '{"id":"another"}', /is not the file of that name/],
  ['receivers of another job', receiversPath, '{"seller":"us","taskId":"job-8"}', /is not the file of that name/],
  ['a document of another hash', evidencePath, '{"evidence":2}', /is not the document of that hash/],
  [
    'another deliverable',
    kept[0] ?? '',
    JSON.stringify({ ...manifest, job_id: 2 }),
    /not the deliverable of that hash/,
  ],
  [
    'another registry of agents',
    'deliverables/registration.json',
    JSON.stringify(otherChain),
    /names another registry/,
  ],
  [
    'a payment of another key',
    `payments/open/${open.name}`,
    open.text.replace(/"key":"eip155:56/, '"key":"eip155:97'),
    /has another key or digest/,
  ],
  [
    'a payment of another amount than is signed',
    `payments/open/${open.name}`,
    open.text.replace('"value":"1000"', '"value":"1"'),
    /has another key or digest/,
  ],
  ['a payment under another name', `payments/answered/${open.name}`, answered.text, /is not named by its payment/],
  ['a payment that is called answered', `payments/answered/${open.name}`, open.text, /has no answer/],
  ['a claim of nothing', transferPath, 'anything', /names no payment/],
])('DP-50: a forged backup with %s is refused, and nothing of it is restored', async (_, path, content, message) => {
  const file = await forged(path, content);
  await expect(restore(placesOn('two'), file, sha(record))).rejects.toThrow(message);
  expect(filesOn('two')).toEqual([]);
});

test('DP-50: what is one file is no folder', async () => {
  const file = await forged('notices.json/x', '{}', 'notices.json');
  await expect(restore(placesOn('two'), file, sha(record))).rejects.toThrow('stands where one file is');
});

test('DP-50: a payment to a former PAY_TO is left in the backup, and the rest is restored', async () => {
  const file = await forged(`payments/open/${stolen.name}`, stolen.text);
  const { count, leftOut } = await restore(placesOn('two'), file, sha(record));
  expect(leftOut).toEqual([expect.stringMatching(/^payments\/open\/.* pays 0x0+bb, and PAY_TO is 0x0+AA$/)]);
  expect(count).toBe(filesOn('two').length);
  expect(filesOn('two')).not.toContain(`payments/open/${stolen.name}`);
});

test('AG-239: no backup opens more than a week', async () => {
  const file = await backedUp();
  const [begun, week] = [1_700_000_000, 604_800];
  const path = join(scratch, 'two/payments/restored.json');
  const noted = async (now: number) => {
    await noteLostTime(placesOn('two'), file, now * 1_000);
    return JSON.parse(readFileSync(path, 'utf8'));
  };
  expect(await noted(begun + 3 * week)).toEqual({ from: `${begun + 2 * week}`, until: `${begun + 3 * week}` });
  expect(await noted(begun - 1)).toEqual({ from: `${begun - 1}`, until: `${begun - 1}` });
});

test('DP-50: the seller’s notes of jobs are read from the chain again, and from no backup, of before or forged', async () => {
  const file = await forged('deliverables/jobs.json', '{"newest":"9"}');
  await restore(placesOn('two'), file, sha(record));
  expect(filesOn('two')).toEqual(kept);
  write('two', 'deliverables/jobs.json', '{}');
  const told: string[] = [];
  const { count } = await backUp(placesOn('two'), `${file}.2`, 0, (line) => void told.push(line));
  expect([count, told]).toEqual([kept.length, []]);
});

test('DP-50: what an open payment says of being paid is not believed: the chain is asked again', async () => {
  const file = await backedUp();
  await restore(placesOn('two'), file, sha(record));
  const store = await openPaymentStore(pathToFileURL(join(scratch, 'two/payments/')), () => {});
  const [found] = await store.open();
  expect(found?.payment).toEqual(open.file.payment);
  expect(found).not.toHaveProperty('paid');
  expect(found).not.toHaveProperty('credit');
  expect(found?.progress).toEqual({ since: 1n, transactions: [transaction] });
});

// DP-51
test('a record of contracts that is not here is put in place only when it is confirmed', async () => {
  const file = await backedUp();
  for (const confirmed of [undefined, '', sha('another')]) {
    const refused = restore(placesOn('two'), file, confirmed);
    await expect(refused).rejects.toThrow(payee);
    await expect(refused).rejects.toThrow(`--record ${sha(record)}`);
    expect(filesOn('two')).toEqual([]);
  }
  write('two', 'deployments/56.json');
  await restore(placesOn('two'), file);
  const odd = await forged('deployments/56.json', '\u001b[2J');
  await expect(restore(placesOn('three'), odd, sha('\u001b[2J'))).rejects.toThrow('is no deployment record');
});

test('DP-46: while payments are being answered, none of them is missed', { tags: 'long' }, async () => {
  // The last ones stay open, however late a busy machine comes to read them.
  const [moved, all] = [300, 310];
  const payments = await Promise.all(Array.from({ length: all }, (_, at) => paymentOf(at + 10)));
  const at = (state: string, number: number) => `payments/${state}/${payments[number]?.name}`;
  const put = (state: 'open' | 'answered', number: number) => {
    const file = payments[number]?.text ?? '';
    const text = state === 'open' ? file : JSON.stringify({ ...JSON.parse(file), answer: { reply: 'yes' } });
    write('one', `${at(state, number)}.part`, text);
    renameSync(join(scratch, 'one', `${at(state, number)}.part`), join(scratch, 'one', at(state, number)));
  };
  for (let number = 0; number < all; number++) put('open', number);
  // The settings name these, too.
  for (const path of [evidencePath, kept[0] ?? '', 'deployments/56.json']) write('one', path);
  const file = join(scratch, 'backup.tgz');
  const child = spawn(process.execPath, [resolve('script/backup.ts'), file], {
    env: { ...process.env, ...settings('one') },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
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
  await restore(placesOn('two'), file, sha(record));
  const restored = filesOn('two').filter((name) => name.startsWith('payments'));
  const found = new Set(restored.map((name) => name.split('/').at(-1)));
  expect(found.size).toBe(all);
  // What needs another file is copied before it.
  const names: string[] = [];
  await list({ file, onReadEntry: ({ path }) => void names.push(path.split('/').slice(0, 2).join('/')) });
  expect([...new Set(names)].filter((name) => name.startsWith('payments'))[0]).toBe('payments/open');
  expect(placesOn('one').map(({ name }) => name)).toEqual([
    'deployments/56.json',
    'evidence',
    'deliverables',
    'payments/tasks/asked',
    'payments/tasks/receivers',
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

/** `npm run backup` in a shell. */
async function commanded(line: string, env: NodeJS.ProcessEnv) {
  const child = spawn('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, said };
}

const backupTo = (name: string) => `"${process.execPath}" script/backup.ts ${join(scratch, name)}`;

test('DP-82: a place that a setting names and that is not there fails the backup', async () => {
  await backedUp();
  const present = settings('one');
  expect(await commanded(backupTo('whole.tgz'), present)).toMatchObject({ code: 0 });
  for (const setting of ['DEPLOYMENTS_DIR', 'EVIDENCE_DIR', 'DELIVERABLES_DIR', 'PAYMENTS_DIR', 'NOTICES_FILE']) {
    const away = join(scratch, 'away/there');
    const { code, said } = await commanded(backupTo('lacking.tgz'), { ...present, [setting]: away });
    expect(code, setting).toBe(1);
    expect(said).toContain(`${setting} names a place that is not there: ${join(scratch, 'away')}`);
    expect(existsSync(join(scratch, 'lacking.tgz'))).toBe(false);
  }
  // Webhooks begin with their first.
  rmSync(present.NOTICES_FILE);
  expect(await commanded(backupTo('without.tgz'), present)).toMatchObject({ code: 0 });
});

test('DP-82: a place that is missing by default is named, and a backup of nothing is none', () => {
  const missing = missingPlaces({ CHAIN: 'bsc', EVIDENCE_DIR: join(scratch, 'away') });
  const absent = (setting: string, path: string, isNamed = false) => ({ setting, path, isNamed });
  expect(missing).toContainEqual(absent('EVIDENCE_DIR', join(scratch, 'away'), true));
  expect(missing).toContainEqual(absent('DEPLOYMENTS_DIR', resolve('script/deployments/56.json')));
  const own = ['EVIDENCE_DIR', 'DELIVERABLES_DIR', 'PAYMENTS_DIR', 'NOTICES_FILE'].map((each) => absent(each, '/data'));
  expect(missingLines(own.slice(1))).toEqual([
    'Nothing of DELIVERABLES_DIR is in it: there is no /data.',
    'Nothing of PAYMENTS_DIR is in it: there is no /data.',
    'Nothing of NOTICES_FILE is in it: there is no /data.',
  ]);
  expect(() => missingLines(own)).toThrow('no agent with these settings has kept anything here');
});

test('DP-83: with the unit’s own settings a backup has what its agent keeps', async () => {
  const unit = readFileSync('ops/bowline.service', 'utf8');
  const of = (key: string) => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const files = of('EnvironmentFile');
  expect(files).toEqual(['/etc/bowline/folders.env', '/etc/bowline/agent.env']);
  // In the unit itself they would be known to nobody else.
  expect(of('Environment').join(' ')).not.toMatch(/_DIR=|NOTICES_FILE|STOP_FILE/);
  const inScratch = (text: string) =>
    text.replaceAll('/etc/bowline', join(scratch, 'etc')).replaceAll('/var/lib/bowline', join(scratch, 'var'));
  mkdirSync(join(scratch, 'etc/deployments'), { recursive: true });
  writeFileSync(join(scratch, 'etc/folders.env'), inScratch(readFileSync('ops/folders.env', 'utf8')));
  writeFileSync(join(scratch, 'etc/agent.env'), `CHAIN=bsc\nPAY_TO=${payee}\n`);
  writeFileSync(join(scratch, 'etc/deployments/56.json'), record);
  const [, shell = ''] = /^cd \/opt\/bowline && (set -a .*)$/m.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  for (const file of files) expect(shell).toContain(`. ${file}`);
  const asUnit = (line: string) => commanded(`${inScratch(shell)} && ${line}`, {});
  // A first start, of an agent that has kept nothing yet.
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
