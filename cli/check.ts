import { connectChain, newestBlock } from '@bowline/chain/chain-client';
import { type Finding, preflight } from '@bowline/chain/preflight';
import { localChainId } from '@bowline/core/domain/chains';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { type Address, zeroAddress } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { agentFindings } from './check/agent.ts';
import { chainClockFinding, exchangeClockFinding } from './check/clocks.ts';
import { bytecodeFinding, recordFinding, registryFinding } from './check/contracts.ts';
import { deploymentFindings, sourceFindings } from './check/findings.ts';
import { isPackaged } from './check/home.ts';
import { diskFinding, nodeFinding } from './check/machine.ts';
import { portFindings } from './check/ports.ts';
import { addressesIn, bookOf, chainIdOf } from './check/record.ts';
import { isWrong, type Line, linesOf, remediesOf } from './check/report.ts';
import { hostOf } from './host.ts';
import { onlyOptions } from './options.ts';
import { portNumber } from './ports.ts';

// `npx bowline check`: looks at this machine, the node, the contracts, the price sources, the clocks and a running agent, and
// says of each line whether it is right, and if not, what will not work and what to do. Settings are those of the agent, from
// the shell and .env; an option wins. Only reads. Exits with 1 if a line is wrong, with 2 if it could not look at all.

const root = new URL('../', import.meta.url);
/** Of the longest names, so that the sections stand in one line. */
const width = 22;
const binance = 'https://data-api.binance.vision';
const unnamedPayers: Line = {
  check: 'gas',
  unchecked:
    "Of the payers only the operator was looked at: --payers ADDRESS,… names the agent's others, and so does a running agent.",
};
const wrong: Finding[] = [];
let unchecked = 0;

try {
  process.exitCode = (await examine()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 2;
}

async function examine(): Promise<boolean> {
  const { ports, rpcUrls, chain, accountFactory, deployments, exchange, pyth, payers, folders } = readOptions();
  const { findings, states } = await portFindings(ports);
  show('This machine', [nodeFinding(process.versions.node), await diskFinding(...folders), ...findings]);

  const [first = ''] = rpcUrls;
  const found = await connectChain(first, false)
    .getChainId()
    .catch(() => undefined);
  const chainId = chainIdOf(chain, found ?? (chain === '' ? localChainId : undefined));
  const book = read(chainId, deployments, accountFactory);
  for (const url of rpcUrls) await examineChain(url, chainId, book);
  const ownBook = found === chainId ? book : undefined;
  // A running agent names its payers itself.
  await examineContracts(first, chainId, deployments, ownBook, payers, payers !== '' || states.agent === 'ours');

  // A started market is the one to compare with, wherever it listens.
  const market = states.exchange === 'ours' ? `http://127.0.0.1:${ports.exchange}` : '';
  const sources = {
    exchange: exchange || market,
    pyth: pyth || (market !== '' && chainId === localChainId ? market : market && 'off'),
  };
  // Nothing of the local chain runs, which was said.
  const isIdle = chainId === localChainId && found === undefined && states.exchange === 'free' && !exchange;
  if (isIdle || book === undefined) {
    const needed = isIdle ? 'the local chain' : 'the record';
    show('Price sources', [notLooked('exchange', needed), notLooked('pyth', needed)]);
  } else show('Price sources', await sourceFindings(sources, book.assets, chainId));
  const clockOf = sources.exchange || (chainId === localChainId ? 'off' : binance);
  await examineClocks(first, found === chainId, isIdle ? 'off' : clockOf);

  const agentUrl = `http://127.0.0.1:${ports.agent}`;
  show(
    'The agent',
    states.agent === 'ours'
      ? await agentFindings(agentUrl)
      : [{ check: 'agent', unchecked: `No agent listens at ${agentUrl}.` }],
  );
  return conclude();
}

async function examineChain(url: string, chainId: number, book: AddressBook | undefined): Promise<void> {
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
    show(`Node ${host}, chain ${chainId}`, [{ ...only, check: 'RPC_URL', remedy }, notLooked('preflight', 'the node')]);
    return;
  }
  show(`Node ${host}, chain ${chainId}`, findings.length > 0 ? findings : [notLooked('preflight', 'the record')]);
}

async function examineContracts(
  url: string,
  chainId: number,
  deployments: string,
  book: AddressBook | undefined,
  payers: string,
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
      ...(await deploymentFindings(client, book, addressesIn(payers))),
      ...(areNamed ? [] : [unnamedPayers]),
    );
  }
  show('Contracts', lines);
}

async function examineClocks(url: string, isUp: boolean, exchange: string): Promise<void> {
  const now = () => Date.now() / 1000;
  const ofChain = async (): Promise<Line> => {
    if (!isUp) return notLooked('clock.chain', 'the node');
    const { timestamp } = await newestBlock(connectChain(url, false));
    return chainClockFinding(now(), timestamp);
  };
  show('Clocks', [
    await ofChain().catch(() => notLooked('clock.chain', 'the node')),
    exchange === 'off' ? notLooked('clock.exchange', 'an exchange') : await exchangeClockFinding(exchange, now),
  ]);
}

/** Undefined if the record is malformed, which is said where the record is looked at. */
function read(chainId: number, deployments: string, factory: Address | undefined): AddressBook | undefined {
  try {
    return withAccountFactory(bookOf(chainId, deployments), factory);
  } catch (error) {
    const found = (error as Error).message.split('\n')[0] ?? '';
    const remedy = 'Set DEPLOYMENTS_DIR (or --deployments) to the folder of a whole record.';
    show('Contracts', [{ check: 'record', ok: false, found, without: 'Nothing runs.', remedy }]);
    return undefined;
  }
}

function notLooked(check: string, needed: string): Line {
  return { check, unchecked: `Not looked at: it needs ${needed}.` };
}

function show(title: string, lines: readonly Line[]): void {
  if (lines.length === 0) return;
  wrong.push(...lines.filter(isWrong));
  unchecked += lines.filter((line) => 'unchecked' in line).length;
  process.stdout.write(`${title}\n${linesOf(lines, width)}\n\n`);
}

function conclude(): boolean {
  const open = unchecked === 0 ? '' : ` ${unchecked} ${unchecked === 1 ? 'was' : 'were'} not looked at.`;
  if (wrong.length === 0) {
    process.stdout.write(`Nothing is wrong.${open}\n`);
    return true;
  }
  const count = `${wrong.length} ${wrong.length === 1 ? 'line is' : 'lines are'} wrong.${open}`;
  process.stdout.write(`${count} What will not work, and what to do:\n\n${remediesOf(wrong)}\n`);
  return false;
}

function readOptions() {
  const host = hostOf();
  const { setting } = host;
  const options = onlyOptions('npx bowline check', {
    rpc: '',
    chain: host.chain,
    deployments: host.deployments,
    exchange: setting('MARKET_DATA_URL'),
    pyth: setting('PYTH_URL'),
    payers: '',
    'rpc-port': '8545',
    'market-port': '4030',
    'bundler-port': '4337',
    'agent-port': setting('PORT') || '4020',
    'web-port': setting('WEB_PORT') || '3000',
  });
  const port = (name: 'rpc' | 'market' | 'bundler' | 'agent' | 'web') =>
    portNumber(`--${name}-port`, options[`${name}-port`]);
  const rpcUrls = options.rpc
    ? options.rpc.split(',').map((url) => url.trim())
    : host.rpcUrls(`http://127.0.0.1:${port('rpc')}`);
  if (!rpcUrls.every((url) => URL.canParse(url))) throw new Error('RPC_URL is not a URL.');
  const { evidence, deliverables, payments } = dataPlaces(host.data, root);
  return {
    ...options,
    rpcUrls,
    accountFactory: host.accountFactory,
    ports: {
      ...(!isPackaged && { chain: port('rpc'), exchange: port('market'), bundler: port('bundler') }),
      agent: port('agent'),
      page: port('web'),
    },
    folders: [evidence, deliverables, payments, ...(isPackaged ? [] : [new URL('.cache/', root)])],
  };
}
