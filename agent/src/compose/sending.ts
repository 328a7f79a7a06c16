import { connectChain } from '@bowline/chain/chain-client';
import { untilAnswered } from '@bowline/chain/node-wait';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { steadyClock, timers } from '@bowline/http/clock';
import type { Config, Secret } from '../config.ts';
import { type Broadcast, createBroadcast, withPrivateRuns } from '../sending/eoa/sender.ts';
import { type Keeper, openKeeper } from '../sending/keeper.ts';
import { proveKeeper } from '../sending/prove-keeper.ts';
import { createRelayWatch, isAnyAnswering, type RelayWatch } from '../sending/relay-watch.ts';
import type { Chain } from './chain.ts';
import { keeperAccount, rescueAccounts } from './keys.ts';

/** Every transaction goes to all nodes; runs go only to private relays, if there are any. */
export function openBroadcast(config: Config, { own }: AddressBook, log: Log): Broadcast {
  const { rpcUrls, privateSendUrls } = config;
  const to = (urls: readonly Secret[]) =>
    createBroadcast(
      urls.map((url) => connectChain(url.reveal())),
      log,
    );
  if (privateSendUrls.length === 0) return to(rpcUrls);
  const everywhere = to([...rpcUrls, ...privateSendUrls]);
  return withPrivateRuns(everywhere, to(privateSendUrls), own.swapExecutor);
}

/** Absent: runs are sent publicly. */
export function openRelayWatch({ privateSendUrls }: Config): RelayWatch | undefined {
  if (privateSendUrls.length === 0) return undefined;
  const relays = privateSendUrls.map((url) => connectChain(url.reveal()));
  return createRelayWatch(steadyClock, () => isAnyAnswering(relays));
}

/** Signs and sends the loops' transactions with the keeper's key or through its ERC-4337 account. */
export async function openSending(config: Config, chain: Chain, heads: Heads, log: Log): Promise<Keeper> {
  const broadcast = openBroadcast(config, chain.book, log);
  const options = { ...actingOf(config, chain), broadcast, heads, log, timers, clock: steadyClock };
  const keeper = await untilAnswered({ log, timers }, () => openKeeper(options));
  if (!keeper.isOperator) log.warn('executor.off', { reason: 'no_operator_key' });
  return keeper;
}

/** The accounts that would act and pay. @throws what keeps the agent from starting. */
export const proveSending = (config: Config, chain: Chain) => proveKeeper(actingOf(config, chain));

const actingOf = (config: Config, { rescuing: client, book }: Chain) => ({
  ...{ client, book, account: keeperAccount(config), rescuers: rescueAccounts(config) },
  ...{ isShared: config.redisUrl !== undefined, chainId: config.chainId, gasBounds: config.gasBounds },
  bundlerUrls: config.bundlerUrls.map((url) => url.reveal()),
});
