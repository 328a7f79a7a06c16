import { keptBy } from './backup/places.ts';
import { restore } from './backup/restore.ts';
import { hostOf } from './host.ts';
import { readLine } from './options.ts';

// `npx bowline restore FILE --sha256 HASH`: puts what `npx bowline backup` has written where the settings say that it belongs. Replaces
// nothing, and puts nothing in place before the whole file has been read and found whole. The agent must not run. The hash is the one
// that `npx bowline backup` has printed: without it, whoever can write to the backup could choose the contracts that the agent trusts.

try {
  const { words, options } = readLine('npx bowline restore', { sha256: '' });
  const [file, ...more] = words;
  if (file === undefined || more.length > 0)
    throw new Error('Name one file: npx bowline restore FILE --sha256 HASH, as npx bowline backup printed it');
  const count = await restore(keptBy(hostOf()), file, options.sha256, Date.now());
  process.stdout.write(`${count} files are in place.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
