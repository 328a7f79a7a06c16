// `npm run lab -- <command> [options]`: what measures and judges this project. None of these commands is shipped.
import { fileURLToPath } from 'node:url';

/** What each command does, and the file that does it. A command reads its options from the command line. */
const commands: Record<string, readonly [file: string, purpose: string]> = {
  census: ['census/census.ts', 'give the code one mistake at a time, and say which ones no test finds'],
  rooms: ['rooms/rooms.ts', 'print the size of each room beside its budget, and the long functions'],
  transcripts: ['transcripts/transcripts.ts', 'compare every answer of every API, and logs, with what is recorded'],
  smoke: ['smoke/smoke.ts', 'play what the README promises, and count the files that run on four paths'],
};

const [name = '', ...options] = process.argv.slice(2);
const command = commands[name];
if (command === undefined) {
  console.error('npm run lab -- <command> [options]\n');
  for (const [each, [, purpose]] of Object.entries(commands)) console.error(`  ${each.padEnd(12)}  ${purpose}`);
  process.exitCode = 2;
} else {
  const file = new URL(command[0], import.meta.url);
  process.argv = [process.execPath, fileURLToPath(file), ...options];
  await import(file.href);
}
