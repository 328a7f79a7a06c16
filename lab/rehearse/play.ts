import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../world/ports.ts';
import { type Operator, publicUrl } from './operator.ts';
import { openStage } from './stage.ts';
import { steps } from './steps.ts';
import { isSamePage, pageOf, type Told } from './transcript.ts';
import { startWorld } from './world.ts';

// Plays the steps one after the other, a line each.

const root = new URL('../../', import.meta.url);
const page = new URL('docs/rehearsal.md', root);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const began = performance.now();
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const stops: (() => unknown)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
try {
  process.exitCode = await play(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
await end(process.exitCode);

async function play(words: readonly string[]): Promise<number> {
  const isWriting = words.includes('--write');
  if (words.some((word) => word !== '--write'))
    throw new Error('npm run lab -- rehearse takes --write, and nothing else.');
  // The operator's commands would read it, and with it another chain's settings.
  if (existsSync(new URL('.env', root)))
    throw new Error('Move .env away: the commands that are rehearsed would read it.');
  const folder = mkdtempSync(join(tmpdir(), 'bowline-rehearsal-'));
  const deployments = `.cache/deployments/rehearsal-${process.pid}`;
  mkdirSync(new URL(deployments, root), { recursive: true });
  stops.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => rmSync(new URL(deployments, root), { recursive: true, force: true }),
  );
  const world = await startWorld((trouble) => process.stderr.write(`market: ${trouble}\n`));
  stops.push(world.stop);
  const [agent, web] = [await freePort(), await freePort()];
  const agentUrl = `http://127.0.0.1:${agent}`;
  const settings = {
    ...{ CHAIN: 'bsc', RPC_URL: world.rpcUrl, MARKET_DATA_URL: world.marketUrl, PYTH_URL: 'off' },
    ...{ HOST: '127.0.0.1', PORT: `${agent}`, WEB_PORT: `${web}`, PUBLIC_URL: publicUrl, DEPLOYMENTS_DIR: deployments },
    DATA_DIR: join(folder, 'data'),
    // So that nobody waits a quarter of an hour for a run.
    ...{ EXECUTOR_INTERVAL_SECONDS: '5', JOBS_INTERVAL_SECONDS: '2' },
  };
  const stage = openStage(folder, { ...settings, HOME: folder });
  stops.push(stage.stop);
  say(`A chain with BNB Chain's ID and rules, its market, and nothing of ours: ${seconds(began)}`);
  const operator: Operator = {
    ...{ world, stage, deployments: new URL(`${deployments}/`, root), agentUrl, webPort: web, kept: {} },
    ...{ folder: deployments, keys: new Map(), settings: {} },
  };
  const told: Told[] = [];
  for (const [at, { title, why, play: act }] of steps.entries()) {
    const from = performance.now();
    try {
      const found = await act(operator);
      told.push({ title, why, typed: stage.take(), found });
      say(`ok     ${`${at + 1}`.padStart(2)} ${title}: ${found} (${seconds(from)})`);
    } catch (error) {
      say(`WRONG  ${`${at + 1}`.padStart(2)} ${title} (${seconds(from)})\n${(error as Error).message}`);
      say(operator.lastLog?.() ?? '');
      return 1;
    }
  }
  const text = pageOf(told, [
    [folder, '.'],
    [deployments, 'script/deployments'],
    [world.rpcUrl, '$RPC_URL'],
    [agentUrl, 'http://127.0.0.1:4020'],
    [`http://127.0.0.1:${web}`, 'http://127.0.0.1:3000'],
    [world.marketUrl, '$MARKET_DATA_URL'],
    [world.bundlerUrl, '$BUNDLER_URL'],
    [`${agent} is in use`, '4020 is in use'],
    [fileURLToPath(root), ''],
  ]);
  if (isWriting) writeFileSync(page, text);
  else if (!existsSync(page) || !isSamePage(readFileSync(page, 'utf8'), text)) {
    say('docs/rehearsal.md tells of something else than was played: npm run lab -- rehearse --write');
    return 1;
  }
  say(`Everything was as it should be: ${steps.length} steps in ${seconds(began)}.`);
  return 0;
}

async function end(code: number | undefined): Promise<never> {
  for (const stop of stops.splice(0).toReversed()) await stop();
  process.exit(code ?? 0);
}
