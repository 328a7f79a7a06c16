import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openDeliverables } from '../../../src/selling/jobs/deliverables.ts';
import { hashManifest } from '../../../src/selling/jobs/offers.ts';

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'deliverables-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return { path, url: pathToFileURL(`${path}/inside/`) };
}

const manifest = {
  version: 1,
  job_id: 1,
  chain_id: 31_337,
  contracts: {},
  response: { content: 'é', content_type: 'text/plain' },
  metadata: {},
};
const made = { hash: hashManifest(manifest), offerHash: `0x${'ab'.repeat(32)}` as const, manifest };

test('what was put is found by its own hash and by its offer, also by the next process', async () => {
  const { url } = await folder();
  await (await openDeliverables(url)).put(made);
  const store = await openDeliverables(url);
  expect(await store.byHash(made.hash)).toEqual(made);
  expect(await store.byHash(made.hash.toUpperCase().replace('0X', '0x'))).toEqual(made);
  expect(await store.byOffer(made.offerHash)).toEqual([made]);
  expect(await store.byHash(made.offerHash)).toBeUndefined();
  expect(await store.byHash('0x../../etc/passwd')).toBeUndefined();
});

test('a file that was changed, or was not finished, is as if it were not there', async () => {
  const { url, path } = await folder();
  const store = await openDeliverables(url);
  await store.put(made);
  const inside = join(path, 'inside');
  const [name = ''] = await readdir(inside);
  const bytes = await readFile(join(inside, name), 'utf8');
  await writeFile(join(inside, name), bytes.replace('é', 'e'));
  expect(await store.byHash(made.hash)).toBeUndefined();
  await writeFile(join(inside, name), bytes.slice(0, 20));
  expect(await store.byOffer(made.offerHash)).toEqual([]);
  await writeFile(join(inside, name), bytes);
  expect(await store.byOffer(made.offerHash)).toEqual([made]);
});
