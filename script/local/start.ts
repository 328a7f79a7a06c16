import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from './chain.ts';
import { startLocalChain } from './fork.ts';
import { startMarket } from './market/market.ts';
import { createPath } from './market/path.ts';
import { serveMarket } from './market/server.ts';
import { portNumber, requireFree } from './ports.ts';
import { startChild } from './start/child.ts';
import { deployContracts } from './start/contracts.ts';
import { setUpDemo } from './start/demo.ts';
import { createReader, plain } from './start/screen.ts';
import { welcome } from './start/welcome.ts';

// `npm start`: the local BNB Chain, the contracts, plans and loans to look at, a living market, and the agent, until Ctrl-C.

/** BNB Chain's. */
const blockSeconds = 0.45;
const executorSeconds = 15;
/** Same prices in every start. */
const seed = 1;
/** What endangers the demo owner's loan soon after the start, when there has been time to read the screen. */
const firstDip = { asset: 'ETH', share: 0.04, afterSeconds: 75, overSeconds: 20 } as const;

/** Of the settings in the shell and in `.env`, those that a demo takes: all else would make another demo of it. */
const taken = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'PATH', 'HOME', 'TMPDIR', 'TZ'] as const;

const clock = () => Date.now() / 1000;

/** How to stop what runs, newest last. */
const stops: (() => Promise<void>)[] = [];
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
const interrupted = new Promise<undefined>((resolve) => {
  interrupt.signal.addEventListener('abort', () => resolve(undefined));
});

let exitCode = 0;
try {
  const trouble = await Promise.race([start(), interrupted]);
  if (trouble !== undefined) throw new Error(trouble);
} catch (error) {
  if (!interrupt.signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`);
    exitCode = 1;
  }
}
if (interrupt.signal.aborted) say('\nStopping.');
for (const stop of stops.toReversed()) await stop();
// Whatever was about to start when the interrupt came ends with this process.
process.exit(exitCode);

/** Resolves with a sentence when something that should run has ended. */
async function start(): Promise<string> {
  const began = performance.now();
  const { ports, agentScript, deployments } = readOptions();
  const settings = ownSettings();
  await requireFree([
    { name: 'the chain', port: ports.rpc, option: '--rpc-port' },
    { name: 'the exchange', port: ports.market, option: '--market-port' },
    { name: 'the agent', port: ports.agent, option: '--agent-port' },
  ]);

  say('Building a replica of BNB Chain and forking it …');
  const local = await startLocalChain({ port: ports.rpc, blockSeconds });
  stops.push(local.stop);
  say('Deploying the contracts, compiled first if they have changed …');
  const contracts = await deployContracts(local.url, interrupt.signal, deployments);
  say('Setting up plans and loans to look at …');
  await setUpDemo(connect(local.url), contracts);
  say('Bringing the market to life …');
  const marketUrl = await startLivingMarket(local.url, ports.market);
  say('Starting the agent …');
  // What the agent does before the screen has said what there is to see is shown after that.
  const early: string[] = [];
  const readable = createReader(() => performance.now());
  let show = (text: string): void => void early.push(text);
  const agentUrl = `http://127.0.0.1:${ports.agent}`;
  const agent = await startChild({
    name: 'agent',
    command: [process.execPath, agentScript],
    env: { ...settings, ...agentEnvironment(local.url, marketUrl, ports.agent, deployments) },
    // Not where a .env lies: what it holds of the agent's settings is not meant for a demo.
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    ready: `${agentUrl}/ping`,
    onLine: (line) => {
      const shown = readable(line);
      if (shown !== undefined) show(shown);
    },
    onComplaint: (line) => show(`agent: ${line}`),
    plain,
  });
  stops.push(agent.stop);
  say(`Ready after ${((performance.now() - began) / 1000).toFixed(1)} s.`);

  const urls = { agentUrl, rpcUrl: local.url, marketUrl };
  const model = settings.OPENAI_API_KEY && (settings.OPENAI_MODEL || 'the default language model');
  say(welcome({ ...urls, contracts, blockSeconds, executorSeconds, ...(model && { model }) }));
  show = say;
  for (const text of early) say(text);
  return Promise.race([agent.ended, local.ended.then(() => 'The chain stopped by itself.')]);
}

/** Answers where the exchange is. */
async function startLivingMarket(rpcUrl: string, port: number): Promise<string> {
  const path = createPath(seed, clock());
  const { asset, share, afterSeconds, overSeconds } = firstDip;
  path.add({ asset, share, from: path.start + afterSeconds, overSeconds });
  const market = await startMarket({ rpcUrl, path, clock, report: say });
  stops.push(market.stop);
  const server = await serveMarket(market, path, clock, port);
  stops.push(server.stop);
  return server.url;
}

function ownSettings(): NodeJS.ProcessEnv {
  try {
    process.loadEnvFile();
  } catch {
    // There is none.
  }
  return Object.fromEntries(taken.map((name) => [name, process.env[name]]));
}

function agentEnvironment(rpcUrl: string, marketUrl: string, port: number, deployments: string): NodeJS.ProcessEnv {
  return {
    CHAIN: 'local',
    RPC_URL: rpcUrl,
    MARKET_DATA_URL: marketUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    EXECUTOR_INTERVAL_SECONDS: String(executorSeconds),
    DEPLOYMENTS_DIR: deployments,
    LOG_LEVEL: 'info',
  };
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      'rpc-port': { type: 'string', default: '8545' },
      'market-port': { type: 'string', default: '4030' },
      'agent-port': { type: 'string', default: '4020' },
      // Where the record of the deployment is written.
      deployments: { type: 'string', default: 'script/deployments' },
      // Another program in the agent's place.
      'agent-script': { type: 'string', default: fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url)) },
    },
  });
  const ports = {
    rpc: portNumber('--rpc-port', values['rpc-port']),
    market: portNumber('--market-port', values['market-port']),
    agent: portNumber('--agent-port', values['agent-port']),
  };
  return { ports, agentScript: values['agent-script'], deployments: values.deployments };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
