import { noteLostTime } from './backup/lost-time.ts';
import { placesOfAgent } from './backup/places.ts';
import { restore } from './backup/restore.ts';
import { readLine } from './local/options.ts';

// `npm run restore -- FILE`: puts what `npm run backup` has written where the settings say that it belongs. Replaces nothing, and puts
// nothing in place before the whole file has been read and found whole. The agent must not run. A deployment record that is not here
// yet is put in place only with `--record` and its SHA-256, which `npm run backup` has printed.

try {
  const { words, options } = readLine('npm run restore', { record: '' });
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new Error('Name one file: npm run restore -- FILE');
  const places = placesOfAgent();
  const { count, leftOut } = await restore(places, file, options.record, () => noteLostTime(places, file, Date.now()));
  for (const each of leftOut) process.stdout.write(`Left in the backup: ${each}.\n`);
  process.stdout.write(`${count} files are in place.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
