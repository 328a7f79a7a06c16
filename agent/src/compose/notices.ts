import { createGuardFunds } from '@bowline/chain/guard-funds';
import { createRescueReader } from '@bowline/chain/rescue-reader';
import { isSignedByWallet } from '@bowline/chain/wallet-signature';
import type { Log } from '@bowline/core/domain/log';
import { clock, timers } from '@bowline/http/clock';
import type { Admit } from '@bowline/http/rate-limit';
import { createWebhooks } from '../api/http/webhooks.ts';
import type { Config } from '../config.ts';
import { startLoop } from '../loops/runner.ts';
import { isDeliverable } from '../notify/addresses.ts';
import { createDeliveries } from '../notify/deliveries.ts';
import { createNotices } from '../notify/notices.ts';
import { createPost } from '../notify/post.ts';
import { createRegister } from '../notify/register.ts';
import { openRegistrations } from '../notify/registrations.ts';
import { createResolve } from '../notify/resolve.ts';
import { createTelegram } from '../notify/telegram.ts';
import type { Chain } from './chain.ts';
import type { Readers } from './questions.ts';

/** Seconds between two looks for new chats with the bot. */
const CHATS_SECONDS = 5;

/**
 * Notifies owners through webhooks, and through the operator's bot if there is one. Undefined if the file of registrations
 * cannot be read: runs and rescues do not depend on it.
 */
export async function openNotices(config: Config, { client, book }: Chain, { plans, guards }: Readers, log: Log) {
  const { chainId } = config;
  const { assets } = book;
  const registrations = await openRegistrations(config.notices, clock).catch((error: unknown) => {
    const remedy = 'Repair or remove notices.json in DATA_DIR, then restart. Until then no notices are sent.';
    log.error('notices.off', { error, remedy });
  });
  if (registrations === undefined) return undefined;
  const isLocal = config.chain === 'local';
  const isAllowed = isDeliverable(isLocal);
  const post = createPost({ resolve: createResolve(), isAllowed });
  const { isCurrent } = registrations;
  const token = config.telegramToken?.reveal();
  const telegram = token === undefined ? undefined : createTelegram({ token, assets });
  const deliveries = createDeliveries({ post, telegram, isCurrent, clock, timers, random: Math.random, log });
  const funds = createGuardFunds(client, book);
  const told = { plans, guards, funds, rescues: createRescueReader(client, book.own), assets };
  const notices = createNotices({ ...told, registrations, deliveries, chainId, clock, timers, log });
  const register = createRegister({
    registrations,
    chainId,
    planRegistry: book.own.planRegistry,
    clock,
    // A resolver of its own, so that it does not queue behind the host names of deliveries.
    resolve: createResolve(),
    isAllowed,
    chatOf: telegram?.chatOf,
    allowLoopback: isLocal,
    isSignedByWallet: (...signed) => isSignedByWallet(client, ...signed),
    hasPermissions: async (owner) =>
      (await plans.newestPlans({ owner, count: 1 })).total > 0 || (await guards.guardsFor(owner, 1)).total > 0,
    onRegistered: (webhook) => notices.welcome(webhook),
  });
  return {
    notices,
    /** Serves registrations. */
    routes: (admit: Admit) => createWebhooks(register, admit),
    /** Starts the rounds that look at funds and rescues. The function that it returns stops them and the deliveries at once. */
    start: () => {
      const loop = startLoop(
        'notices',
        (stopping) => notices.round(stopping),
        config.executorIntervalSeconds,
        timers,
        log,
      );
      const chats = telegram && startLoop('telegram', telegram.round, CHATS_SECONDS, timers, log);
      return () => {
        // A round only reads: nothing is lost by leaving it.
        void loop.stop();
        void chats?.stop();
        const undelivered = deliveries.stop();
        if (undelivered > 0) log.warn('notices.undelivered', { undelivered });
      };
    },
  };
}
