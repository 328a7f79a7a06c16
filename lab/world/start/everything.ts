import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { shellEnvironment } from '../../../cli/host.ts';
import { walletOf } from '../account-abstraction.ts';
import { accountAbstraction, isTestnet } from '../addresses.ts';
import { blockSeconds } from '../block.ts';
import { startBundler } from '../bundler.ts';
import { connect } from '../chain.ts';
import { serveFacilitator } from '../facilitator.ts';
import { startLocalChain } from '../fork.ts';
import { type Market, startMarket } from '../market/market.ts';
import { createPath } from '../market/path.ts';
import { pastRemembers } from '../market/play.ts';
import { wordsOf } from '../market/scenes.ts';
import { serveMarket } from '../market/server.ts';
import { minedAtOnce } from '../miner.ts';
import { onlyOptions } from '../options.ts';
import { portNumber, requireFree } from '../ports.ts';
import { type AgentKeys, agentKeys } from './agent-keys.ts';
import { type Child, startChild } from './child.ts';
import { deployContracts } from './contracts.ts';
import { owner, secondBorrower, setUpDemo, thirdBorrower } from './demo.ts';
import { chosenSettings, machineSettings } from './environment.ts';
import { entryOf } from './feed.ts';
import { startPage } from './page.ts';
import { withoutRepeats } from './repeats.ts';
import { createScreen } from './screen.ts';
import { welcome } from './welcome.ts';

// `npm start`: runs the local BNB Chain, the contracts, demo plans and loans, a simulated market, and the agent, until
// Ctrl-C.

const executorSeconds = 15;
const guardSeconds = 5;
/** Fixed, so every start has the same prices. */
const seed = 1;
/** Puts the demo owner's loan at risk soon after the start, but late enough to read the screen first. */
const firstDip = { asset: 'ETH', share: 0.04, afterSeconds: 75, overSeconds: 20 } as const;
const names = new Map([
  [owner.toLowerCase(), 'the demo owner'],
  [secondBorrower.toLowerCase(), 'the second borrower'],
  [thirdBorrower.toLowerCase(), 'the third borrower'],
]);

/** The price service's guardians exist only for the local chain, so verdicts have only Chainlink and the exchange. */
const testnetSettings = {
  CHAIN: 'bsc-testnet',
  PYTH_URL: 'off',
  ACCOUNT_FACTORY: accountAbstraction.simpleAccountFactory,
  MAX_GAS_BNB_PER_DAY: '30',
};

const clock = () => Date.now() / 1000;
const screen = createScreen(process.stdout);
const show = withoutRepeats(screen.show);
const reportComplaint = (line: string) => show({ title: `bundler: ${line}`, isTrouble: true });
const reportEnd = (why: string) => {
  const [title, ...details] = why.split('\n');
  show({ title: `${title} It is started again.`, details, isTrouble: true });
};
const reportTrouble = (trouble: string) => show({ title: `market: ${trouble}`, isTrouble: true });

/** Stop functions of everything running, newest last. */
const stops: (() => Promise<void>)[] = [];
const interrupt = new AbortController();
let interruptedAtMs = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // One Ctrl-C may arrive twice, from the terminal and from npm. A later one comes from a person who will not wait:
    // exit, and whatever still runs ends with this process.
    if (interrupt.signal.aborted && Date.now() - interruptedAtMs > 1_000) process.exit(130);
    if (!interrupt.signal.aborted) interruptedAtMs = Date.now();
    interrupt.abort();
  });
}
// The reader of stdout has gone.
process.stdout.on('error', () => interrupt.abort());
const interrupted = new Promise<undefined>((resolve) => {
  interrupt.signal.addEventListener('abort', () => resolve(undefined));
});

let exitCode = 0;
try {
  const trouble = await Promise.race([start(), interrupted]);
  if (trouble !== undefined) throw new Error(trouble);
} catch (error) {
  if (!interrupt.signal.aborted) {
    screen.release();
    screen.end();
    process.stderr.write(`${(error as Error).message}\n`);
    exitCode = 1;
  }
}
if (stops.length > 0) screen.say('\nStopping …');
// A stop that fails must not keep the rest running.
for (const stop of stops.toReversed()) await stop().catch(() => {});
if (interrupt.signal.aborted) screen.say('Everything has stopped.');
// Anything that was starting during the interrupt ends with this process.
process.exit(exitCode);

/** Resolves with a sentence when the chain has ended. Other parts that end are restarted. */
async function start(): Promise<string> {
  const began = performance.now();
  const { ports, agentScript, deployments } = readOptions();
  const chosen = chosenSettings(shellEnvironment());
  const isPriced = Number(chosen.PRICE_USD ?? 0) !== 0;
  await requireFree([
    { name: 'the chain', port: ports.rpc, option: '--rpc-port' },
    { name: 'the exchange', port: ports.market, option: '--market-port' },
    { name: 'the bundler', port: ports.bundler, option: '--bundler-port' },
    ...(isPriced ? [{ name: 'the facilitator', port: ports.facilitator, option: '--facilitator-port' }] : []),
    { name: 'the agent', port: ports.agent, option: '--agent-port' },
    { name: 'the page', port: ports.web, option: '--web-port' },
  ]);

  const local = await screen.step('A replica of BNB Chain, and a fork of it', () =>
    startLocalChain({ port: ports.rpc, blockSeconds }),
  );
  stops.push(local.stop);
  const chain = connect(local.url);
  // Needs only the chain, and takes as long as the contracts do.
  const bundling = stopped(startBundler(local.url, ports.bundler, { onLine: reportComplaint, onEnd: reportEnd }));
  const keys = agentKeys();
  const wallet = await walletOf(chain, keys.keeper.address);
  const contracts = await screen.step('The contracts', () =>
    deployContracts(local.url, deployments, interrupt.signal, { operator: wallet, keys }),
  );
  await screen.step('Demo plans and loans', () =>
    minedAtOnce(chain, () => setUpDemo(chain, contracts, [wallet, keys.keeper.address, keys.rescuer.address])),
  );
  const marketUrl = await screen.step('A simulated market', () => startLivingMarket(local.url, ports.market));
  const bundler = await screen.step('A bundler', () => bundling);
  const agentUrl = `http://127.0.0.1:${ports.agent}`;
  const pageSecret = randomBytes(32).toString('hex');
  const settings = {
    ...chosen,
    PAGE_SECRET: pageSecret,
    ...demoSettings(local.url, marketUrl, ports.agent, deployments),
    ...keySettings(keys),
    BUNDLER_URL: bundler.url,
    ...(isPriced && { X402_FACILITATOR_URL: await startFacilitator(local.url, ports.facilitator) }),
  };
  const paging = stopped(
    startPage({
      ...{ port: ports.web, agentUrl, pageSecret, rpcUrl: local.url, marketUrl, deployments },
      onEnd: reportEnd,
    }),
  );
  const { agent, model } = await screen.step('The agent', () => startAgent(agentScript, agentUrl, settings));
  stops.push(agent.stop);
  const web = await screen.step('The page', () => paging);

  screen.say(`Ready after ${((performance.now() - began) / 1000).toFixed(1)} s.`);
  const urls = { webUrl: web.url, agentUrl, rpcUrl: local.url, marketUrl, bundlerUrl: bundler.url };
  const running = { ...urls, contracts, wallet, model, priceUsd: chosen.PRICE_USD, taken: Object.keys(chosen) };
  screen.say(welcome({ ...running, blockSeconds, executorSeconds, guardSeconds }));
  screen.release();
  await local.ended;
  return 'The chain stopped unexpectedly, and everything with it: what was on it is lost. Run npm start again.';
}

/** For a part that starts in parallel: it is stopped with the rest, and its failure is held until it is awaited. */
function stopped<Part extends { stop(): Promise<void> }>(starting: Promise<Part>): Promise<Part> {
  starting.then(
    ({ stop }) => stops.push(stop),
    () => {},
  );
  return starting;
}

/** Returns the exchange's URL. */
async function startLivingMarket(rpcUrl: string, port: number): Promise<string> {
  const path = createPath(seed, clock());
  const { asset, share, afterSeconds, overSeconds } = firstDip;
  const fall = { asset, share, from: path.start + afterSeconds, overSeconds };
  path.add(fall);
  const dip = setTimeout(() => {
    const details = [
      'This is part of the demo and happens once. Feed, pools and exchange follow.',
      ...pastRemembers(fall, fall.from),
    ];
    show({ title: `the price of ${asset} falls by ${share * 100} % within ${overSeconds} s`, details });
  }, afterSeconds * 1000);
  const market = await startMarket({ rpcUrl, path, clock, report: reportTrouble });
  stops.push(async () => {
    clearTimeout(dip);
    await market.stop();
  });
  const server = await serveMarket(toldOf(market), path, clock, port);
  stops.push(server.stop);
  return server.url;
}

/** Returns the facilitator's URL. */
async function startFacilitator(rpcUrl: string, port: number): Promise<string> {
  const facilitator = await screen.step('A payment facilitator', () => serveFacilitator(rpcUrl, port));
  stops.push(facilitator.stop);
  return facilitator.url;
}

/** The same market, but its scenes also show on the screen. */
function toldOf(market: Market): Market {
  const play: Market['play'] = async (scene) => {
    const lines = await market.play(scene);
    show({ title: `scene: ${wordsOf(scene)}`, details: lines.slice(0, 1) });
    return lines;
  };
  return { ...market, play };
}

/** Also returns the name of the answering language model, if there is one. */
async function startAgent(
  script: string,
  url: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ agent: Child; model: string | undefined }> {
  const everything = settings.LOG_LEVEL === 'debug';
  const agent = await startChild({
    name: 'agent',
    command: [process.execPath, script],
    env: { ...machineSettings(process.env), ...settings },
    // A folder without a `.env`: from it the agent would read the settings that were left out on purpose.
    cwd: fileURLToPath(new URL('./', import.meta.url)),
    ready: `${url}/ready`,
    onEnd: reportEnd,
    onLine: (line) => {
      const entry = entryOf(line, { names, everything });
      if (entry !== undefined) show(entry);
    },
  });
  return { agent, model: settings.OPENAI_API_KEY && (settings.OPENAI_MODEL ?? 'the default model') };
}

function keySettings({ keeper, verdictSigner, rescuer }: AgentKeys): Record<string, string> {
  return {
    ...(keeper.key && { KEEPER_PRIVATE_KEY: keeper.key }),
    ...(verdictSigner.key && { VERDICT_PRIVATE_KEY: verdictSigner.key }),
    RESCUE_PRIVATE_KEYS: rescuer.key,
  };
}

function demoSettings(rpcUrl: string, marketUrl: string, port: number, deployments: string): Record<string, string> {
  return {
    ...(isTestnet ? testnetSettings : { CHAIN: 'local', PYTH_URL: marketUrl }),
    RPC_URL: rpcUrl,
    MARKET_DATA_URL: marketUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    DEPLOYMENTS_DIR: deployments,
    EXECUTOR_INTERVAL_SECONDS: String(executorSeconds),
  };
}

function readOptions() {
  const options = onlyOptions('npm start', {
    'rpc-port': '8545',
    'market-port': '4030',
    'bundler-port': '4337',
    'facilitator-port': '4050',
    'agent-port': '4020',
    'web-port': '3000',
    // Read by start.ts.
    chain: 'local',
    // Replaces the agent's own program.
    'agent-script': fileURLToPath(new URL('../../../agent/src/main.ts', import.meta.url)),
    // Folder for the deployment record, relative to the project's folder.
    deployments: 'script/deployments',
  });
  const names = ['rpc', 'market', 'bundler', 'facilitator', 'agent', 'web'] as const;
  const ports = names.map((name) => [name, portNumber(`--${name}-port`, options[`${name}-port`])] as const);
  return {
    ports: Object.fromEntries(ports) as Readonly<Record<(typeof names)[number], number>>,
    agentScript: options['agent-script'],
    deployments: options.deployments,
  };
}
