import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const esbuild = fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url));

/** What a page would load for an entry: all that it imports, viem included, minified by esbuild and gzipped. */
export function bundledBytes(entry: string, cwd: string, ...options: readonly string[]): number {
  const all = ['--bundle', '--minify', '--format=esm', '--platform=browser', '--log-level=error', ...options];
  return gzipSync(execFileSync(esbuild, all, { cwd, input: entry }), { level: 9 }).length;
}

/** The most that importing one thing may cost. */
export const limits: readonly (readonly [name: string, entry: string, bytes: number])[] = [
  ['an ABI', "export { planRegistryAbi } from '@bowline/sdk/abi'", 5_000],
  ['an ABI, by the whole package', "export { planRegistryAbi } from '@bowline/sdk'", 5_000],
  ['a check of a ticket', "export { verifyTicket } from '@bowline/sdk/ticket'", 25_000],
  ['a plan', "export { draftPlan, createCall } from '@bowline/sdk/drafts'", 12_500],
];
