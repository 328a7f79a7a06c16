import { parseArgs } from 'node:util';
import { usage } from './market/scenes.ts';
import { portNumber } from './ports.ts';

// `npm run scene -- crash BTCB 15%`: asks the market of a running `npm start` for a scene.

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '4030' } },
  });
  if (positionals.length === 0) {
    process.stdout.write(`${usage}\n`);
  } else {
    const lines = await play(positionals, portNumber('--port', values.port));
    process.stdout.write(`${lines.join('\n')}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function play(words: readonly string[], port: number): Promise<string[]> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ words }) };
  const response = await fetch(`http://127.0.0.1:${port}/scene`, request).catch(() => {
    throw new Error(`Nothing answers on port ${port}: start the local chain and its market first, with npm start`);
  });
  const answer = (await response.json().catch(() => ({}))) as { lines?: string[]; error?: string };
  if (answer.lines !== undefined) return answer.lines;
  throw new Error(answer.error ?? `What answers on port ${port} is not the market of npm start`);
}
