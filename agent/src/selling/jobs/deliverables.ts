import { mkdir, readdir, readFile } from 'node:fs/promises';
import type { Deliverable, DeliverableStore } from '@bowline/core/domain/jobs';
import type { Hex } from '@bowline/core/domain/units';
import { writeWhole } from '../../process/whole-file.ts';
import { hashManifest } from './offers.ts';

/**
 * Deliverables as files in `folder` (a URL with a trailing slash), named by offer hash and own hash. A file whose content does not
 * match its hash is treated as missing.
 */
export async function openDeliverables(folder: URL): Promise<DeliverableStore> {
  await mkdir(folder, { recursive: true });

  async function read(file: URL, hash: string): Promise<Record<string, unknown> | undefined> {
    try {
      const manifest = JSON.parse(await readFile(file, 'utf8'));
      return hashManifest(manifest) === hash ? manifest : undefined;
    } catch {
      return undefined;
    }
  }

  async function find(pattern: RegExp): Promise<Deliverable[]> {
    const found: Deliverable[] = [];
    for (const name of await readdir(folder)) {
      const [, offerHash, hash] = /^(0x[0-9a-f]{64})-(0x[0-9a-f]{64})\.json$/.exec(name) ?? [];
      if (offerHash === undefined || hash === undefined || !pattern.test(name)) continue;
      const manifest = await read(new URL(name, folder), hash);
      if (manifest !== undefined) found.push({ hash: hash as Hex, offerHash: offerHash as Hex, manifest });
    }
    return found;
  }

  return {
    // On disk before the hash goes on chain: a power cut could otherwise leave a hash without its document.
    put: ({ hash, offerHash, manifest }) =>
      writeWhole(new URL(`${offerHash}-${hash}.json`.toLowerCase(), folder), JSON.stringify(manifest)),
    byHash: async (hash) =>
      /^0x[0-9a-fA-F]{64}$/.test(hash) ? (await find(new RegExp(`-${hash.toLowerCase()}\\.`)))[0] : undefined,
    byOffer: (offerHash) => find(new RegExp(`^${offerHash.toLowerCase()}-`)),
  };
}
