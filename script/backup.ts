import { backUp } from './backup/backup.ts';
import { placesOfAgent } from './backup/places.ts';
import { readLine } from './local/options.ts';

// `npm run backup -- FILE`: writes everything of the agent that the chain does not hold into one new file: evidence, deliverables,
// payments, webhooks and the deployment record, wherever the settings say that they are. The agent may go on running. Settings and keys
// are not in it.

try {
  const [file, ...more] = readLine('npm run backup', {}).words;
  if (file === undefined || more.length > 0) throw new Error('Name one file: npm run backup -- FILE');
  const count = await backUp(placesOfAgent(), file, Date.now());
  process.stdout.write(`${file} holds ${count} files, and has been read again.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
