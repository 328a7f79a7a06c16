import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../world/ports.ts';
import { createOperator, type Operator, publicUrl } from './operator.ts';
import { openStage } from './stage.ts';
import { steps } from './steps.ts';
import { isSamePage, pageOf, type Told } from './transcript.ts';
import { startWorld, type World } from './world.ts';

// Plays the steps in order, and prints a line for each.

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = join(root, 'docs/reference/operators-day.md');
const say = (line: string) => void process.stdout.write(`${line}\n`);

const began = performance.now();
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const stops: (() => unknown)[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130));
try {
  process.exitCode = await day(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
await end(process.exitCode);

async function day(words: readonly string[]): Promise<number> {
  if (words.some((word) => word !== '--write')) throw new Error('npm run lab -- day takes --write, and nothing else.');
  // The operator's commands would read it, and its settings may be for another chain.
  if (existsSync(join(root, '.env'))) throw new Error('Move .env away: the commands that are played would read it.');
  const folder = mkdtempSync(join(tmpdir(), 'bowline-day-'));
  // A folder that forge may write.
  const deployments = join(root, `.cache/deployments/day-${process.pid}`);
  mkdirSync(deployments, { recursive: true });
  for (const each of [folder, deployments]) stops.push(() => rmSync(each, { recursive: true, force: true }));
  const world = await startWorld(stops, (trouble) => process.stderr.write(`${trouble}\n`));
  const agentUrl = `http://127.0.0.1:${await freePort()}`;
  const stage = openStage(folder, { ...settingsOf(world, folder, deployments, agentUrl), HOME: folder });
  stops.push(stage.stop);
  say(`A chain with BNB Chain's ID and rules, its market, and nothing of ours: ${seconds(began)}`);
  const told = await played(createOperator(world, stage, deployments, agentUrl));
  if (told === undefined) return 1;
  const text = pageOf(told, [
    [folder, '.'],
    [deployments, 'script/deployments'],
    [world.rpcUrl, '$RPC_URL'],
    [agentUrl, 'http://127.0.0.1:4020'],
    [world.bundlerUrl, '$BUNDLER_URL'],
    [world.facilitatorUrl, '$FACILITATOR_URL'],
    [root, ''],
  ]);
  if (words.includes('--write')) writeFileSync(page, text);
  else if (!isSamePage(readFileSync(page, 'utf8'), text)) {
    writeFileSync(join(root, '.cache/operators-day.md'), text);
    say(
      'docs/reference/operators-day.md differs from what was played (.cache/operators-day.md): npm run lab -- day --write',
    );
    return 1;
  }
  say(`Everything was as it should be: ${steps.length} steps in ${seconds(began)}.`);
  return 0;
}

/** Settings for the whole day. */
function settingsOf({ rpcUrl, marketUrl }: World, folder: string, deployments: string, agentUrl: string) {
  return {
    ...{ CHAIN: 'bsc', RPC_URL: rpcUrl, WEB_RPC_URL: rpcUrl, MARKET_DATA_URL: marketUrl, PYTH_URL: 'off' },
    ...{ HOST: '127.0.0.1', PORT: new URL(agentUrl).port, PUBLIC_URL: publicUrl, DEPLOYMENTS_DIR: deployments },
    DATA_DIR: join(folder, 'data'),
    // Avoids a wait of a quarter of an hour for a run.
    ...{ EXECUTOR_INTERVAL_SECONDS: '3', JOBS_INTERVAL_SECONDS: '2' },
  };
}

/** Undefined if a step fails; the failure is printed. */
async function played(operator: Operator): Promise<Told[] | undefined> {
  const told: Told[] = [];
  for (const [at, { title, why, play }] of steps.entries()) {
    const from = performance.now();
    try {
      const found = await play(operator);
      told.push({ title, why, typed: operator.stage.take(), found });
      say(`ok     ${`${at + 1}`.padStart(2)} ${title}: ${found} (${seconds(from)})`);
    } catch (error) {
      say(`WRONG  ${`${at + 1}`.padStart(2)} ${title} (${seconds(from)})\n${(error as Error).message}`);
      const { output } = await operator.end('SIGKILL').catch(() => ({ output: '' }));
      say(output.trimEnd().split('\n').slice(-15).join('\n'));
      return undefined;
    }
  }
  return told;
}

async function end(code: number | undefined): Promise<never> {
  for (const stop of stops.splice(0).toReversed()) await stop();
  process.exit(code ?? 0);
}
