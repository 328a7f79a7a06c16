import { asking, type ChainClient } from '@bowline/chain/chain-client';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Look } from '@bowline/core/domain/readiness';
import { Refusal } from '@bowline/core/domain/refusal';
import { BowlineError } from '@bowline/core/domain/result';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Call, Sender, Sent } from '@bowline/core/domain/sending';
import { sleep } from '@bowline/core/domain/sleep';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { type Address, bnb, largest, utcDay } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { getAbiItem, type LocalAccount, type Transport, toFunctionSelector } from 'viem';
import { entryPoint09Abi } from 'viem/account-abstraction';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { type GasBounds, isRunCall, keeperCalls, maxCallBytes, rescueCalls, rescueGasOf } from './calls.ts';
import { type Broadcast, createSender } from './eoa/sender.ts';
import { createKeyPool, type KeyPool } from './key-pool.ts';
import { maxOpenNonces } from './nonce-cursor.ts';
import type { NonceQueue } from './nonce-queue.ts';
import { type AllowedCall, createGasDay, maxOf } from './signing-policy.ts';
import { type Account, carrierGas, maxExecuteBytes, maxGasOf, openAccount } from './wallet/account.ts';
import { connectBundlers } from './wallet/bundler.ts';
import { connectEntryPoint } from './wallet/entry-point.ts';
import { createWalletSender, type WalletSender } from './wallet/sender.ts';

export interface KeeperOptions {
  readonly client: ChainClient;
  readonly book: AddressBook;
  /** Operates the executor: by itself, or as the owner of an ERC-4337 account. Absent: only rescues are made. */
  readonly account?: LocalAccount | undefined;
  /** Send and carry rescues. If there are none, or while none of them can pay, `account` does. */
  readonly rescuers: readonly LocalAccount[];
  /**
   * Other processes own the same ERC-4337 account. Then `account` signs operations but no transactions, because all of
   * them would share its nonces. The last of `rescuers` carries operations, with its own nonce keys of the account.
   */
  readonly isShared?: boolean;
  readonly chainId: number;
  readonly gasBounds: GasBounds;
  /** Without any, our own keys carry the wallet's operations. */
  readonly bundlerUrls?: readonly (string | Transport)[];
  readonly broadcast: Broadcast;
  readonly heads: Heads;
  readonly log: Log;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Who may act, on which contracts. */
export type Acting = Pick<
  KeeperOptions,
  'client' | 'book' | 'account' | 'rescuers' | 'isShared' | 'chainId' | 'gasBounds'
>;

/** The agent's way of acting on chain. */
export type Keeper = Awaited<ReturnType<typeof openKeeper>>;

const handleOps = toFunctionSelector(getAbiItem({ abi: entryPoint09Abi, name: 'handleOps' }));
/** Settings of every key. */
export const patience = {
  receiptSeconds: 30n,
  maxOpen: maxOpenNonces,
  maxAgeMs: 8_000,
  idleMs: 300_000,
  lookMs: 1_000,
} as const;
/** On stop, waits this long for what the next blocks will include anyway. */
const stopMs = 3_000;

/** Who acts: the executor's on-chain operator, or a rescue key if no key could be the operator. */
export interface Actor {
  readonly address: Address;
  readonly isOperator: boolean;
  /** The key's ERC-4337 account, if that is the operator. */
  readonly wallet?: Account;
}

/**
 * Follows the executor's on-chain operator: the key itself, or the ERC-4337 account that the key owns.
 * @throws Refusal if the operator is neither.
 */
export async function actorOf({ client, book, account, rescuers, isShared }: Acting): Promise<Actor> {
  if (account === undefined) {
    const [first] = rescuers;
    if (first === undefined) throw new Error('No key is configured to send transactions.');
    return { address: first.address, isOperator: false };
  }
  const { swapExecutor: address } = book.own;
  const operator = await asking(() => client.readContract({ address, abi: swapExecutorAbi, functionName: 'operator' }));
  if (sameAddress(operator, account.address)) return { address: account.address, isOperator: true };
  const wallet = await asking(() => openAccount(client, account, book.accountAbstraction));
  if (!sameAddress(operator, wallet.address)) {
    throw new Refusal(
      'keeper_not_operator',
      `KEEPER_PRIVATE_KEY belongs to ${account.address}, whose wallet is ${wallet.address}, ` +
        `but SwapExecutor's operator is ${operator}.`,
      'Set KEEPER_PRIVATE_KEY to the key of the operator or of the owner of its wallet, or to off to make only rescues.',
    );
  }
  if (isShared) await checkCreated(client, wallet);
  return { address: wallet.address, isOperator: true, wallet };
}

interface Payers {
  /** Addresses whose BNB pays for gas, by role. */
  readonly payers: Readonly<Record<string, Address>>;
  /** Minimum gas that a role's balance must pay for, where less is useless: a rescuer's for one rescue. */
  readonly minGas: Readonly<Record<string, bigint>>;
}

/** The accounts that pay for gas, and the least that a rescue key needs. */
export function payersOf({ account, rescuers, isShared, book }: Acting, { wallet }: Actor): Payers {
  const names = rescuers.map((_, at) => `rescuer${at === 0 ? '' : at + 1}`);
  return {
    payers: {
      ...(wallet && { wallet: wallet.address }),
      // With a shared wallet, its owner's key sends nothing.
      ...(account && !(wallet && isShared) && { keeper: account.address }),
      ...Object.fromEntries(rescuers.map(({ address }, at) => [names[at], address])),
    },
    minGas: Object.fromEntries(names.map((name) => [name, rescueGasOf(book.own)])),
  };
}

/**
 * Checks that each gas payer has BNB, and enough for one call at the node's gas price if that is known.
 * @param seen receives what was read.
 */
export function gasLooks(
  client: ChainClient,
  { payers, minGas }: Payers,
  seen: (payer: string, funds: { wei: bigint; gasPriceWei: bigint }) => void = () => {},
): Look[] {
  let price: Promise<bigint> | undefined;
  /** Looks that run at the same time share one read. */
  const gasPrice = () => {
    price ??= client.getGasPrice().finally(() => {
      price = undefined;
    });
    return price;
  };
  return Object.entries(payers).map(([name, address]) => ({
    name,
    look: async () => {
      const [wei, gasPriceWei] = await Promise.all([client.getBalance({ address }), gasPrice()]);
      seen(name, { wei, gasPriceWei });
      const minWei = (minGas[name] ?? 0n) * gasPriceWei;
      const holds = `${address} holds ${bnb(wei)}`;
      if (wei > 0n && wei >= minWei) return holds;
      const needs = minWei > 0n ? `: one call may take ${bnb(minWei)} of gas` : '';
      throw new BowlineError('balance_too_low', `${holds}, too little to pay for gas${needs}.`);
    },
  }));
}

/** @throws Refusal if the wallet cannot be deployed or is not the key's. */
export async function openKeeper(options: KeeperOptions) {
  const queues: NonceQueue[] = [];
  try {
    return await open({ ...options, client: sharing(options) }, queues);
  } catch (error) {
    // The next attempt opens its own queues.
    for (const queue of queues) queue.stop();
    throw error;
  }
}

/** @param queues receives every queue that is opened. */
async function open(options: KeeperOptions, queues: NonceQueue[]) {
  const { book, account, rescuers, isShared, chainId, gasBounds, timers } = options;
  const { entryPoint } = book.accountAbstraction;
  const actor = await actorOf(options);
  const { wallet } = actor;
  const calls = keeperCalls(book.own, gasBounds);
  const rescues = rescueCalls(book.own, gasBounds);
  const queueOf = (key: LocalAccount, allowed: readonly AllowedCall[]): NonceQueue => {
    const queue = createSender({ ...options, ...patience, account: key, policy: { chainId, calls: allowed } });
    queues.push(queue);
    return queue;
  };
  const rescuing = rescuers.map((key) => queueOf(key, [...rescues, carrying(entryPoint, isShared ? calls : rescues)]));
  const noted = notingGasDay(options);
  /** `own` sends what only the acting account may. A rescue that any account may make does not wait for that. */
  const keeperOf = (own: Pick<Sender, 'send'>, pool: KeyPool) => ({
    ...payersOf(options, actor),
    ...noted({
      address: actor.address,
      send: (call: Call) => (call.byAnybody ? pool : own).send(call),
      prepare: () => {
        for (const queue of queues) queue.prepare?.();
      },
    }),
    /** Whether `sender` operates the executor. Otherwise only rescues are made. */
    isOperator: actor.isOperator,
    /** Signed operations without a final outcome. */
    open: () => queues.flatMap((queue) => queue.open()),
    /** Whether somebody else sends with one of the keys. */
    isKeyShared: () => queues.some((queue) => queue.isShared()),
    /** False if no key could send a rescue recently. */
    canRescue: pool.canSend,
    /** Signs nothing more. Resolves within five seconds, when what was open is over or answered with `unknown`. */
    stop: () => stop(queues, timers),
  });

  if (wallet === undefined) {
    const keeper = account && queueOf(account, calls);
    const pool = createKeyPool(rescuing, keeper, options);
    // Without an operator, a guard that names its keeper accepts rescues only from the first rescue key.
    return keeperOf(keeper ?? rescuing[0] ?? pool, pool);
  }
  const owner = account && !isShared ? queueOf(account, [carrying(entryPoint, calls), ...rescues]) : undefined;
  // The last of several rescue keys: no rescue waits for a run then.
  const carrier = owner ?? rescuing.at(-1);
  if (carrier === undefined) throw new Error('No key is configured to submit operations.');
  const rescueKeys = isShared && rescuing.length > 1 ? rescuing.slice(0, -1) : rescuing;
  const pool = createKeyPool(rescueKeys, rescueKeys.includes(carrier) ? undefined : carrier, options);
  const through = newWallet(options, wallet, calls, createKeyPool([carrier], undefined, options), pool);
  queues.push(...through.queues);
  if (!isShared) await createOnce(options, wallet, through);
  return keeperOf(through, pool);
}

/** The same sender, which also notes whether the day's gas was enough for the last run. */
const notingGasDay =
  ({ book, clock }: KeeperOptions) =>
  (sender: Sender) => {
    let usedOn: bigint | undefined;
    const today = () => utcDay(clock());
    const note = (call: Call, sent: Sent) => {
      if (!isRunCall(call, book.own)) return;
      if (sent.outcome === 'not_allowed' && sent.rule === 'gas_day') usedOn = today();
      if (sent.outcome === 'confirmed') usedOn = undefined;
    };
    const send = async (call: Call) => {
      const sent = await sender.send(call);
      note(call, sent);
      return sent;
    };
    return {
      sender: { ...sender, send },
      /** Whether the last run of this UTC day was refused because the day's gas is used up. */
      isGasDayUsed: () => usedOn === today(),
    };
  };

/** Shares between all queues what each of them reads: one read per block. */
function sharing({ client, heads }: KeeperOptions): ChainClient {
  const once = <Answer>(read: () => Promise<Answer>) => {
    let block: bigint | undefined;
    let reading: Promise<Answer> | undefined;
    return () => {
      const newest = heads.newest()?.number;
      if (reading === undefined || newest === undefined || newest !== block) {
        block = newest;
        reading = read();
        reading.catch(() => {
          reading = undefined;
        });
      }
      return reading;
    };
  };
  return { ...client, getChainId: once(client.getChainId), getGasPrice: once(client.getGasPrice) };
}

async function stop(queues: readonly NonceQueue[], timers: Timers): Promise<void> {
  const until = timers.now() + stopMs;
  while (timers.now() < until && queues.some((queue) => queue.open().length > 0)) await sleep(timers, 50);
  for (const queue of queues) queue.stop();
}

function newWallet(
  options: KeeperOptions,
  account: Account,
  calls: readonly AllowedCall[],
  carriers: KeyPool,
  urgentCarriers: KeyPool,
): WalletSender {
  const { client, book, rescuers, isShared, chainId, bundlerUrls = [], log, clock } = options;
  const { entryPoint: address } = book.accountAbstraction;
  const [first] = rescuers;
  return createWalletSender({
    ...options,
    ...patience,
    account,
    entryPoint: connectEntryPoint(client, address),
    policy: { account: account.address, creation: account.creation, calls: { chainId, calls } },
    carriers,
    urgentCarriers,
    gasDay: createGasDay(clock),
    isUrgent: ({ to }) => sameAddress(to, book.own.loanGuard) || sameAddress(to, book.own.collateralGuard),
    ...(bundlerUrls.length > 0 && { bundler: connectBundlers(bundlerUrls, address, log) }),
    bundlerSeconds: 10n,
    ...(isShared && first && { firstKey: BigInt(first.address) << 8n }),
  });
}

/** Else several processes would deploy it at once, and all but one would sign transactions that can never be mined. */
async function checkCreated(client: ChainClient, { address }: Account): Promise<void> {
  if ((await asking(() => client.getCode({ address }))) !== undefined) return;
  const remedy = 'First start one agent without REDIS_URL, and wait until it is ready.';
  throw new Refusal('wallet_not_deployed', `The wallet ${address} is not deployed yet.`, remedy);
}

/** @param why outcome and rule of its first operation. */
export const notDeployed = (wallet: Address, why: string): Refusal =>
  new Refusal(
    'wallet_not_deployed',
    `The wallet ${wallet} could not be deployed (${why}).`,
    why.endsWith('gas_price')
      ? 'Raise MAX_GAS_PRICE_GWEI, or wait until gas is cheaper.'
      : `Send BNB to ${wallet} and to the key that submits its operations (RESCUE_PRIVATE_KEYS, KEEPER_PRIVATE_KEY).`,
  );

/** Deploys the wallet if nothing is at its address. */
async function createOnce(options: KeeperOptions, { address }: Account, sender: WalletSender): Promise<void> {
  const { client, log, clock, timers } = options;
  const until = clock() + createSeconds;
  while ((await asking(() => client.getCode({ address }))) === undefined) {
    const made = await sender.create();
    if (made.outcome === 'confirmed') log.info('wallet.created', { wallet: address, hash: made.hash });
    else if (!undecided.has(made.outcome) || clock() >= until) {
      throw notDeployed(address, 'rule' in made ? `${made.outcome}: ${made.rule}` : made.outcome);
    }
    await sleep(timers, 250);
  }
}

/**
 * Time for the wallet's first operation despite lost responses: long enough to detect and cancel a stuck transaction of
 * an earlier start.
 */
const createSeconds = 180n;
/** The node failed: nothing was sent, or it may still be mined. */
const undecided: ReadonlySet<Sent['outcome']> = new Set(['not_sent', 'cancelled', 'consumed', 'unknown']);

/** Allows the key to submit operations, each with one of those calls. */
export function carrying(entryPoint: Address, calls: readonly AllowedCall[]): AllowedCall {
  const { gasPriceWei, dayWei } = maxOf({ chainId: 0, calls });
  const callGas = largest(calls.map(({ maxGas }) => maxGas));
  return {
    to: entryPoint,
    selector: handleOps,
    maxGas: carrierGas(maxGasOf(callGas, maxExecuteBytes(maxCallBytes))),
    maxGasPriceWei: gasPriceWei,
    maxDayWei: dayWei,
  };
}
