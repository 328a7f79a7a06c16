import { backUp } from './backup/archive.ts';
import { absences, placesOfAgent } from './backup/places.ts';
import { readLine } from './options.ts';

// `npx bowline backup FILE`: writes everything of the agent that the chain does not hold into one new file: evidence, deliverables,
// payments, webhooks and the deployment record, wherever the settings say that they are. The agent may go on running. Settings and keys
// are not in it. It writes nothing where a setting names a place that is not there: a backup that lacks what the agent keeps would be
// noticed when it is needed.

try {
  const [file, ...more] = readLine('npx bowline backup', {}).words;
  if (file === undefined || more.length > 0) throw new Error('Name one file: npx bowline backup FILE');
  const places = placesOfAgent();
  for (const line of absences(places)) process.stderr.write(`${line}\n`);
  const { count, hash } = await backUp(places, file, Date.now());
  process.stdout.write(`${file} holds ${count} files, and has been read again.\n`);
  // Kept apart from the backup, it tells a forged one.
  process.stdout.write(`Their list has SHA-256 ${hash}: note that elsewhere.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
