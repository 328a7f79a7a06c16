import { readAddressBook } from '@bowline/http/address-book';
import { createPublicClient, http } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { placeOf } from './home.ts';
import { hostOf } from './host.ts';
import { answersLedger } from './ledger/answers.ts';
import { readDeliveries } from './ledger/deliveries.ts';
import { sellersOf, tillOf } from './ledger/parties.ts';
import { salesLedger } from './ledger/sales.ts';
import { firstLine, type Section } from './ledger/section.ts';
import { numberOption } from './values.ts';

/**
 * `npx bowline show payments`: recomputes from the chain alone who has paid the agent, for answers (x402, B402) and for jobs (ERC-8183), and
 * compares that with the answers and deliveries in its files. Node, record and data folder are those of the agent's settings, unless
 * options name others. What could not be read is wrong, too. Signs nothing, and needs no running agent.
 */
export async function ledger(options: Options<'show payments'>): Promise<ExitCode> {
  const from = numberOption('--from', options.from ?? '0', 0n);
  // Answers are kept for a week, deliveries for ever.
  const jobsFrom = options['jobs-from'] === undefined ? from : numberOption('--jobs-from', options['jobs-from'], 0n);
  const host = hostOf();
  const { environment } = host;
  const { rpc = host.rpcUrls()[0], agent = host.agentUrl } = options;
  const client = createPublicClient({ transport: http(rpc), cacheTime: 0 });
  const { payments, deliverables } = dataPlaces(placeOf(`${options.data ?? host.data}/`));
  const [chainId, newest] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  const deployments = placeOf(`${options.deployments ?? host.deployments}/`);
  const book = orError(() => readAddressBook(chainId, deployments));

  const answers = async (): Promise<Section> => {
    const known = book instanceof Error ? undefined : book;
    const till = await tillOf(options.payee, agent, environment, chainId, known);
    const section = await answersLedger(client, till, { from, to: newest }, payments);
    return section ?? said(`The agent at ${agent} takes nothing for answers.`);
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
  return isEqual ? exitCodes.done : exitCodes.wrong;
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
