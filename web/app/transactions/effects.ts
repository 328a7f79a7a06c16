import {
  type Address,
  bytesToHex,
  type Hex,
  isHash,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';
import { thisMoment } from '../api/age.ts';
import type { ChainClient } from '../chain/client.ts';
import { isShownAlone } from '../chain/proof.ts';
import type { Step } from '../chain/step.ts';
import { type Failure, failureOf, walletRefusal } from '../words/contract-errors.ts';
import { type BatchWallet, canBeOne, isUndone, lookUpBatch } from './batch.ts';
import { lookUp, markOf, search } from './look-up.ts';
import type { Effect, Event } from './machine.ts';
import type { Transaction, Young } from './transaction.ts';

// The effects that the machine requests: asking the wallet, reading the chain. Each resolves to an event; none throws.

/** How long a step waits for fresh readings after the previous step. */
const READING_MS = 3_000;

export interface Surroundings {
  readonly chainId: number;
  readonly client: ChainClient;
  /** Asks the wallet to sign and send. */
  readonly send: (call: {
    readonly account: Address;
    readonly to: Address;
    readonly data: Hex;
    readonly value?: bigint;
  }) => Promise<Hex>;
  /** Runs several calls as one batch; absent for a page without that. */
  readonly batches?: BatchWallet;
  /**
   * Why an account's calls, run in sequence, would fail now; undefined if they would not.
   * @throws if the node cannot tell.
   */
  readonly tryAll: (owner: Address, calls: readonly Step[]) => Promise<Failure | undefined>;
  /** Refreshes the displayed data. */
  readonly readAnew: () => Promise<unknown>;
  /** Pauses between the checks of a done transaction for a reorg; none: it is final at once. */
  readonly lookAgainAfterMs?: readonly number[];
}

const wait = (ms: number) => new Promise<void>((resolve) => (ms === 0 ? resolve() : void setTimeout(resolve, ms)));
const stepOf = ({ steps, at }: Transaction) => steps[at] as Step;
const callIn = ({ to, data, value }: Step) => ({ to, data, ...(value !== undefined && { value }) });
const callOf = (tx: Transaction) => ({ account: tx.owner, ...callIn(stepOf(tx)) });

/** @param all every transaction of the page: an on-chain hash can belong to only one of them. */
export function performing(surroundings: Surroundings, all: () => readonly Transaction[]) {
  const { client, batches, readAnew, tryAll } = surroundings;
  /** Outer transaction (bundle) → the one call it confirmed. A bundle confirms at most one. */
  const within = new Map<Hex, string>();

  /** The next view needs fresh readings, but a reading that hangs must not block the next step. */
  const freshly = () => Promise.race([readAnew().catch(() => undefined), wait(READING_MS)]);

  return async (effect: Effect, tx: Transaction): Promise<Event | undefined> => {
    const { owner, steps } = tx;
    switch (effect.type) {
      case 'plan':
        return plan(surroundings, tx);
      case 'prepare':
        return prepare(client, tx);
      case 'mark':
        return { type: 'marked', at: tx.at, asked: await marked(client, tx) };
      case 'sign':
        return batches?.namesNoHash?.() ? signAll(tx, batches) : sign(surroundings, tx);
      case 'sign_all':
        return signAll(tx, batches);
      case 'look':
        await wait(effect.afterMs);
        return look(client, tx, all, within);
      case 'search': {
        if (tx.asked === undefined) return undefined;
        await wait(effect.afterMs);
        const isClaimed = (hash: Hex) => isOthers(all(), tx, hash);
        const found = await search(client, owner, stepOf(tx), tx.asked, isClaimed).catch(() => undefined);
        return { type: 'searched', found };
      }
      case 'look_all': {
        const { batch } = tx;
        if (batch === undefined || batches === undefined) return undefined;
        await wait(effect.afterMs);
        const since = tx.since ?? tx.asked?.since;
        const found = await lookUpBatch(client, batches, { owner, steps, since }, batch).catch(() => undefined);
        return { type: 'looked_all', batch, found };
      }
      case 'settle': {
        const { receipt } = effect;
        await freshly();
        // Repeats the call to learn why; it may succeed now if the state has changed.
        const isReverted = receipt.status === 'reverted';
        const cause = isReverted ? await client.call(callOf(tx)).then(() => undefined, failureOf) : undefined;
        return { type: 'settled', receipt, cause };
      }
      case 'settle_all': {
        await freshly();
        const { found } = effect;
        const cause = isUndone(found) ? await tryAll(owner, steps).catch(() => undefined) : undefined;
        return { type: 'settled_all', found, cause };
      }
      case 'close':
        await freshly();
        return { ...effect, type: 'closed' };
      case 'read_anew':
        await freshly();
        return undefined;
      case 'recheck':
        return tx.young && recheck(surroundings, tx.young);
    }
  };
}

const isOthers = (all: readonly Transaction[], { id }: Transaction, hash: Hex): boolean =>
  all.some((each) => each.id !== id && (each.hashes.includes(hash) || ('sent' in each && each.sent?.hash === hash)));

const marked = (client: ChainClient, { owner }: Transaction) => markOf(client, owner).catch(() => undefined);

/** Finds out whether the wallet can run the steps as one batch, and whether that would succeed. */
async function plan({ client, batches, tryAll }: Surroundings, { owner, steps }: Transaction): Promise<Event> {
  const since = (await canBeOne(batches, owner, steps))
    ? await client.getBlockNumber({ cacheTime: 0 }).catch(() => undefined)
    : undefined;
  // Without a known block, an earlier transaction could pass for this one.
  if (since === undefined) return { type: 'planned', failure: null };
  const failure = await tryAll(owner, steps).catch(() => null);
  // The page chooses the id, so that it can ask the wallet for the batch even after missing its answer to a reload.
  return { type: 'planned', failure, since, batch: bytesToHex(crypto.getRandomValues(new Uint8Array(32))) };
}

/** Simulates a step, and records the chain's state. */
async function prepare(client: ChainClient, tx: Transaction): Promise<Event> {
  const mark = marked(client, tx);
  const failure = await client.call(callOf(tx)).then(() => undefined, failureOf);
  return { type: 'prepared', failure, asked: failure ? undefined : await mark };
}

async function sign({ send }: Surroundings, tx: Transaction): Promise<Event> {
  try {
    const hash = await send(callOf(tx));
    return isHash(hash) ? { type: 'signed', hash } : { type: 'silent' };
  } catch (error) {
    return refusedBy(error);
  }
}

async function signAll({ owner, steps, batch }: Transaction, wallet: BatchWallet | undefined): Promise<Event> {
  try {
    return { type: 'listed', batch: await wallet?.send(owner, steps.map(callIn), batch as Hex) };
  } catch (error) {
    return refusedBy(error);
  }
}

/** Any other error leaves open whether the wallet sent anything. */
function refusedBy(error: unknown): Event {
  const failure = walletRefusal(error);
  return failure ? { type: 'refused', failure } : { type: 'silent' };
}

async function look(
  client: ChainClient,
  tx: Transaction,
  all: () => readonly Transaction[],
  within: Map<Hex, string>,
): Promise<Event | undefined> {
  if (!('sent' in tx) || tx.sent === undefined) return undefined;
  const { id, owner, sent, asked, watch } = tx;
  const step = stepOf(tx);
  const isMadeBy = async (receipt: TransactionReceipt) => {
    const { blockNumber, transactionHash: hash } = receipt;
    const since = asked?.since;
    // The next lookup may know.
    if (watch?.isMarking) throw new Error('It is not known yet where the chain stood.');
    if (since === undefined || blockNumber <= since || !isShownAlone(step.proof, owner, receipt)) return false;
    const isOther = all().some((each) => each.id !== id && each.state === 'done' && each.hashes.includes(hash));
    if (!isOther && !within.has(hash)) within.set(hash, id);
    return within.get(hash) === id;
  };
  // For a done transaction that was reopened after a reorg, `asked` belongs to its last step.
  const known = watch?.later?.length ? undefined : asked;
  const isClaimed = (hash: Hex) => isOthers(all(), tx, hash);
  const found = await lookUp(client, owner, step, sent, { asked: known, isClaimed, isMadeBy }).catch(() => undefined);
  // A wallet may name a much older transaction that made the same call.
  const isOld =
    found?.found.state === 'mined' &&
    !step.isUntried &&
    !watch?.isLeft &&
    asked !== undefined &&
    found.found.receipt.blockNumber <= asked.since;
  return { type: 'looked', hash: sent.hash, look: isOld ? { ...found, found: { state: 'other' } } : found };
}

/** Checks, until the transaction's blocks are final, whether a reorg has replaced any of them. */
async function recheck({ client, lookAgainAfterMs = [] }: Surroundings, young: Young): Promise<Event> {
  const passed = Math.max(0, thisMoment().wall - young.since);
  const looks = lookAgainAfterMs.map((_, at) => lookAgainAfterMs.slice(0, at + 1).reduce((sum, ms) => sum + ms, 0));
  // The last check is made no matter how late the page was reloaded.
  const left = looks.filter((after, at) => after > passed || at === looks.length - 1);
  let reached = passed;
  for (const after of left) {
    await wait(Math.max(0, after - reached));
    reached = after;
    const gone = await Promise.all(young.transactions.map((each) => isGone(client, each)));
    if (gone.includes(true)) return { type: 'rechecked', young, gone: gone.indexOf(true) };
  }
  return { type: 'rechecked', young, gone: undefined };
}

/** Whether a reorg took the transaction back. A request that was not sent or not answered does not count. */
const isGone = (client: ChainClient, { transactionHash: hash, blockHash, status }: Young['transactions'][number]) =>
  client.getTransactionReceipt({ hash }).then(
    (now) => now.status !== status || now.blockHash !== blockHash,
    (error) => error instanceof TransactionReceiptNotFoundError,
  );
