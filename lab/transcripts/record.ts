import { isAddress } from 'viem';
import type { Sidecar } from '../../test/e2e/sidecar.ts';
import { recordLogs, roundsOf } from './logs.ts';
import { withPlaceholders } from './placeholders.ts';
import { createRecorder } from './recorder.ts';
import { recordA2a } from './requests/a2a.ts';
import { recordDiscovery, recordEndpoints, recordOpenApi, recordQuestions } from './requests/http.ts';
import { recordJob } from './requests/job.ts';
import { recordMcp } from './requests/mcp.ts';
import { recordPaid, recordPriced } from './requests/priced.ts';
import { recordLimit, recordSilentSources, recordWithoutChain } from './requests/refusals.ts';
import { openWorld, type World } from './world.ts';

/** The text of every recorded file, by its name. */
export type Recording = Readonly<Record<string, string>>;

/** More than all requests of a recording: limits are recorded with their own agent. */
const unlimited = { ANSWER_LIMIT: '10000', CALLER_LIMIT: '10000' };

/** Sends all requests to real programs on their own chain. */
export async function record(): Promise<Recording> {
  const world = await openWorld();
  try {
    const names = { ...namesIn(world.contracts), [world.urls.chain]: 'chain url' };
    const files = Object.entries(await recordedIn(world));
    return Object.fromEntries(
      files.map(([name, blocks]) => [name, withPlaceholders(`${blocks.join('\n\n')}\n`, names)]),
    );
  } finally {
    await world.stop();
  }
}

/** The name of each contract by its address, which changes with its code. */
function namesIn(contracts: object, within = ''): Record<string, string> {
  const entries = Object.entries(contracts).flatMap(([name, value]) => {
    const path = within === '' ? name : `${within}.${name}`;
    if (typeof value === 'object') return Object.entries(namesIn(value, path));
    return isAddress(String(value)) ? [[String(value), path.replace('.address', '')] as const] : [];
  });
  return Object.fromEntries(entries);
}

async function recordedIn(world: World): Promise<Record<string, string[]>> {
  const files: Record<string, string[]> = {};
  const ask = (name: string, { url }: { readonly url: string }) => {
    files[name] ??= [];
    return createRecorder(url, files[name]);
  };
  files.logs = await recordLogs(world);
  await world.aDayLater(async () => {
    const sources = { MARKET_DATA_URL: 'off', PYTH_URL: 'off' };
    await withAgent(world, sources, (silent) => recordSilentSources(ask('refusals', silent)));
  });

  const agent = await world.startAgent({ ...unlimited, LOG_LEVEL: 'debug' });
  try {
    await roundsOf(agent);
    await recordDiscovery(ask('discovery', agent));
    await recordOpenApi(ask('openapi', agent));
    await recordQuestions(ask('questions', agent));
    await recordEndpoints(ask('endpoints', agent));
    await recordMcp(ask('mcp', agent));
    await recordA2a(ask('a2a', agent));
    await withAgent(world, { ANSWER_LIMIT: '1' }, (limited) => recordLimit(ask('refusals', limited)));
    const price = { PRICE_USD: '0.02', X402_FACILITATOR_URL: world.urls.facilitator };
    await withAgent(world, { ...unlimited, ...price }, async (priced) => {
      await recordPriced(ask('priced', priced));
      await recordPaid(world, ask('paid', priced));
    });
    await world.pass(10);
    await recordJob(world, ask('job', agent), agent.url);
    await world.stopChain();
    await recordWithoutChain(ask('refusals', agent));
  } finally {
    await agent.stop();
  }
  return files;
}

async function withAgent(world: World, settings: Record<string, string>, use: (agent: Sidecar) => Promise<void>) {
  const agent = await world.startAgent({ DRY_RUN: 'true', ...settings });
  try {
    await use(agent);
  } finally {
    await agent.stop();
  }
}
