import { readAddressBook } from '@bowline/http/address-book';
import { readEnvFile } from '@bowline/http/environment';
import { createPublicClient, http } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { hostOf } from './host.ts';
import { answersLedger } from './ledger/answers.ts';
import { readDeliveries } from './ledger/deliveries.ts';
import { sellersOf, tillOf } from './ledger/parties.ts';
import { salesLedger } from './ledger/sales.ts';
import { firstLine, type Section } from './ledger/section.ts';
import { onlyOptions } from './options.ts';

// `npx bowline ledger`: recomputes from the chain alone who has paid the agent, for answers (x402, B402) and for jobs (ERC-8183), and
// compares that with the answers and deliveries in its files. Node, record and data folder are those of the agent's settings, unless
// options name others. Exits with 1 if they differ, and if anything could not be read. Signs nothing, and needs no running agent.

const root = new URL('../', import.meta.url);

try {
  const host = hostOf();
  const options = onlyOptions('npx bowline ledger', {
    agent: host.agentUrl,
    payee: '',
    seller: '',
    data: host.data,
    deployments: host.deployments,
    rpc: '',
    from: '0',
    'jobs-from': '',
  });
  const environment = readEnvFile();
  const rpc = options.rpc || host.rpcUrls()[0];
  const client = createPublicClient({ transport: http(rpc), cacheTime: 0 });
  const from = blockOf('--from', options.from);
  // Answers are kept for a week, deliveries for ever.
  const jobsFrom = options['jobs-from'] === '' ? from : blockOf('--jobs-from', options['jobs-from']);
  const { payments, deliverables } = dataPlaces(options.data, root);
  const [chainId, newest] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  const book = orError(() => readAddressBook(chainId, new URL(`${options.deployments}/`, root)));

  const answers = async (): Promise<Section> => {
    const known = book instanceof Error ? undefined : book;
    const till = await tillOf(options.payee, options.agent, environment, chainId, known);
    const section = await answersLedger(client, till, { from, to: newest }, payments);
    return section ?? said(`The agent at ${options.agent} takes nothing for answers.`);
  };
  const sales = async (): Promise<Section> => {
    const sellers = sellersOf(options.seller, environment, chainId);
    if (sellers.length === 0 && readDeliveries(deliverables).length > 0)
      throw new Error('somebody has delivered: name who with --seller');
    if (sellers.length === 0) return said('Nobody sells: neither --seller nor SELLER_PRIVATE_KEY names an account.');
    if (book instanceof Error) throw book;
    if (book.escrow === undefined) return said('This chain has no escrow for jobs.');
    const question = { rpc, client, chainId, escrow: book.escrow, sellers, deliverables, from: jobsFrom };
    return salesLedger(question);
  };
  const sections = [await readable('payments for answers', answers), await readable('jobs', sales)];

  for (const { lines } of sections) for (const line of lines) say(line);
  const unread = sections.flatMap((section) => section.unread);
  for (const each of unread) say(`not read: ${each}`);
  const differences = sections.reduce((sum, section) => sum + section.differences, 0);
  if (differences > 0) say(`${differences} differences.`);
  if (unread.length > 0) say('What was not read proves nothing: try another node, or what is said above.');
  const isEqual = differences + unread.length === 0;
  if (isEqual) say('The chain and the answers are equal.');
  process.exitCode = isEqual ? 0 : 1;
} catch (error) {
  process.stderr.write(`${firstLine(error as Error)}\n`);
  process.exitCode = 1;
}

function blockOf(option: string, text: string): bigint {
  if (!/^\d+$/.test(text)) throw new Error(`${option} must be a block number.`);
  return BigInt(text);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function said(line: string): Section {
  return { lines: [line], differences: 0, unread: [] };
}

/** A section that cannot be read hides neither itself nor the other. */
async function readable(name: string, read: () => Promise<Section>): Promise<Section> {
  try {
    return await read();
  } catch (error) {
    return { lines: [], differences: 0, unread: [`${name} (${firstLine(error as Error)})`] };
  }
}

function orError<Value>(read: () => Value): Value | Error {
  try {
    return read();
  } catch (error) {
    return error as Error;
  }
}
