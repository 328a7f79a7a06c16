import { constants } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import type { EvidenceStore } from '@bowline/core/domain/evidence-store';
import type { Log } from '@bowline/core/domain/log';
import { type Look, Unready } from '@bowline/core/domain/readiness';
import type { Hex } from '@bowline/core/domain/units';
import { writeWhole } from './whole-file.ts';

/** A document has about 16 kB. A larger file is not ours and is not read. */
const MAX_BYTES = 1_048_576;
/** A hanging disk must not hold up a run. */
const WRITE_MS = 2_000;
/** All 32 bytes of a hash, or the first 19, as a record on chain has them. */
const nameOrPrefix = /^0x(?:[0-9a-f]{64}|[0-9a-f]{38})$/;

export interface EvidenceStoreOptions {
  /** A URL with a trailing slash. It is created with the first document. Several processes may share it. */
  readonly folder: URL;
  /** keccak256 of the text's UTF-8 bytes. */
  readonly hash: (text: string) => Hex;
  readonly log: Log;
  readonly writeMs?: number;
}

/**
 * Evidence documents as files, each named by its hash, in subfolders by the first byte: `ab/0xab….json`. A document is
 * written once and never changed; a file that does not match its name is treated as missing, and the next `keep` of its
 * document replaces it.
 */
export function createEvidenceStore({
  folder,
  hash,
  log,
  writeMs = WRITE_MS,
}: EvidenceStoreOptions): EvidenceStore & { readonly look: Look } {
  let isLastKept = true;
  const shelfOf = (name: string) => new URL(`${name.slice(2, 4)}/`, folder);

  async function verified(file: URL, name: string): Promise<string | undefined> {
    const text = await readText(file);
    return text !== undefined && hash(text) === name ? text : undefined;
  }

  async function write(name: Hex, text: string): Promise<void> {
    const file = new URL(`${name}.json`, shelfOf(name));
    const before = await readText(file);
    if (before === text) return;
    if (before !== undefined) log.warn('evidence.damaged', { evidenceHash: name });
    await mkdir(shelfOf(name), { recursive: true });
    await writeWhole(file, text);
  }

  return {
    async keep(name, text) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`The disk has not answered for ${writeMs} ms.`)), writeMs);
      });
      const written = write(name, text);
      // The write may still fail after its timeout.
      written.catch(() => {});
      try {
        await Promise.race([written, late]);
        isLastKept = true;
        return true;
      } catch (error) {
        const remedy = 'The log has the document instead. Free space, or set DATA_DIR to a writable folder.';
        log.warn('evidence.not_kept', { evidenceHash: name, error, remedy });
        isLastKept = false;
        return false;
      } finally {
        clearTimeout(timer);
      }
    },
    async read(hashOrPrefix) {
      const sought = hashOrPrefix.toLowerCase();
      // Only a hash or a prefix of one may become part of a path.
      if (!nameOrPrefix.test(sought)) return undefined;
      if (sought.length === 66) return verified(new URL(`${sought}.json`, shelfOf(sought)), sought);
      for (const file of await readdir(shelfOf(sought)).catch(() => [])) {
        if (!file.startsWith(sought) || !/^0x[0-9a-f]{64}\.json$/.test(file)) continue;
        const text = await verified(new URL(file, shelfOf(sought)), file.slice(0, 66));
        if (text !== undefined) return text;
      }
      return undefined;
    },
    look: {
      name: 'evidence',
      look: async () => {
        if (isLastKept) return 'No write of evidence is failing.';
        throw new Unready(
          'evidence_not_kept',
          'The last evidence document was not written to disk; the log has it (evidence.not_kept).',
        );
      },
    },
  };
}

/** Documents remembered at a time: 8 MB. Anybody may ask for a verdict, so none of these goes to the disk. */
const MAX_SHOWN = 500;

/** Evidence of the newest tickets that were given to callers. */
export function createShownEvidence(max = MAX_SHOWN) {
  const texts = new Map<string, string>();
  return {
    show(hash: Hex, text: string) {
      texts.delete(hash);
      texts.set(hash, text);
      for (const oldest of texts.keys()) {
        if (texts.size <= max) break;
        texts.delete(oldest);
      }
    },
    /** By all 32 bytes, lower case or not. */
    read: (hash: string) => texts.get(hash.toLowerCase()),
  };
}

/** The content of a regular file; undefined if it cannot be read. Follows no link and never waits for a pipe's writer. */
async function readText(file: URL): Promise<string | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await handle.stat();
      return stats.isFile() && stats.size <= MAX_BYTES ? await handle.readFile('utf8') : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}
