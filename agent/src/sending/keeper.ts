import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log, Sender, Sent } from '@bowline/core/domain/ports';
import { type Address, largest } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { getAbiItem, isAddressEqual, type PrivateKeyAccount, toFunctionSelector } from 'viem';
import { entryPoint08Abi } from 'viem/account-abstraction';
import { swapExecutorAbi } from '../../../abis/index.ts';
import { asking, type ChainClient } from '../chain/chain-client.ts';
import { type GasBounds, keeperCalls, maxCallBytes, rescueCalls } from './calls.ts';
import { createSender } from './eoa/sender.ts';
import { createFirstThatPays } from './first-that-pays.ts';
import { createRoutedSender } from './routed-sender.ts';
import { type AllowedCall, createGasDay, maxOf } from './signing-policy.ts';
import { type Account, maxExecuteBytes, openAccount } from './wallet/account.ts';
import { connectBundler } from './wallet/bundler.ts';
import { connectEntryPoint } from './wallet/entry-point.ts';
import { carrierGas, maxGasOf } from './wallet/operation.ts';
import { createWalletSender, type WalletOptions } from './wallet/wallet-sender.ts';

export interface KeeperOptions {
  readonly client: ChainClient;
  readonly book: AddressBook;
  readonly account: PrivateKeyAccount;
  /**
   * Sends or carries rescues, in a queue of its own. If absent, or while it cannot pay, `account` does after its
   * pending work.
   */
  readonly rescuer?: PrivateKeyAccount | undefined;
  readonly chainId: number;
  readonly gasBounds: GasBounds;
  readonly bundlerUrl?: string | undefined;
  readonly log: Log;
  readonly clock: Clock;
}

/** The agent's way of acting on chain. */
export interface Keeper {
  readonly sender: Sender;
  /** Addresses whose BNB pays for gas, by role. */
  readonly payers: Readonly<Record<string, Address>>;
  /** Minimum wei for one call, by role, where less is useless: the rescuer's for a rescue. */
  readonly minGas: Readonly<Record<string, bigint>>;
}

const handleOps = toFunctionSelector(getAbiItem({ abi: entryPoint08Abi, name: 'handleOps' }));
const patience = { receiptSeconds: 30n, pollMs: 250 } as const;

/**
 * Follows the executor's on-chain operator: the key itself, or the ERC-4337 account that the key owns.
 * @throws an error with a one-line message if the operator is neither, or if the account cannot be deployed.
 */
export async function openKeeper(options: KeeperOptions): Promise<Keeper> {
  const { client, book, account, rescuer, chainId, gasBounds, log, clock } = options;
  const { swapExecutor: address } = book.own;
  const operator = await asking(() => client.readContract({ address, abi: swapExecutorAbi, functionName: 'operator' }));
  const calls = keeperCalls(book.own, gasBounds);
  const senderOf = (key: PrivateKeyAccount, allowed: readonly AllowedCall[]) =>
    createSender({ client, account: key, policy: { chainId, calls: allowed }, log, clock, ...patience });
  const payers = { keeper: account.address, ...(rescuer && { rescuer: rescuer.address }) };
  const rescues = rescueCalls(book.own, gasBounds);
  if (isAddressEqual(operator, account.address)) {
    const keeper = senderOf(account, calls);
    if (rescuer === undefined) return { sender: keeper, payers, minGas: {} };
    const rescuing = createFirstThatPays([senderOf(rescuer, rescues), keeper], log);
    // A guard that names its keeper accepts rescues from that address alone.
    const sender = createRoutedSender(keeper.address, ({ byAnybody }) => (byAnybody ? rescuing : keeper));
    return { sender, payers, minGas: minGasOf(rescues) };
  }
  const wallet = await asking(() => openAccount(client, account, book.accountAbstraction));
  if (!isAddressEqual(operator, wallet.address)) {
    throw new Error(
      `KEEPER_PRIVATE_KEY belongs to ${account.address}, whose wallet is ${wallet.address}, ` +
        `but SwapExecutor's operator is ${operator}.`,
    );
  }
  const { entryPoint } = book.accountAbstraction;
  const carried = [carrying(entryPoint, rescues)];
  const sender = await openWallet(options, wallet, calls, {
    carrier: senderOf(account, [carrying(entryPoint, calls)]),
    ...(rescuer && { urgentCarrier: senderOf(rescuer, carried) }),
  });
  return { sender, payers: { wallet: wallet.address, ...payers }, minGas: rescuer ? minGasOf(carried) : {} };
}

const minGasOf = (rescues: readonly AllowedCall[]) => ({ rescuer: largest(rescues.map(({ maxGas }) => maxGas)) });

async function openWallet(
  { client, book, chainId, bundlerUrl, log, clock }: KeeperOptions,
  account: Account,
  calls: readonly AllowedCall[],
  carriers: Pick<WalletOptions, 'carrier' | 'urgentCarrier'>,
): Promise<Sender> {
  const { entryPoint: address } = book.accountAbstraction;
  const policy = { account: account.address, creation: account.creation, calls: { chainId, calls } };
  const sender = createWalletSender({
    client,
    account,
    entryPoint: connectEntryPoint(client, address),
    policy,
    ...carriers,
    gasDay: createGasDay(clock),
    log,
    clock,
    isUrgent: ({ to }) => isAddressEqual(to, book.own.loanGuard),
    ...(bundlerUrl !== undefined && { bundler: connectBundler(bundlerUrl, address, log) }),
    bundlerSeconds: 10n,
    pollMs: patience.pollMs,
  });
  const until = clock() + createSeconds;
  while ((await asking(() => client.getCode({ address: account.address }))) === undefined) {
    const made = await sender.create();
    if (made.outcome === 'confirmed') log.info('wallet.created', { wallet: account.address, hash: made.hash });
    else if (!undecided.has(made.outcome) || clock() >= until) {
      const why = 'rule' in made ? `${made.outcome}: ${made.rule}` : made.outcome;
      const needs = made.outcome === 'not_allowed' ? ': both it and its carrier key need BNB' : '';
      throw new Error(`The wallet ${account.address} could not be deployed (${why})${needs}.`);
    }
    await sleep(patience.pollMs);
  }
  return sender;
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
