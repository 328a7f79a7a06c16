import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onlyOptions } from '../../cli/options.ts';
import { portNumber } from '../../cli/ports.ts';
import { localChainId } from './fork.ts';
import { type Child, startChild } from './start/child.ts';
import { wrap } from './start/screen.ts';
import { steps, type Tour } from './tour/steps.ts';

// `npm run tour`: shows in a few minutes what Bowline does, on the local chain: of a running `npm start`, or of one that it
// starts and stops again. Exits with 1 if something that it shows does not happen.

const columns = 80;
const root = fileURLToPath(new URL('../../', import.meta.url));
const say = (line = '') => void process.stdout.write(`${line}\n`);
const sayWrapped = (mark: string, text: string) => {
  for (const [at, line] of wrap(text, columns - 4).entries()) say(`  ${at === 0 ? mark : ' '} ${line}`);
};

const defaults = {
  'rpc-port': '8545',
  'market-port': '4030',
  'bundler-port': '4337',
  'agent-port': '4020',
  'web-port': '3000',
  deployments: 'script/deployments',
};

let started: Child | undefined;
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => reject(new Error('Interrupted.')));
});
try {
  await Promise.race([tour(), interrupted]);
} catch (error) {
  process.stderr.write(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
await started?.stop();
process.exit();

async function tour(): Promise<void> {
  const options = onlyOptions('npm run tour', defaults);
  const urlOf = (name: 'rpc' | 'market' | 'agent' | 'web') =>
    `http://127.0.0.1:${portNumber(`--${name}-port`, options[`${name}-port`])}`;
  const began = Date.now();
  const seconds = () => ((Date.now() - began) / 1000).toFixed(0);
  if (!(await isHealthy(urlOf('agent')))) {
    say('Starting a local BNB Chain with the contracts, a market and the agent …');
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const command = [process.execPath, `${root}lab/world/start.ts`, ...args] as const;
    started = await startChild({
      name: 'local chain',
      command,
      env: process.env,
      cwd: root,
      ready: urlOf('web'),
      // It compiles what has changed, and waits for each of its parts itself.
      readySeconds: 300,
      onLine: () => {},
    });
    say(`Ready after ${seconds()} s. The page is at ${urlOf('web')}.`);
  }
  const record = new URL(`../../${options.deployments}/${localChainId}.json`, import.meta.url);
  if (!existsSync(record))
    throw new Error(`There is no ${options.deployments}/${localChainId}.json: name the folder by --deployments.`);
  const running: Tour = {
    agentUrl: urlOf('agent'),
    rpcUrl: urlOf('rpc'),
    marketUrl: urlOf('market'),
    contracts: JSON.parse(readFileSync(record, 'utf8')),
    explain: (text) => sayWrapped(' ', text),
    saw: (text) => sayWrapped('→', text),
    sleep: (ms) => sleep(ms),
    now: () => Date.now() / 1000,
  };
  for (const [at, { title, play }] of steps.entries()) {
    say(`\n${at + 1}. ${title}`);
    await play(running);
  }
  say(`\nThat was all, in ${seconds()} s. Go on with: npm start, then npm run scene, npm run audit -- --plan 1,`);
  say('npm run mission. The contracts and what they allow: docs/architecture.md, AUDIT.md.');
}

async function isHealthy(agentUrl: string): Promise<boolean> {
  const response = await fetch(`${agentUrl}/ping`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return response?.ok === true;
}
