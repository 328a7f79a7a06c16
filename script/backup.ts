import { backUp } from './backup/backup.ts';
import { missingLines, missingPlaces } from './backup/missing.ts';
import { placesOfAgent } from './backup/places.ts';
import { readLine } from './local/options.ts';

// `npm run backup -- FILE`: writes everything of the agent that the chain does not hold into one new file: evidence, deliverables,
// payments, webhooks and the deployment record, wherever the settings say that they are. The agent may go on running. Settings and keys
// are not in it. It writes nothing where a setting names a place that is not there: a backup that lacks what the agent keeps would be
// noticed when it is needed.

try {
  const [file, ...more] = readLine('npm run backup', {}).words;
  if (file === undefined || more.length > 0) throw new Error('Name one file: npm run backup -- FILE');
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  for (const line of missingLines(missingPlaces())) say(line);
  const { count, record } = await backUp(placesOfAgent(), file, Date.now(), say);
  process.stdout.write(`${file} holds ${count} files, and has been read again.\n`);
  // Kept apart from the backup, it tells a forged one.
  if (record !== undefined)
    process.stdout.write(`The deployment record in it has SHA-256 ${record}: note that elsewhere.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
