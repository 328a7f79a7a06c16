import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connectChain } from '@bowline/chain/chain-client';
import { checkChain } from '@bowline/chain/check-address-book';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { readEnvFile } from '@bowline/http/environment';
import { type Address, BaseError, isAddress, type LocalAccount } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { addressOption } from './address-option.ts';
import { hostOf } from './host.ts';
import { readLine } from './options.ts';
import { accountsOf, type KeyName } from './rotate/keys.ts';
import { rotateOperator } from './rotate/operator.ts';
import { rotateSeller } from './rotate/seller.ts';
import { prepareVerdictRotation, proveSigner } from './rotate/verdict.ts';
import { boundsIn } from './sending/bounds.ts';

// `npx bowline rotate operator|verdict|seller`: puts another key in the place of one of the agent's. Each reads from the chain how
// far the rotation is, so that it may be run again at any time. Exits with 0 when nothing is left to do, with 2 while somebody
// else has to act, with 1 if it cannot go on. docs/operations.md has the steps.

const root = new URL('../', import.meta.url);
const say = (line: string) => void process.stdout.write(`${line}\n`);

try {
  const host = hostOf();
  const { options, words } = readLine('npx bowline rotate operator|verdict|seller', {
    rpc: '',
    chain: '',
    deployments: host.deployments,
    account: 'wallet',
    from: '',
    to: '',
    out: '',
    data: host.data,
    jobs: 'deliver',
  });
  const client = connectChain(options.rpc || host.rpcUrls()[0]);
  // Keys come from the shell alone.
  const shell = { ...process.env };
  const bounds = boundsIn(readEnvFile(), options.chain);
  const { chainId } = bounds;
  await checkChain(client, chainId);
  const deployments = new URL(`${options.deployments}/`, root);
  const book = withAccountFactory(readAddressBook(chainId, deployments), host.accountFactory);
  const account = accountsOf(shell, chainId);
  const needed = (name: KeyName): LocalAccount => {
    const found = account(name);
    if (found === undefined) throw new Error(`${name} is missing, or ${name}_FILE.`);
    return found;
  };
  const chosen = <Name extends string>(option: string, text: string, names: readonly Name[]): Name => {
    const name = names.find((each) => each === text);
    if (name === undefined) throw new Error(`${option} must be ${names.join(' or ')}.`);
    return name;
  };

  const what = chosen('The first word', words.join(' '), ['operator', 'verdict', 'seller']);
  if (what === 'operator') {
    const isWallet = chosen('--account', options.account, ['wallet', 'key']) === 'wallet';
    const rotator = account('ROTATOR_PRIVATE_KEY');
    const next = needed('NEW_OPERATOR_PRIVATE_KEY');
    const awaited = await rotateOperator({ client, book, bounds, rotator, next, isWallet, say });
    if (awaited !== undefined) {
      say(`The rotator ${awaited.from} has to make this call. Then run this again.`);
      say(JSON.stringify({ ...awaited, value: '0' }, null, 2));
      process.exitCode = 2;
    }
  } else if (what === 'verdict') {
    await rotateVerdict(book);
  } else {
    const abandonsJobs = chosen('--jobs', options.jobs, ['deliver', 'abandon']) === 'abandon';
    const from = needed('SELLER_PRIVATE_KEY');
    const to = needed('NEW_SELLER_PRIVATE_KEY');
    const entry = entryIn(dataPlaces(options.data, root).registration, chainId);
    if (!(await rotateSeller({ client, book, bounds, from, to, entry, abandonsJobs, say }))) process.exitCode = 2;
  }

  async function rotateVerdict(ofChain: AddressBook): Promise<void> {
    const [from, to] = [addressOption('--from', options.from), addressOption('--to', options.to)];
    if (from === to) throw new Error('--from and --to are the same.');
    await proveSigner(account('VERDICT_PRIVATE_KEY'), to);
    const prepared = await prepareVerdictRotation(client, ofChain, chainId, from, to);
    const record = new URL(`${chainId}.json`, deployments);
    const { owners, unread } = prepared;
    const count = owners.reduce((sum, { edits }) => sum + edits.length, 0);
    if (unread > 0) say(`The node does not give ${unread} plans: some of them may name ${from}.`);
    if (count + unread === 0) {
      nameSigner(record, to);
      say(`No plan names ${from}: remove it from VERDICT_FORMER_PRIVATE_KEYS and restart the agent.`);
      return;
    }
    const out = new URL(options.out || `.cache/rotation-${chainId}.json`, root);
    mkdirSync(new URL('.', out), { recursive: true });
    writeFileSync(out, `${JSON.stringify(prepared, null, 2)}\n`);
    // After the last step that may fail: a record names no signer whose rotation has not begun.
    nameSigner(record, to);
    for (const { owner, edits } of owners) say(`${owner}: plans ${edits.map(({ plan }) => plan).join(', ')}`);
    say(`${count} plan(s) of ${owners.length} owner(s) name ${from}. The edits are in ${out.pathname}.`);
    say('Until the owners have sent them, keep both keys: the former in VERDICT_FORMER_PRIVATE_KEYS.');
    process.exitCode = 2;
  }
} catch (error) {
  // Of the node's client the first line alone: others quote the request and the address.
  const { message } = error as Error;
  process.stderr.write(`${error instanceof BaseError ? message.split('\n')[0] : message}\n`);
  process.exitCode = 1;
}

/** Adds a signer to those whose tickets are the deployment's own. The former ones stay: their tickets are in records. */
function nameSigner(file: URL, signer: Address): void {
  const record = JSON.parse(readFileSync(file, 'utf8')) as { verdictSigners?: Address[] };
  const named = record.verdictSigners ?? [];
  if (named.some((each) => each.toLowerCase() === signer.toLowerCase())) return;
  writeFileSync(file, `${JSON.stringify({ ...record, verdictSigners: [...named, signer] }, null, 2)}\n`);
  say(`The deployment record names ${signer} as a signer of verdicts.`);
}

/** The entry that `npx bowline register` has written down. */
function entryIn(file: URL, chainId: number) {
  if (!existsSync(file)) return undefined;
  const { agentId, agentRegistry } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const [, chain, registry] = agentRegistry?.split(':') ?? [];
  if (chain !== String(chainId) || registry === undefined || !isAddress(registry)) return undefined;
  return { registry, agentId: BigInt(agentId ?? '') };
}
