import { keptBy } from './backup/places.ts';
import { restore } from './backup/restore.ts';
import { exitCodes, type Options } from './commands.ts';
import { hostOf } from './host.ts';

/**
 * `npx bowline restore FILE --sha256 HASH`: puts what `npx bowline backup` has written where the settings say that it belongs. Replaces
 * nothing, and puts nothing in place before the whole file has been read and found whole. The agent must not run. The hash is the one
 * that `npx bowline backup` has printed: without it, whoever can write to the backup could choose the contracts that the agent trusts.
 */
export async function restoreBackup({ sha256 = '' }: Options<'restore'>, [file = '']: readonly string[]) {
  const count = await restore(keptBy(hostOf()), file, sha256);
  process.stdout.write(`${count} files are in place.\n`);
  return exitCodes.done;
}
