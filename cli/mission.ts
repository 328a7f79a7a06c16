import { setTimeout as sleep } from 'node:timers/promises';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { hostOf } from './host.ts';
import { chainPromises } from './mission/chain.ts';
import { httpPromises, limitPromise } from './mission/http.ts';
import { pagePromises } from './mission/page.ts';
import { pricePromise } from './mission/price.ts';
import { Absent, ask, type Promised, type World } from './mission/promise.ts';
import { protocolPromises } from './mission/protocols.ts';
import { verdictPromises } from './mission/verdict.ts';
import { recordAt, recordPath } from './record.ts';
import { addressOption, chainOption, numberOption } from './values.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npx bowline mission`: plays every promise of the service against a running stack, as strangers would use it, and prints a line each.
 * Chain, record and addresses are those of the agent's settings, unless options name others. What a chain does not have is said.
 */
export async function mission(options: Options<'mission'>): Promise<ExitCode> {
  const world = await worldOf(options);
  const sections: readonly (readonly [title: string, promises: readonly Promised[]])[] = [
    ['Agent, over HTTP', httpPromises],
    ['Verdicts', verdictPromises],
    ['Other protocols', [...protocolPromises, pricePromise]],
    ['Page', pagePromises],
    ['On chain', chainPromises],
    // The last: the minute's answers are gone after it.
    ['Limits', world.chainId === 56 ? [unplayed(limitPromise)] : [limitPromise]],
  ];
  const counts = { ok: 0, WRONG: 0, absent: 0 };
  for (const [title, promises] of sections) {
    say(`${title}`);
    for (const promised of promises) {
      const [mark, found] = await played(promised, world);
      counts[mark] += 1;
      say(`  ${mark.padEnd(6)}  ${promised.that}${mark === 'ok' ? ` (${found})` : `\n          ${found}`}`);
    }
    say('');
  }
  const absent = counts.absent === 0 ? '' : `, ${counts.absent} absent on chain ${world.chainId}`;
  say(`${counts.ok} promises kept, ${counts.WRONG} broken${absent}.`);
  return counts.WRONG > 0 ? exitCodes.wrong : exitCodes.done;
}

async function played(promised: Promised, world: World): Promise<readonly ['ok' | 'WRONG' | 'absent', string]> {
  try {
    return ['ok', await promised.keep(world)];
  } catch (error) {
    const line = (error as Error).message.split('\n')[0] ?? '';
    return [error instanceof Absent ? 'absent' : 'WRONG', line];
  }
}

function unplayed({ that }: Promised): Promised {
  const why = 'Not played here: others could not ask for a minute.';
  return { that, keep: () => Promise.reject(new Absent(why)) };
}

async function worldOf(options: Options<'mission'>): Promise<World> {
  const host = hostOf();
  const { agent: agentUrl = host.agentUrl, web = `http://127.0.0.1:${host.setting('WEB_PORT') || '3000'}` } = options;
  const owner = addressOption('--owner', options.owner ?? '0x90F79bf6EB2c4f870365E785982E1f101E93b906');
  const patience = numberOption('--patience', options.patience ?? '180', 0n, 86_400n);
  const chainId = options.chain === undefined ? host.chainId : chainOption(options.chain);
  const recordFile = recordPath(chainId, options.deployments ?? host.deployments);
  const marketDataKey = host.setting('MARKET_DATA_KEY');
  return {
    chainId,
    agentUrl,
    webUrl: web,
    rpcUrl: options.rpc ?? host.rpcUrls()[0],
    recordFile,
    record: recordAt(recordFile, '--deployments'),
    priceUsd: await priceAt(agentUrl),
    owner,
    ...(marketDataKey !== '' && { marketDataKey }),
    patienceMs: Number(patience) * 1_000,
    sleep: (ms) => sleep(ms),
    now: () => performance.now(),
  };
}

/** What is bought for money is not played. An agent that tells no price is asked as one without, and found wrong for it. */
async function priceAt(agentUrl: string): Promise<number> {
  const price = await ask(`${agentUrl}/x402`).then(
    ({ json }) => json?.price_usd,
    () => undefined,
  );
  return typeof price === 'number' ? price : 0;
}
