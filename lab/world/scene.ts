import { usage } from './market/scenes.ts';
import { readLine } from './options.ts';
import { portNumber } from './ports.ts';
import { wrap } from './start/screen.ts';

// `npm run lab -- scene crash BTCB 15%`: plays a scene on the market of a running `npm start`.

try {
  const { options, words } = readLine('npm run lab -- scene', { port: '4030' });
  if (words.length === 0) {
    process.stdout.write(`${usage}\n`);
  } else {
    const lines = await play(words, portNumber('--port', options.port));
    process.stdout.write(`${lines.flatMap((line) => wrap(line, 80)).join('\n')}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function play(words: readonly string[], port: number): Promise<string[]> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ words }) };
  const response = await fetch(`http://127.0.0.1:${port}/scene`, request).catch(() => {
    throw new Error(`Nothing answers on port ${port}. Start the local chain and its market first: npm start`);
  });
  const answer = (await response.json().catch(() => ({}))) as { lines?: string[]; error?: string };
  if (answer.lines !== undefined) return answer.lines;
  throw new Error(answer.error ?? `The server on port ${port} is not the market of npm start`);
}
