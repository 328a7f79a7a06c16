import { readFileSync } from 'node:fs';
import { judgeAgain, looserIn, replay, served } from '@bowline/core/replay/replay';
import { z } from 'zod';
import { defaultStore, documentIn, isHash } from './audit/evidence.ts';
import { hashing } from './hashing.ts';
import { readLine } from './local/options.ts';

// `npm run replay -- ticket.json`: judges an answer of `GET /verdict` (or check_asset) again from its evidence alone,
// and prints every difference. Also takes an evidence document alone, or its hash: `npm run replay -- 0x…`, from the
// agent's folder (`--store`). Makes no request to a chain or exchange. Exits 1 if anything differs.

try {
  const { options, words } = readLine('npm run replay', { store: defaultStore });
  const [path] = words;
  if (path === undefined) throw new Error('Name the file: npm run replay -- ticket.json, or - for standard input.');
  const text = isHash(path) ? await documentIn(options.store, path) : readFileSync(path === '-' ? 0 : path, 'utf8');
  const given = JSON.parse(text);
  // A document alone: nothing but itself is stated.
  const isBare = given.evidence === undefined && given.rules !== undefined;
  const answer = served.parse(isBare ? { verdict: given.verdict, evidence: text.trim(), ticket: null } : given);
  const lines = isBare ? judgeAgain(text.trim(), hashing.hash).lines : await replay(answer, hashing);
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
