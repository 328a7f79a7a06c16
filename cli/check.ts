import { connectChain, newestBlock } from '@bowline/chain/chain-client';
import { preflight } from '@bowline/chain/preflight';
import { bscChainId, bscTestnetChainId, localChainId } from '@bowline/core/domain/chains';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { type Address, zeroAddress } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { agentFindings } from './check/agent.ts';
import { chainClockFinding, exchangeClockFinding } from './check/clocks.ts';
import { bytecodeFinding, recordFinding, registryFinding } from './check/contracts.ts';
import { deploymentFindings, sourceFindings } from './check/findings.ts';
import { diskFinding, nodeFinding } from './check/machine.ts';
import { portFindings } from './check/ports.ts';
import { type Line, openReport, type Report } from './check/report.ts';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { isPackaged, placeOf, root } from './home.ts';
import { hostOf } from './host.ts';
import { portNumber } from './ports.ts';
import { bookOf } from './record.ts';
import { addressOption, chainOption } from './values.ts';

const binance = 'https://data-api.binance.vision';
const unnamedPayers: Line = {
  check: 'gas',
  unchecked:
    "Of the payers only the operator was looked at: --payers ADDRESS,… names the agent's others, and so does a running agent.",
};

/**
 * `npx bowline check`: looks at this machine, the node, the contracts, the price sources, the clocks and a running agent, and says of
 * each line whether it is right, and if not, what will not work and what to do. Settings are those of the agent, from the shell and
 * .env; an option wins. Only reads.
 */
export async function check(given: Options<'check'>): Promise<ExitCode> {
  const { ports, rpcUrls, chainId: named, accountFactory, deployments, payers, folders, ...sourced } = placesOf(given);
  const { exchange, pyth, pythKey } = sourced;
  const report = openReport();
  const { findings, states } = await portFindings(ports);
  report.show('This machine', [nodeFinding(process.versions.node), await diskFinding(...folders), ...findings]);

  const [first = ''] = rpcUrls;
  const found = await connectChain(first, false)
    .getChainId()
    .catch(() => undefined);
  const chainId = named ?? knownChain(found);
  const book = read(report, chainId, deployments, accountFactory);
  for (const url of rpcUrls) await examineChain(report, url, chainId, book);
  const ownBook = found === chainId ? book : undefined;
  // A running agent names its payers itself.
  const areNamed = payers.length > 0 || states.agent === 'ours';
  await examineContracts(report, first, chainId, deployments, ownBook, payers, areNamed);

  // A started market is the one to compare with, wherever it listens.
  const market = states.exchange === 'ours' ? `http://127.0.0.1:${ports.exchange}` : '';
  const sources = {
    exchange: exchange || market,
    pyth: pyth || (market !== '' && chainId === localChainId ? market : market && 'off'),
    pythKey,
  };
  // Nothing of the local chain runs, which was said.
  const isIdle = chainId === localChainId && found === undefined && states.exchange === 'free' && !exchange;
  if (isIdle || book === undefined) {
    const needed = isIdle ? 'the local chain' : 'the record';
    report.show('Price sources', [notLooked('exchange', needed), notLooked('pyth', needed)]);
  } else report.show('Price sources', await sourceFindings(sources, book.assets, chainId));
  const clockOf = sources.exchange || (chainId === localChainId ? 'off' : binance);
  await examineClocks(report, first, found === chainId, isIdle ? 'off' : clockOf);

  const agentUrl = `http://127.0.0.1:${ports.agent}`;
  report.show(
    'The agent',
    states.agent === 'ours'
      ? await agentFindings(agentUrl)
      : [{ check: 'agent', unchecked: `No agent listens at ${agentUrl}.` }],
  );
  return report.conclude() ? exitCodes.done : exitCodes.wrong;
}

/** As the node says; BNB Chain where it is one of others, and the local one where there is none. */
const knownChain = (found: number | undefined): number =>
  [localChainId, bscTestnetChainId].find((each) => each === (found ?? localChainId)) ?? bscChainId;

async function examineChain(
  report: Report,
  url: string,
  chainId: number,
  book: AddressBook | undefined,
): Promise<void> {
  const { host } = new URL(url);
  const connect = (inBatches: boolean) => connectChain(url, inBatches);
  const clock = () => BigInt(Math.floor(Date.now() / 1000));
  const findings = book
    ? await preflight({ connect, chainId, clock, timers: { now: () => performance.now() } }, book)
    : [];
  const [only] = findings;
  const isLocal = chainId === localChainId;
  // Where the node is down or of another chain, that is all there is to say, and the setting is what a person can change.
  if (only !== undefined && findings.length === 1) {
    const remedy = isLocal
      ? 'Start the local chain (npm start), or set RPC_URL to a node that runs: --rpc URL tries one.'
      : `Set RPC_URL to a node of chain ${chainId} that can be reached from here: --rpc URL tries one.`;
    report.show(`Node ${host}, chain ${chainId}`, [
      { ...only, check: 'RPC_URL', remedy },
      notLooked('preflight', 'the node'),
    ]);
    return;
  }
  report.show(
    `Node ${host}, chain ${chainId}`,
    findings.length > 0 ? findings : [notLooked('preflight', 'the record')],
  );
}

async function examineContracts(
  report: Report,
  url: string,
  chainId: number,
  deployments: string,
  book: AddressBook | undefined,
  payers: readonly Address[],
  areNamed: boolean,
): Promise<void> {
  const lines: Line[] = [recordFinding(chainId, deployments)];
  if (book === undefined) {
    lines.push(...['registry', 'bytecode', 'gas'].map((check) => notLooked(check, 'the node')));
  } else {
    const client = connectChain(url, false);
    const isRecorded = book.own.swapExecutor !== zeroAddress;
    lines.push(
      isRecorded ? await registryFinding(client, book, chainId) : notLooked('registry', 'the record'),
      isRecorded ? await bytecodeFinding(url, chainId, deployments) : notLooked('bytecode', 'the record'),
      ...(await deploymentFindings(client, book, payers)),
      ...(areNamed ? [] : [unnamedPayers]),
    );
  }
  report.show('Contracts', lines);
}

async function examineClocks(report: Report, url: string, isUp: boolean, exchange: string): Promise<void> {
  const now = () => Date.now() / 1000;
  const ofChain = async (): Promise<Line> => {
    if (!isUp) return notLooked('clock.chain', 'the node');
    const { timestamp } = await newestBlock(connectChain(url, false));
    return chainClockFinding(now(), timestamp);
  };
  report.show('Clocks', [
    await ofChain().catch(() => notLooked('clock.chain', 'the node')),
    exchange === 'off' ? notLooked('clock.exchange', 'an exchange') : await exchangeClockFinding(exchange, now),
  ]);
}

/** Undefined if the record is malformed, which is said where the record is looked at. */
function read(
  report: Report,
  chainId: number,
  deployments: string,
  factory: Address | undefined,
): AddressBook | undefined {
  try {
    return withAccountFactory(bookOf(chainId, deployments), factory);
  } catch (error) {
    const found = (error as Error).message.split('\n')[0] ?? '';
    const remedy = 'Set DEPLOYMENTS_DIR (or --deployments) to the folder of a whole record.';
    report.show('Contracts', [{ check: 'record', ok: false, found, without: 'Nothing runs.', remedy }]);
    return undefined;
  }
}

function notLooked(check: string, needed: string): Line {
  return { check, unchecked: `Not looked at: it needs ${needed}.` };
}

/** What is looked at, by the options that were given and else by the agent's settings. */
function placesOf(given: Options<'check'>) {
  const host = hostOf();
  const { setting } = host;
  const port = (name: 'rpc' | 'market' | 'bundler' | 'agent' | 'web', otherwise: string) =>
    portNumber(`--${name}-port`, given[`${name}-port`] ?? otherwise);
  const chainPort = port('rpc', '8545');
  const rpcUrls = given.rpc?.split(',').map((url) => url.trim()) ?? host.rpcUrls(`http://127.0.0.1:${chainPort}`);
  if (!rpcUrls.every((url) => URL.canParse(url))) throw new UsageError('RPC_URL is not a URL.');
  const { evidence, deliverables, payments } = dataPlaces(placeOf(`${host.data}/`));
  const named = given.chain ?? host.chain;
  return {
    rpcUrls,
    /** Undefined: neither an option nor a setting names it. */
    chainId: named === '' ? undefined : chainOption(named),
    accountFactory: host.accountFactory,
    deployments: given.deployments ?? host.deployments,
    exchange: given.exchange ?? setting('MARKET_DATA_URL'),
    pyth: given.pyth ?? setting('PYTH_URL'),
    pythKey: host.secret('PYTH_API_KEY'),
    payers: (given.payers?.split(',') ?? [])
      .filter((each) => each !== '')
      .map((each) => addressOption('--payers', each)),
    ports: {
      ...(!isPackaged && { chain: chainPort, exchange: port('market', '4030'), bundler: port('bundler', '4337') }),
      agent: port('agent', setting('PORT') || '4020'),
      page: port('web', setting('WEB_PORT') || '3000'),
    },
    folders: [evidence, deliverables, payments, ...(isPackaged ? [] : [new URL('.cache/', root)])],
  };
}
