import { existsSync, readdirSync } from 'node:fs';
import { connectChain } from '@bowline/chain/chain-client';
import type { Asking } from '@bowline/core/domain/asking';
import type { Log } from '@bowline/core/domain/log';
import type { Json } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import { callerHash } from '@bowline/http/caller';
import { DESK_QUOTE, readDeskOrder } from '../api/http/api.ts';
import type { Config } from '../config.ts';
import type { Ask } from '../payments/question.ts';
import { openPrivateFiles } from '../process/private-files.ts';
import type { DeskQuote } from '../seller/desk-quote.ts';
import type { Chain } from './chain.ts';
import type { Questions } from './questions.ts';
import { timers } from './time.ts';

/** Whether there are payments without an answer, or tasks that asked for one. */
export const hasKept = ({ payments, tasks }: Config): boolean =>
  [new URL('open/', payments), new URL('asked/', tasks)].some(
    (folder) => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json')),
  );

/** The files of payments and of A2A's tasks, and what proves the payments. Files that have had their time go. */
export async function openKept(config: Config, { client }: Chain, log: Log) {
  const [{ createPaymentProof }, { openPaymentStore, PRUNE_MS }, { keptTask, openTasks }] = await Promise.all([
    import('../payments/payment-proof.ts'),
    import('../payments/payment-store.ts'),
    import('../api/a2a/tasks.ts'),
  ]);
  const store = await openPaymentStore(config.payments, (name, error) =>
    log.error('payment.unreadable', { file: name, error, remedy: 'Restore the file in open/, or move it away.' }),
  );
  const nodes = [...new Set(config.rpcUrls.map((url) => url.reveal()))].map((url) => connectChain(url));
  const proof = createPaymentProof(client, nodes, store.claim);
  const files = await openPrivateFiles(new URL('asked/', config.tasks), keptTask, (file, error) =>
    log.error('task.unreadable', { file, error, remedy: 'Restore the file, or move it away.' }),
  );
  const tasks = await openTasks({ files, callerNow: callerHash, nowMs: Date.now, log });
  const isKnown = async (key: string) => (await store.find(key)) !== undefined;
  // Nobody waits for it: there may be very many files.
  const prune = () =>
    void store
      .prune(Date.now())
      .then(() => tasks.prune(isKnown))
      .catch((error: unknown) => log.warn('payment.not_pruned', { error }))
      .finally(() => timers.after(PRUNE_MS, prune));
  prune();
  return { store, proof, tasks };
}

/** Does what was paid for. */
export const workOf =
  (questions: Questions, deskQuote: DeskQuote | undefined, { book }: Chain) =>
  async (ask: Ask, asking?: Asking): Promise<Result<Json>> => {
    if ('prompt' in ask) return (await questions.answer(ask.prompt)) as Result<Json>;
    if (ask.tool !== DESK_QUOTE) return questions.call(ask.tool, ask.input, asking);
    const order = readDeskOrder(ask.input, book.assets);
    return order.ok && deskQuote ? ((await deskQuote(order.value)) as Result<Json>) : (order as Result<Json>);
  };
