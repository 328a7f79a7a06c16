import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { z } from 'zod';

/** A file or folder of the agent that a backup holds. */
export interface Place {
  /** In the backup. */
  readonly name: string;
  /** On this machine. */
  readonly path: string;
  /** Its files are for the agent's user alone. */
  readonly isPrivate: boolean;
  /** A restore leaves it as it is where it stands with the same content, and puts it in place only by its confirmed hash. */
  readonly isRecord?: boolean;
  /** Files, by their path in the place, that the agent reads from the chain again where they are missing: neither command takes them. */
  readonly remade?: readonly string[];
  /**
   * Computes again what of a file can be. `rest` is its path in the place.
   * @param record the deployment record's content, if there is one.
   * @throws the end of a sentence that begins with the file's name.
   */
  readonly check?: (rest: string, content: Buffer, record: Buffer | undefined) => void;
  /** What a restore puts in place of a checked file; the file itself if absent. Throws as `check` does, or LeftOut. */
  readonly restored?: (content: Buffer) => Buffer;
}

/** What a restore leaves in the backup, and says so: it is not damage, and the rest is not refused for it. */
export class LeftOut extends Error {}

/** None of the agent's files has a thousandth of it. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** A file's path in its place: nothing that is hidden or leads out of it. Both commands go by this. */
export const isName = (rest: string): boolean => /^(\/[\w-][\w.-]*)*$/.test(rest);

/** First in a backup: what else is in it. */
export const contents = 'contents.json';

export const contentsSchema = z.strictObject({
  format: z.literal('bowline-backup-1'),
  /** When it was begun, in unix seconds. Backups of before have none. */
  begunAt: z.number().int().nonnegative().optional(),
  /** Lower-case hex of each file, by its path in the backup. */
  sha256: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A power cut after this loses nothing of it. */
export function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
