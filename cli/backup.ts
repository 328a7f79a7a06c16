import { backUp } from './backup/archive.ts';
import { absences, keptBy } from './backup/places.ts';
import { exitCodes } from './commands.ts';
import { hostOf } from './host.ts';

/**
 * `npx bowline backup FILE`: writes everything of the agent that the chain does not hold into one new file: the data folder and the
 * deployment record, where the settings say that they are. The agent may go on running. Settings and keys are not in it. It writes
 * nothing where a setting names a place that is not there: a backup that lacks what the agent keeps would be noticed when it is needed.
 */
export async function backup([file = '']: readonly string[]) {
  const host = hostOf();
  const kept = keptBy(host);
  for (const line of absences(kept, host.setting)) process.stderr.write(`${line}\n`);
  const { count, hash } = await backUp(kept, file, Date.now());
  process.stdout.write(`${file} holds ${count} files, and has been read again.\n`);
  // Kept apart from the backup, it tells a forged one.
  process.stdout.write(`Their list has SHA-256 ${hash}: note that elsewhere.\n`);
  return exitCodes.done;
}
