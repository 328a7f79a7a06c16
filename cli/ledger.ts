import { localChainId } from '@bowline/core/domain/chains';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import type { Environment } from '@bowline/http/environment';
import { type Address, createPublicClient, http } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { placeOf, say } from './home.ts';
import { hostOf } from './host.ts';
import { answersLedger, type Terms } from './ledger/answers.ts';
import { jobsLedger, readDeliveries } from './ledger/jobs.ts';
import { firstLine, type Section } from './ledger/logs.ts';
import { accountsOf } from './sending/keys.ts';
import { addressOption, numberOption } from './values.ts';

/** The seller and payee of local chains. */
const localSeller: Address = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

/**
 * `npx bowline show payments`: compares buyers' on-chain payments for answers (x402, B402) and for jobs (ERC-8183) with
 * the payments and deliveries that the agent keeps. Node, record and data folder default to the agent's settings.
 * Unreadable parts count as wrong, too. Signs nothing, and needs no running agent.
 */
export async function ledger(options: Options<'show payments'>): Promise<ExitCode> {
  const from = numberOption('--from', options.from ?? '0', 0n);
  // Answers are kept for a week, deliveries forever.
  const jobsFrom = options['jobs-from'] === undefined ? from : numberOption('--jobs-from', options['jobs-from'], 0n);
  const host = hostOf();
  const { environment } = host;
  const { rpc = host.rpcUrls()[0] } = options;
  const client = createPublicClient({ transport: http(rpc), cacheTime: 0 });
  const { payments, deliverables } = dataPlaces(placeOf(`${options.data ?? host.data}/`));
  const [chainId, to] = await Promise.all([client.getChainId(), client.getBlockNumber()]);
  const book = () => readAddressBook(chainId, placeOf(`${options.deployments ?? host.deployments}/`));

  const answers = async (): Promise<Section> => {
    const payee = payeeOf(options.payee, environment, chainId);
    const terms = payee && termsOf(payee, environment, book());
    const section = await answersLedger(client, terms, { from, to }, payments);
    return section ?? said('Payments for answers not compared: no payee in --payee or PAY_TO, and none is recorded.');
  };
  const jobs = async (): Promise<Section> => {
    const sellers = sellersOf(options.seller, environment, chainId);
    if (sellers.length === 0 && readDeliveries(deliverables).length > 0)
      throw new Error('jobs were delivered: name the seller with --seller');
    if (sellers.length === 0) return said('No seller: neither --seller nor SELLER_PRIVATE_KEY names an account.');
    const { escrow } = book();
    if (escrow === undefined) return said('This chain has no escrow for jobs.');
    return jobsLedger({ rpc, client, chainId, escrow, sellers, deliverables, from: jobsFrom });
  };
  const sections = [await readable('payments for answers', answers), await readable('jobs', jobs)];

  for (const { lines } of sections) for (const line of lines) say(line);
  const unread = sections.flatMap((section) => section.unread);
  for (const each of unread) say(`not read: ${each}`);
  const differences = sections.reduce((sum, section) => sum + section.differences, 0);
  if (differences > 0) say(`${differences} differences.`);
  if (unread.length > 0) say('Unread parts are not verified: try another node, or follow the advice above.');
  const isEqual = differences + unread.length === 0;
  if (isEqual) say('The chain and the answers agree.');
  return isEqual ? exitCodes.done : exitCodes.wrong;
}

/** @throws one line if it is malformed. */
export function payeeOf(named: string | undefined, { PAY_TO }: Environment, chainId: number): Address | undefined {
  if (named !== undefined) return addressOption('--payee', named);
  if (PAY_TO?.trim()) return addressOption('PAY_TO', PAY_TO.trim());
  return chainId === localChainId ? localSeller : undefined;
}

/** The payment tokens that the agent accepts on this chain. */
export function termsOf(payee: Address, { PERMIT2_TOKENS: set }: Environment, { escrow, assets }: AddressBook): Terms {
  if (escrow === undefined) throw new Error('this chain has no known payment token');
  const symbols = (set?.trim() || 'USDT,USDC').split(',').map((word) => word.trim());
  const permitted = assets.filter(({ symbol }) => symbols.includes(symbol)).map(({ address }) => address);
  return { payee, token: escrow.token.address, permitted };
}

/**
 * The selling accounts: the named ones, otherwise that of SELLER_PRIVATE_KEY or the local chain's seller. May be empty.
 * @throws one line if a name or the key is malformed.
 */
export function sellersOf(named: string | undefined, environment: Environment, chainId: number): readonly Address[] {
  if (named !== undefined) return named.split(',').map((word) => addressOption('--seller', word.trim()));
  const account = accountsOf(['SELLER_PRIVATE_KEY'], environment, chainId)('SELLER_PRIVATE_KEY');
  return account === undefined ? [] : [account.address];
}

function said(line: string): Section {
  return { lines: [line], differences: 0, unread: [] };
}

/** If a section cannot be read, the report says so and still shows the other. */
async function readable(name: string, read: () => Promise<Section>): Promise<Section> {
  try {
    return await read();
  } catch (error) {
    return { lines: [], differences: 0, unread: [`${name} (${firstLine(error as Error)})`] };
  }
}
