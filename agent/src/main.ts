import { addressOf } from '@bowline/http/addresses';
import { complaintOf } from '@bowline/http/secret';
import type { Address } from 'viem';
import { run } from './compose/run.ts';
import { listen, type Server } from './compose/server.ts';
import { loadConfig, onlyFor, secretsOf } from './config.ts';

// Start-up: settings → port → all the rest (compose/run.ts), until a signal stops it. `--only-owner 0x…` serves the
// plans and loans of one owner.

let secrets: string[] = [];
let server: Server | undefined;
/** Nothing needs closing while start-up waits for a node. */
let end: () => void = () => process.exit();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
try {
  const only = ownerOf(process.argv.slice(2));
  const all = loadConfig();
  secrets = secretsOf(all);
  const config = only === undefined ? all : onlyFor(all, only);
  server = await listen(config);
  await run(config, server, (ending) => {
    end = ending;
  });
} catch (error) {
  process.stderr.write(`${complaintOf(error as Error, secrets)}\n`);
  await server?.close();
  // Anything started before the error was found, such as the block poll, would keep the process alive.
  process.exit(1);
}

function ownerOf(args: string[]): Address | undefined {
  const [option, text, ...more] = args;
  if (option === undefined) return undefined;
  if (option !== '--only-owner' || text === undefined || more.length > 0) {
    throw new Error("The agent's only option is --only-owner 0x….");
  }
  const read = addressOf(text);
  if (read.ok) return read.value;
  throw new Error(`${read.code}: --only-owner ${read.message}.`);
}
