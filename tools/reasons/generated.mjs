// The files that `npm run reasons` writes, as text.

/** @typedef {import('./tables.mjs').Tables} Tables */

const made = '// Made by `npm run reasons` from docs/reasons.md.';

/** @param {readonly { name: string, words: string }[]} rows */
const record = (rows) =>
  rows
    .map(({ name, words }) => {
      const line = `  ${name}: '${words}',`;
      // As Biome breaks it.
      return line.length > 120 ? `  ${name}:\n    '${words}',` : line;
    })
    .join('\n');

/** @param {Tables['reasons']} reasons */
const codes = (reasons) => `${made}
//
// Why not. One word a reason, the same in findings, skips, logs, API answers and docs; the number is what a deferral
// carries on chain. Append only: a number on chain never changes its meaning.

export const reasonCodes = {
${reasons.map(({ name, number }) => `  ${name}: ${number},`).join('\n')}
} as const;

export type Reason = keyof typeof reasonCodes;

const inOrder = Object.keys(reasonCodes) as Reason[];

/** The reason with this number; undefined for one of a later version, or of an executor that writes what it likes. */
export const reasonOf = (code: number): Reason | undefined => inOrder[code - 1];
`;

/** @param {Tables['reasons']} reasons */
const solidity = (reasons) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Why a slot was deferred, by the numbers that records carry
/// @notice Made by \`npm run reasons\` from docs/reasons.md, which says what each means. No contract looks at them, so that a reason
/// invented later needs no new contract; they are for those who read records. Append only.
library Reasons {
${reasons.map(({ name, number }) => `  uint16 internal constant ${name.toUpperCase()} = ${number};`).join('\n')}
}
`;

/** @param {Tables['reasons']} reasons */
const reasonTexts = (reasons) => `${made}
import type { Reason } from '../domain/reasons.ts';

export const reasonTexts: Readonly<Record<Reason, string>> = {
${record(reasons)}
};
`;

/** @param {Tables['refusals']} refusals */
const refusalTexts = (refusals) => `${made}

export const refusalTexts = {
${record(refusals)}
} as const;

export type Refusal = keyof typeof refusalTexts;
`;

/** @param {Tables['checks']} checks */
const checkNames = (checks) => `${made}

/** By id, in the order in which they run. */
export const checkNames = {
${record(checks)}
} as const;

export const checkCount = ${checks.length};
`;

/**
 * Every generated file: its path, its text, and the rows that it is made from.
 * @param {Tables} tables
 */
export const generated = ({ reasons, checks, refusals }) => [
  { path: 'packages/core/domain/reasons.ts', rows: reasons, text: codes(reasons) },
  { path: 'contracts/libraries/Reasons.sol', rows: reasons, text: solidity(reasons) },
  { path: 'packages/core/texts/reasons.ts', rows: reasons, text: reasonTexts(reasons) },
  { path: 'packages/core/texts/refusals.ts', rows: refusals, text: refusalTexts(refusals) },
  { path: 'packages/core/texts/checks.ts', rows: checks, text: checkNames(checks) },
];
