import { readFileSync } from 'node:fs';
import { looserIn, replay, served } from '@bowline/core/replay/replay';
import { z } from 'zod';
import { hashing } from './hashing.ts';
import { readLine } from './local/options.ts';

// `npm run replay -- ticket.json`: judges an answer of `GET /verdict` (or check_asset) again from its evidence alone,
// and prints every difference. Makes no request to a chain or exchange. Exits 1 if anything differs.

try {
  const [path] = readLine('npm run replay', {}).words;
  if (path === undefined) throw new Error('Name the file: npm run replay -- ticket.json, or - for standard input.');
  const answer = served.parse(JSON.parse(readFileSync(path === '-' ? 0 : path, 'utf8')));
  const lines = await replay(answer, hashing);
  for (const { what, said, found } of lines) {
    process.stdout.write(
      said === found ? `same     ${what}\n` : `DIFFERS  ${what}\n  stated  ${said}\n  found   ${found}\n`,
    );
  }
  for (const { limit, own, usual } of looserIn(answer)) {
    process.stdout.write(`note     limit ${limit} is ${own}, looser than the project's ${usual}\n`);
  }
  const differing = lines.filter(({ said, found }) => said !== found).length;
  process.stdout.write(
    differing === 0 ? `\nThe verdict follows from its evidence.\n` : `\nDifferences: ${differing}.\n`,
  );
  process.exitCode = differing === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message}\n`);
  process.exitCode = 2;
}
