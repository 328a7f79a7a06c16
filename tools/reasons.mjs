// `npm run reasons`: writes the table of docs/reasons.md, which is the one source, for the agent, for Solidity and for the page.
// With --check nothing is written, and being different is an error.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = 'docs/reasons.md';
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8');

/**
 * Numbered from 1 without a gap, so that none can be taken out or given again unseen.
 * @returns {{ number: number, reason: string }[]}
 */
function reasons() {
  // Whatever stands in the second column, so that a row that is not well written is named and not passed over.
  const rows = [...read(source).matchAll(/^\|\s*(\d+)\s*\|\s*([^|]*?)\s*\|/gm)].map(([, number, reason = '']) => ({
    number: Number(number),
    reason,
  }));
  for (const [index, { number, reason }] of rows.entries()) {
    if (number !== index + 1) throw new Error(`${source}: ${reason} has number ${number} where ${index + 1} is due`);
    if (!/^[a-z]+(_[a-z]+)*$/.test(reason)) throw new Error(`${source}: ${reason} is not lower_snake`);
  }
  if (rows.length === 0) throw new Error(`${source} has no reason`);
  if (new Set(rows.map(({ reason }) => reason)).size !== rows.length) throw new Error(`${source} has a reason twice`);
  return rows;
}

const typescript = () => `// Made by \`npm run reasons\` from ${source}.
//
// Why not. One word a reason, the same in findings, skips, logs, API answers and docs; the number is what a deferral
// carries on chain. Append only: a number on chain never changes its meaning.

export const reasonCodes = {
${reasons()
  .map(({ number, reason }) => `  ${reason}: ${number},`)
  .join('\n')}
} as const;

export type Reason = keyof typeof reasonCodes;
`;

const solidity = () => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Why a slot was deferred, by the numbers that records carry
/// @notice Made by \`npm run reasons\` from ${source}, which says what each means. No contract looks at them, so that a reason
/// invented later needs no new contract; they are for those who read records. Append only.
library Reasons {
${reasons()
  .map(({ number, reason }) => `  uint16 internal constant ${reason.toUpperCase()} = ${number};`)
  .join('\n')}
}
`;

const page = () => `// Made by \`npm run reasons\` from ${source}: the reasons by their numbers, the first being 1.

export const numberedReasons = [
${reasons()
  .map(({ reason }) => `  '${reason}',`)
  .join('\n')}
] as const;
`;

try {
  const files = {
    'web/app/words/numbered-reasons.ts': page(),
    'packages/core/domain/reasons.ts': typescript(),
    'contracts/libraries/Reasons.sol': solidity(),
  };
  for (const [path, text] of Object.entries(files)) {
    if (!process.argv.includes('--check')) writeFileSync(join(root, path), text);
    else if (read(path) !== text) throw new Error(`${path} is not what ${source} says`);
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
