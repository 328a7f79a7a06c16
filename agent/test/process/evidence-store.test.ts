import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import express from 'express';
import { keccak256, stringToBytes } from 'viem';
import { expect, onTestFinished, test } from 'vitest';
import { createEvidence } from '../../src/api/http/documents.ts';
import { createEvidenceStore, createShownEvidence } from '../../src/process/evidence-store.ts';
import { keepLog } from '../api/log.ts';
import { serve } from '../api/serve.ts';

// AG-73.

const hash = (text: string) => keccak256(stringToBytes(text));
const text = '{"rules":2,"verdict":"GO","é":1}';
const name = hash(text);

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'evidence-'));
  // A late write may still be on its way to the disk when its test ends.
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }));
  return path;
}

const read = (log: { readonly lines: readonly string[] }) => log.lines.map((line) => JSON.parse(line));

const storeAt = (path: string, log = keepLog(), writeMs = 2_000) =>
  createEvidenceStore({ folder: pathToFileURL(`${path}/`), hash, log, writeMs });

test('a document is found by its hash, and by the part of it that a record has, by the next process too', async () => {
  const path = join(await folder(), 'new');
  expect(await storeAt(path).keep(name, text)).toBe(true);
  const store = storeAt(path);
  expect(await store.read(name)).toBe(text);
  expect(await store.read(name.toUpperCase().replace('0X', '0x'))).toBe(text);
  expect(await store.read(name.slice(0, 40))).toBe(text);
  expect(await store.read(hash('another'))).toBeUndefined();
  expect(await readFile(join(path, name.slice(2, 4), `${name}.json`), 'utf8')).toBe(text);
});

test('whoever asks for a path gets nothing, and nothing is read', async () => {
  const path = await folder();
  const store = storeAt(join(path, 'inside'));
  await store.keep(name, text);
  await writeFile(join(path, 'secret.json'), text);
  await writeFile(join(path, 'inside', `${name}.json`), text);
  for (const asked of [
    '../secret',
    '..%2fsecret',
    `0x${'../'.repeat(21)}a`,
    `${name}/../..`,
    '',
    '0x',
    `${name}\0`,
    name.slice(2),
  ]) {
    expect(await store.read(asked), asked).toBeUndefined();
  }
  const url = await serve(express().use(createEvidence(store.read, (_request, _response, next) => next())));
  for (const asked of ['..%2f..%2fsecret', '%2e%2e/%2e%2e/secret.json', `${name}%00`, '0x12']) {
    expect((await fetch(`${url}/evidence/${asked}`)).status, asked).toBe(404);
  }
  const answer = await fetch(`${url}/evidence/${name}`);
  expect(await answer.text()).toBe(text);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('cache-control')).toContain('immutable');
});

test('a file that was changed, cut off, replaced by a link or left unfinished is not a document', async () => {
  const path = await folder();
  const log = keepLog();
  const store = storeAt(path, log);
  await store.keep(name, text);
  const file = join(path, name.slice(2, 4), `${name}.json`);
  for (const bytes of [text.replace('GO', 'NO'), text.slice(0, 9), '']) {
    await writeFile(file, bytes);
    expect(await store.read(name)).toBeUndefined();
    expect(await store.read(name.slice(0, 40))).toBeUndefined();
  }
  // The document is at hand, so the damaged copy is repaired and the damage is logged.
  expect(await store.keep(name, text)).toBe(true);
  expect(await store.read(name)).toBe(text);
  expect(read(log)).toEqual([{ event: 'evidence.damaged', evidenceHash: name }]);
  await writeFile(join(path, 'elsewhere'), text);
  await rm(file);
  await symlink(join(path, 'elsewhere'), file);
  expect(await store.read(name)).toBeUndefined();
});

test('a whole document is not written again', async () => {
  const path = await folder();
  const store = storeAt(path);
  await store.keep(name, text);
  const file = join(path, name.slice(2, 4), `${name}.json`);
  const { ino, mtimeMs } = await stat(file);
  expect(await store.keep(name, text)).toBe(true);
  expect(await stat(file)).toMatchObject({ ino, mtimeMs });
});

test('two processes with one folder keep the same and different documents at once', async () => {
  const path = await folder();
  const stores = [storeAt(path), storeAt(path)];
  const texts = Array.from({ length: 40 }, (_, at) => `{"at":${at}}`);
  const kept = await Promise.all(stores.flatMap((store) => texts.map((each) => store.keep(hash(each), each))));
  expect(kept.every(Boolean)).toBe(true);
  for (const each of texts) expect(await storeAt(path).read(hash(each))).toBe(each);
  const files = (await Promise.all((await readdir(path)).map((shelf) => readdir(join(path, shelf))))).flat();
  expect(files.filter((file) => !file.endsWith('.json'))).toEqual([]);
  expect(files).toHaveLength(40);
});

test('a disk that takes nothing throws nothing: it is a warning that says what to do', async () => {
  const path = await folder();
  const log = keepLog();
  await writeFile(join(path, 'a file'), '');
  expect(await storeAt(join(path, 'a file'), log).keep(name, text)).toBe(false);
  expect(read(log)).toMatchObject([{ event: 'evidence.not_kept', evidenceHash: name, remedy: expect.any(String) }]);
});

test('a disk that hangs holds nobody up', async () => {
  const path = await folder();
  const log = keepLog();
  const kept = storeAt(path, log, 0).keep(name, text);
  // The timeout passes before the disk's answer can be handled.
  for (const start = performance.now(); performance.now() < start + 5; );
  expect(await kept).toBe(false);
  expect(read(log)).toMatchObject([{ event: 'evidence.not_kept' }]);
});

test('of tickets that were only shown, the newest are remembered', () => {
  const shown = createShownEvidence(2);
  for (const each of ['a', 'b', 'a', 'c']) shown.show(hash(each), each);
  expect(['a', 'b', 'c'].map((each) => shown.read(hash(each)))).toEqual(['a', undefined, 'c']);
});
