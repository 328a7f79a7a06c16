import { existsSync, readdirSync } from 'node:fs';
import { connectChain } from '@bowline/chain/chain-client';
import type { Asking } from '@bowline/core/domain/asking';
import type { Log } from '@bowline/core/domain/log';
import type { Json } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import { DESK_QUOTE, readDeskOrder } from '../api/http/api.ts';
import type { Config } from '../config.ts';
import type { Ask } from '../payments/question.ts';
import type { DeskQuote } from '../seller/desk-quote.ts';
import type { Chain } from './chain.ts';
import type { Questions } from './questions.ts';
import { timers } from './time.ts';

/** Whether there are payments without an answer. */
export function hasKept({ payments }: Config): boolean {
  const folder = new URL('open/', payments);
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
}

/** The files of payments, and what proves the payments. Files that have had their time go. */
export async function openKept(config: Config, { client }: Chain, log: Log) {
  const [{ createPaymentProof }, { openPaymentStore, PRUNE_MS }] = await Promise.all([
    import('../payments/payment-proof.ts'),
    import('../payments/payment-store.ts'),
  ]);
  const store = await openPaymentStore(config.payments, (name, error) =>
    log.error('payment.unreadable', { file: name, error, remedy: 'Restore the file in open/, or move it away.' }),
  );
  const nodes = [...new Set(config.rpcUrls.map((url) => url.reveal()))].map((url) => connectChain(url));
  const proof = createPaymentProof(client, nodes, store.claim);
  // Nobody waits for it: there may be very many files.
  const prune = () =>
    void store
      .prune(Date.now())
      .catch((error: unknown) => log.warn('payment.not_pruned', { error }))
      .finally(() => timers.after(PRUNE_MS, prune));
  prune();
  return { store, proof };
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
