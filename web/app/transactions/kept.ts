import { type Address, isAddress, isHex } from 'viem';
import type { Proof } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import type { Kept } from '../storage.ts';
import { type Asked, isOpen, type Transaction, type Young } from './transaction.ts';

/** How many ended transactions of an account are kept, newest last. */
const MOST = 20;

const keyOf = (chainId: number, owner: Address) => `bowline.transactions.${chainId}.${owner.toLowerCase()}`;

/** Keeps an account's transactions for as long as this browser tab is open, so that a reload loses none. */
export function keep(storage: Kept | undefined, chainId: number, owner: Address, all: readonly Transaction[]): void {
  const ended = new Set(all.filter((tx) => !isOpen(tx)).slice(-MOST));
  // An open transaction keeps its place, before the ones that have ended since.
  const kept = all.filter((tx) => isOpen(tx) || ended.has(tx)).map(({ receipts: _, watch: __, ...tx }) => tx);
  storage?.setItem(keyOf(chainId, owner), JSON.stringify(kept, withText));
}

const withText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** The transactions stored before this page load. Entries that do not look like one are left out. */
export function kept(storage: Kept | undefined, chainId: number, owner: Address): Transaction[] {
  try {
    const found: unknown = JSON.parse(storage?.getItem(keyOf(chainId, owner)) ?? '[]');
    return Array.isArray(found) ? found.flatMap((each) => transactionOf(each, owner) ?? []) : [];
  } catch {
    return [];
  }
}

interface Found {
  readonly id: unknown;
  readonly steps: readonly Step[];
  readonly at: number;
  readonly hashes: readonly unknown[];
  readonly state: unknown;
  readonly asked?: { readonly first: unknown; readonly next: unknown; readonly since: unknown };
  readonly sent?: { readonly hash: unknown; readonly nonce?: unknown; readonly since?: unknown };
  readonly failure?: { readonly kind: unknown; readonly words: unknown };
  readonly batch?: unknown;
  readonly since?: unknown;
  readonly made?: unknown;
  readonly young?: { readonly since: unknown; readonly from: unknown; readonly transactions: unknown };
}

/** @throws if its shape is wrong: an unreadable amount must not count as none. */
function transactionOf(found: Found, owner: Address): Transaction | undefined {
  const { id, at, state, sent, failure } = found;
  const steps = found.steps.map(({ label, to, data, value, proof }) => ({
    ...{ label: String(label), to, data },
    ...(value !== undefined && { value: BigInt(value) }),
    ...(isProof(proof) && { proof }),
  }));
  const hashes = found.hashes.filter((hash) => isHex(hash));
  if (typeof id !== 'string' || steps[at] === undefined) return undefined;
  if (!steps.every(({ to, data }) => isAddress(to) && isHex(data))) return undefined;
  const batch = typeof found.batch === 'string' ? found.batch : undefined;
  const since = typeof found.since === 'string' ? BigInt(found.since) : undefined;
  const tx = {
    id,
    owner,
    place: undefined,
    steps,
    at,
    batch,
    since,
    hashes,
    receipts: [],
    asked: askedOf(found),
    young: youngOf(found),
  };
  if (state === 'done') return { ...tx, state };
  if (state === 'failed' && failure) {
    // The rest of a failure is shown as the user saw it then.
    const made = Array.isArray(found.made) ? found.made.filter((each) => typeof each === 'number') : [];
    return { ...tx, state, failure: { kind: failure.kind as never, words: String(failure.words) }, made };
  }
  // The wallet is asked for the batch by its id, even if its first answer went to a page that is gone.
  if (batch !== undefined) return { ...tx, state: 'unknown', sent: undefined, isUnheard: true };
  if (sent !== undefined && isHex(sent.hash)) {
    const nonce = typeof sent.nonce === 'number' ? sent.nonce : undefined;
    const since = typeof sent.since === 'string' ? BigInt(sent.since) : undefined;
    return { ...tx, state: 'pending', sent: { hash: sent.hash, nonce, since } };
  }
  // The wallet was asked, and its answer went to a page that is gone.
  return { ...tx, state: 'unknown', sent: undefined };
}

function askedOf({ asked }: Found): Asked | undefined {
  if (typeof asked?.first !== 'number' || typeof asked.next !== 'number' || typeof asked.since !== 'string') return;
  return { first: asked.first, next: asked.next, since: BigInt(asked.since) };
}

function youngOf({ young }: Found): Young | undefined {
  if (typeof young?.since !== 'number' || typeof young.from !== 'number') return undefined;
  const { since, from, transactions } = young;
  const isOne = (each: Partial<Young['transactions'][number]>) =>
    isHash(each.transactionHash) && isHash(each.blockHash);
  return Array.isArray(transactions) && transactions.every(isOne) ? { since, from, transactions } : undefined;
}

const isHash = (value: unknown) => isHex(value) && value.length === 66;

const isProof = (proof: Proof | undefined): proof is Proof =>
  proof !== undefined &&
  isAddress(proof.address) &&
  (proof.data === undefined ||
    (Array.isArray(proof.data) && proof.data.every((word) => word === null || isHex(word)))) &&
  proof.topics.every((topic) => topic === null || topic === 'owner' || isHex(topic));
