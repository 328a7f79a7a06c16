import { enableCompileCache, flushCompileCache } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Address } from 'viem';
import type { Server } from './compose/server.ts';

// Start-up: settings → port → all the rest (compose/run.ts), until a signal stops it. What this file imports is loaded before
// the agent answers; all the rest, which takes longer, after. `--only-owner 0x…` serves the plans and loans of one owner.

// Compiled code of the last start, for whatever is loaded from here on. Where this user may not write, each start compiles.
enableCompileCache(fileURLToPath(new URL('../../.cache/compiled', import.meta.url)));
const { complaintOf } = await import('@bowline/http/secret');
const { loadConfig, onlyFor, secretsOf } = await import('./config.ts');
const { addressOf } = await import('@bowline/http/addresses');
const { listen } = await import('./compose/server.ts');

/** Loading holds up all else, so it is done in parts, and whoever asks meanwhile is answered after each: smallest first. */
const parts = [
  () => undefined,
  () => import('./compose/time.ts'),
  () => import('./api/http/starting.ts'),
  () => import('./compose/chain.ts'),
  () => import('./compose/questions.ts'),
  () => import('./compose/sending.ts'),
  () => import('./compose/seller.ts'),
  () => import('./compose/api.ts'),
];

let secrets: string[] = [];
let server: Server | undefined;
/** While the start waits for a node, nothing is open. */
let end: () => void = () => process.exit();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
try {
  const only = ownerOf(process.argv.slice(2));
  const all = loadConfig();
  secrets = secretsOf(all);
  const config = only === undefined ? all : onlyFor(all, only);
  server = await listen(config);
  for (const part of parts) {
    await part();
    // Accept, read, answer.
    for (let phase = 0; phase < 3; phase++) await turn();
  }
  const { run } = await import('./compose/run.ts');
  // Else it would be written at an orderly end alone.
  flushCompileCache();
  await run(config, server, (ending) => {
    end = ending;
  });
} catch (error) {
  process.stderr.write(`${complaintOf(error as Error, secrets)}\n`);
  await server?.close();
  // Whatever was started before the mistake was found, a poll for blocks for example, would keep the process alive.
  process.exit(1);
}

function ownerOf(args: string[]): Address | undefined {
  const [option, text, ...more] = args;
  if (option === undefined) return undefined;
  if (option !== '--only-owner' || text === undefined || more.length > 0) {
    throw new Error('The agent takes --only-owner 0x…, and nothing else.');
  }
  const read = addressOf(text);
  if (read.ok) return read.value;
  throw new Error(`${read.code}: --only-owner ${read.message}.`);
}
