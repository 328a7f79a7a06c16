import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sameAddress } from '@bowline/core/domain/same-address';

import { withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import { type Address, isAddress } from 'viem';
import { dataPlaces } from '../agent/src/process/data-places.ts';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { placeOf, say } from './home.ts';
import { hostOf } from './host.ts';
import { recordAt, recordPath } from './record.ts';
import { rotateOperator } from './rotate/operator.ts';
import { rotateSeller } from './rotate/seller.ts';
import { prepareVerdictRotation, proveSigner } from './rotate/verdict.ts';
import { openSending } from './sending/bounds.ts';
import { accountsOf, neededOf } from './sending/keys.ts';
import { addressOption, oneOf } from './values.ts';

export const keyNames = [
  /** Without it the command prints the call for the rotator to make. */
  'ROTATOR_PRIVATE_KEY',
  /** Key of the next operator's account, or of the owner of the wallet that becomes operator. */
  'NEW_OPERATOR_PRIVATE_KEY',
  /** The seller that is replaced. */
  'SELLER_PRIVATE_KEY',
  'NEW_SELLER_PRIVATE_KEY',
  /** The next verdict signer, as set for the agent. */
  'VERDICT_PRIVATE_KEY',
] as const;

type Rotation = Awaited<ReturnType<typeof openRotation>>;

/**
 * `npx bowline rotate operator|verdict|seller`: replaces one of the agent's keys. Reads the progress from the chain: it
 * may be run again at any time. docs/operations.md has the steps.
 */
export async function rotate(options: Options<'rotate'>, [key = '']: readonly string[]): Promise<ExitCode> {
  const what = oneOf('The first word', key, ['operator', 'verdict', 'seller']);
  const rotation = await openRotation(options);
  if (what === 'operator') return ofOperator(rotation, options);
  return what === 'verdict' ? ofVerdict(rotation, options) : ofSeller(rotation, options);
}

async function openRotation(options: Options<'rotate'>) {
  const host = hostOf();
  const { client, bounds } = await openSending(host, options);
  const { deployments = host.deployments, data = host.data } = options;
  const book = withAccountFactory(readAddressBook(bounds.chainId, placeOf(`${deployments}/`)), host.accountFactory);
  // Keys are read only from the shell.
  const account = accountsOf(keyNames, process.env, bounds.chainId);
  return { client, bounds, book, deployments, data, account };
}

async function ofOperator({ account, ...rotation }: Rotation, options: Options<'rotate'>): Promise<ExitCode> {
  const isWallet = oneOf('--account', options.account ?? 'wallet', ['wallet', 'key']) === 'wallet';
  const next = neededOf(account, 'NEW_OPERATOR_PRIVATE_KEY');
  const awaited = await rotateOperator({ ...rotation, rotator: account('ROTATOR_PRIVATE_KEY'), next, isWallet, say });
  if (awaited === undefined) return exitCodes.done;
  say(`The rotator ${awaited.from} has to make this call. Then run this again.`);
  say(JSON.stringify({ ...awaited, value: '0' }, null, 2));
  return exitCodes.waiting;
}

async function ofSeller({ account, data, ...rotation }: Rotation, options: Options<'rotate'>): Promise<ExitCode> {
  const abandonsJobs = oneOf('--jobs', options.jobs ?? 'deliver', ['deliver', 'abandon']) === 'abandon';
  const from = neededOf(account, 'SELLER_PRIVATE_KEY');
  const to = neededOf(account, 'NEW_SELLER_PRIVATE_KEY');
  const entry = entryIn(dataPlaces(placeOf(`${data}/`)).registration, rotation.bounds.chainId);
  const isDone = await rotateSeller({ ...rotation, from, to, entry, abandonsJobs, say });
  return isDone ? exitCodes.done : exitCodes.waiting;
}

async function ofVerdict(rotation: Rotation, { out, ...options }: Options<'rotate'>): Promise<ExitCode> {
  const { client, book, deployments, account } = rotation;
  const { chainId } = rotation.bounds;
  const [from, to] = [addressOption('--from', options.from ?? ''), addressOption('--to', options.to ?? '')];
  if (from === to) throw new UsageError('--from and --to are the same.');
  await proveSigner(account('VERDICT_PRIVATE_KEY'), to);
  const prepared = await prepareVerdictRotation(client, book, chainId, from, to);
  const record = recordPath(chainId, deployments);
  const { owners, unread } = prepared;
  const count = owners.reduce((sum, { edits, refused }) => sum + edits.length + refused.length, 0);
  if (unread > 0) say(`The node does not give ${unread} plans: some of them may name ${from}.`);
  if (count + unread === 0) {
    nameSigner(record, to);
    say(`No plan names ${from}: remove its key from VERDICT_PRIVATE_KEY and restart the agent.`);
    return exitCodes.done;
  }
  const file = placeOf(out ?? `.cache/rotation-${chainId}.json`);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(prepared, null, 2)}\n`);
  // After the last step that may fail, so that the record names no signer whose rotation has not begun.
  nameSigner(record, to);
  for (const { owner, edits, refused } of owners) {
    if (edits.length > 0) say(`${owner}: plans ${edits.map(({ plan }) => plan).join(', ')}`);
    for (const { plan, reason } of refused)
      say(`${owner}: plan ${plan} is left out, because its edit would revert with ${reason}: see docs/owners.md.`);
  }
  say(`${count} plan(s) of ${owners.length} owner(s) name ${from}. The edits are in ${file.pathname}.`);
  say('Until the owners have sent them, keep both keys in VERDICT_PRIVATE_KEY, the new one first.');
  return exitCodes.waiting;
}

/** Adds a signer to those whose tickets count as the deployment's own. Former ones stay: records hold their tickets. */
function nameSigner(path: string, signer: Address): void {
  const record = recordAt(path, '--deployments');
  const named = record.verdictSigners ?? [];
  if (named.some((each) => sameAddress(each, signer))) return;
  writeFileSync(placeOf(path), `${JSON.stringify({ ...record, verdictSigners: [...named, signer] }, null, 2)}\n`);
  say(`The deployment record names ${signer} as a signer of verdicts.`);
}

/** The entry that `npx bowline register` saved. */
function entryIn(file: URL, chainId: number) {
  if (!existsSync(file)) return undefined;
  const { agentId, agentRegistry } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const [, chain, registry] = agentRegistry?.split(':') ?? [];
  if (chain !== String(chainId) || registry === undefined || !isAddress(registry)) return undefined;
  return { registry, agentId: BigInt(agentId ?? '') };
}
