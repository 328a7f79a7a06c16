import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { list } from 'tar';
import { contents, contentsSchema, flush, type Place } from './place.ts';

const WEEK_SECONDS = 7 * 86_400;

/**
 * Tells the agent which payments a restore has lost: those of the time from the backup's beginning until now, and of a week at most,
 * since answers are kept for a week. Nothing is written if the backup does not say when it was begun, or has no payments.
 */
export async function noteLostTime(places: readonly Place[], file: string, nowMs: number): Promise<void> {
  const open = places.find(({ name }) => name === 'payments/open');
  let text = '';
  await list({
    file,
    onReadEntry: (entry) => {
      if (entry.path === contents) {
        entry.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
      } else entry.resume();
    },
  });
  const { begunAt } = contentsSchema.parse(JSON.parse(text));
  if (open === undefined || begunAt === undefined) return;
  const folder = dirname(open.path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const until = Math.floor(nowMs / 1_000);
  const lost = { from: `${Math.min(Math.max(begunAt, until - WEEK_SECONDS), until)}`, until: `${until}` };
  writeFileSync(join(folder, 'restored.json'), JSON.stringify(lost), { mode: 0o600, flush: true });
  flush(folder);
}
