import type { Log } from '@bowline/core/domain/log';
import { Unready } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { LanguageModel } from './model.ts';

const MAX_FAILURES = 3;
const PAUSE_MS = 60_000;

/**
 * Pauses a language model while it is down, so that nobody waits for it or pays for its failures: for a minute after
 * three failures in a row. Then one round is let through, which ends the pause or starts another. Failures that concern
 * only one conversation do not count: otherwise a stranger could pause the model for everybody.
 * @param now milliseconds of a monotonic clock.
 */
export function watchModel(model: LanguageModel, { now, log }: { readonly now: () => number; readonly log: Log }) {
  let failures = 0;
  let pausedUntil = 0;
  const isDown = () => failures >= MAX_FAILURES;
  /** Whether it is paused now: the rules answer immediately. */
  const isPaused = () => isDown() && now() < pausedUntil;

  const failed = (error: unknown) => {
    const { cause } = error as { cause?: { status?: number; name?: string } };
    log.warn('model.failed', { status: cause?.status, kind: cause?.name });
    if (!(error instanceof BowlineError) || !error.retryable) return;
    failures += 1;
    if (failures === MAX_FAILURES) log.warn('model.down');
    if (isDown()) pausedUntil = now() + PAUSE_MS;
  };
  return {
    respond: (async (conversation, tools, signal) => {
      if (isPaused()) throw new BowlineError('model_unavailable', 'The language model is down.', { retryable: true });
      // While this round tries the model, the rules answer everyone else.
      if (isDown()) pausedUntil = now() + PAUSE_MS;
      try {
        const reply = await model.respond(conversation, tools, signal);
        if (isDown()) log.info('model.up');
        failures = 0;
        return reply;
      } catch (error) {
        failed(error);
        throw error;
      }
    }) satisfies LanguageModel['respond'],
    isPaused,
    look: {
      name: 'model',
      look: async () => {
        if (!isDown()) return 'No outage of the language model has been seen.';
        throw new Unready(
          'model_unavailable',
          `The language model has failed ${failures} times in a row: rules answer.`,
        );
      },
    },
  };
}
