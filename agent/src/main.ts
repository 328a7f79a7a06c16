import { parseArgs } from 'node:util';
import { complaintOf } from '@bowline/http/secret';
import { run } from './compose/run.ts';
import { listen, type Server } from './compose/server.ts';
import { dry, loadConfig, secretsOf } from './config.ts';

// Start-up: settings → port → all the rest (compose/run.ts), until a signal stops it. `--once` runs one round of each loop without the
// API; `--dry-run` signs and sends nothing.

let secrets: string[] = [];
let server: Server | undefined;
/** While the start waits for a node, nothing is open. */
let end: () => void = () => process.exit();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end());
try {
  const { once, 'dry-run': isDry } = optionsOf(process.argv.slice(2));
  const settings = loadConfig();
  secrets = secretsOf(settings);
  const config = isDry ? dry(settings) : settings;
  server = once ? undefined : await listen(config);
  await run(config, server, (ending) => {
    end = ending;
  });
} catch (error) {
  process.stderr.write(`${complaintOf(error as Error, secrets)}\n`);
  await server?.close();
  // Whatever was started before the mistake was found, a poll for blocks for example, would keep the process alive.
  process.exit(1);
}

function optionsOf(args: string[]) {
  try {
    return parseArgs({ args, options: { once: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } }).values;
  } catch {
    throw new Error('The agent takes --once and --dry-run, and nothing else.');
  }
}
