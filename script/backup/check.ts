import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { localChainId } from '@bowline/core/domain/chains';
import type { Payment } from '@bowline/core/domain/payment';
import { addressBookOf, othersAddresses } from '@bowline/core/registry/address-book';
import { isAddress, isAddressEqual, keccak256 } from 'viem';
import { readPayment } from '../../agent/src/payments/payment-check.ts';
import { keptSchema } from '../../agent/src/payments/payment-store.ts';
import { writePermit } from '../../agent/src/payments/permit2-check.ts';
import { hashManifest } from '../../agent/src/seller/offers.ts';
import { registries } from '../register/registries.ts';
import { LeftOut, type Place } from './place.ts';

// What of a backup is believed. Its hashes show damage; whoever forges one writes new hashes. So what can be computed again is,
// contracts must be known, and what only the chain can show is asked of the chain once more.

type Check = NonNullable<Place['check']>;

/** Whole, and of this chain. */
export function deploymentRecord(chainId: number): Check {
  return (rest, content) => {
    alone(rest, content, undefined);
    try {
      addressBookOf(chainId, { name: '', content: parsed(content) }, isAddress);
    } catch (cause) {
      throw new Error(`is no deployment record of chain ${chainId}`, { cause });
    }
  };
}

/** A place that is one file. */
export const alone: Check = (rest) => {
  if (rest !== '') throw new Error('stands where one file is');
};

/** Each evidence document is named by its hash. */
export const evidence: Check = (rest, content) => {
  const hash = keccak256(content);
  if (rest !== `/${hash.slice(2, 4)}/${hash}.json`) throw new Error('is not the document of that hash');
};

/** So is each deliverable; the seller's entry is one of the registry that this version knows. */
export function deliverable(chainId: number): Check {
  return (rest, content, record) => {
    if (rest === '/registration.json') {
      const { agentRegistry } = parsed(content) as { agentRegistry?: unknown };
      const registry = registries[chainId] ?? (record && (parsed(record) as { identity?: string }).identity);
      const own = `eip155:${chainId}:${registry}`.toLowerCase();
      if (typeof agentRegistry !== 'string' || agentRegistry.toLowerCase() !== own)
        throw new Error(`names another registry of agents than ${own}`);
      return;
    }
    const [, hash] = /^\/0x[0-9a-f]{64}-(0x[0-9a-f]{64})\.json$/.exec(rest) ?? [];
    if (hash === undefined || hashOf(content) !== hash) throw new Error('is not the deliverable of that hash');
  };
}

function hashOf(content: Buffer): string | undefined {
  try {
    return hashManifest(parsed(content) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

/** A payment's key, digest and file name follow from what its payer signed. */
export function payment(chainId: number): Check {
  return (rest, content, record) => {
    const { success, data } = keptSchema.safeParse(parsed(content));
    if (!success) throw new Error('is no payment');
    if (!isDeepStrictEqual(computed(data.payment, chainId, record), data.payment))
      throw new Error('has another key or digest than its authorization');
    if (rest !== `/${createHash('sha256').update(data.payment.key).digest('hex')}.json`)
      throw new Error('is not named by its payment');
  };
}

/** A payment that is called answered has an answer: without one, its `paid` would be believed, and worked for. */
export function answeredPayment(chainId: number): Check {
  return (rest, content, record) => {
    payment(chainId)(rest, content, record);
    if (keptSchema.parse(parsed(content)).answer === undefined) throw new Error('has no answer');
  };
}

/**
 * A payment without an answer comes back as unpaid and without a credit: the next start asks the chain for the proof, beginning with
 * the transactions that the file names, and then owes what it owed.
 * @param payTo what the agent is paid to; undefined if it takes no payments.
 * @throws LeftOut for a payment to another address: of a former PAY_TO, or forged.
 */
export function unproven(payTo: string | undefined): NonNullable<Place['restored']> {
  return (content) => {
    const { paid, credit: _, progress, ...rest } = keptSchema.parse(parsed(content));
    const { to } = rest.payment.authorization;
    if (payTo?.toLowerCase() !== to.toLowerCase()) throw new LeftOut(`pays ${to}, and PAY_TO is ${payTo ?? 'not set'}`);
    const transactions = [...new Set([...progress.transactions, ...(paid ? [paid.transaction] : [])])].slice(-3);
    const kept = { state: 'settling', ...rest, progress: { ...progress, transactions } };
    return Buffer.from(JSON.stringify(kept, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)));
  };
}

/** The payment that the authorization and the signature of a file make. */
function computed(kept: Payment, chainId: number, record: Buffer | undefined): Payment | undefined {
  const { method, asset, authorization, signature } = kept;
  const terms = {
    network: `eip155:${chainId}`,
    method,
    asset,
    payTo: authorization.to,
    amount: authorization.value,
  } as const;
  if (method !== 'eip3009') return readPayment(writePermit(kept), terms, { name: '', version: '' });
  const token = tokenOf(chainId, record);
  // Another token's domain is not known, so that its digest would prove nothing.
  if (token === undefined || !isAddressEqual(token.address, asset)) return undefined;
  const texts = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, `${value}`]));
  return readPayment({ authorization: texts, signature }, terms, { name: token.name, version: token.version });
}

/** The token that pays by its own signatures: a local chain's is in its record. */
function tokenOf(chainId: number, record: Buffer | undefined) {
  if (chainId !== localChainId) return othersAddresses(isAddress, chainId).escrow.token;
  if (record === undefined) return undefined;
  return addressBookOf(chainId, { name: 'The record', content: parsed(record) }, isAddress).escrow?.token;
}

/** The claim of a transfer, or of an Idempotency-Key: a payment's key. */
export function claim(chainId: number): Check {
  const key = new RegExp(`^eip155:${chainId}/0x[0-9a-f]{40}/0x[0-9a-f]{40}/0x[0-9a-f]{64}$`);
  return (rest, content) => {
    if (!/^\/[0-9a-f]{64}\.json$/.test(rest) || !key.test(content.toString())) throw new Error('names no payment');
    return content;
  };
}

/** A task is named by its ID, and its payments have files of their own, which are checked. */
export const task: Check = (rest, content) => named(rest, (parsed(content) as { id?: unknown }).id);

/** The receivers of a job's notifications. The agent posts to public addresses alone, whatever is in the file. */
export const receivers: Check = (rest, content) => {
  const { seller, taskId } = parsed(content) as { seller?: unknown; taskId?: unknown };
  named(rest, `${seller} ${taskId}`);
};

function named(rest: string, name: unknown): void {
  const hash = createHash('sha256').update(`${name}`).digest('hex');
  if (rest !== `/${hash}.json`) throw new Error('is not the file of that name');
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return {};
  }
}
