import type { Log } from '@bowline/core/domain/log';
import type { Config } from '../config.ts';
import { owedRail, refusingNew } from '../payments/closed.ts';
import type { Till } from '../payments/till.ts';
import type { DeskQuote } from '../seller/desk-quote.ts';
import type { Chain } from './chain.ts';
import { hasKept, openKept, workOf } from './kept-payments.ts';
import { creditAccount } from './keys.ts';
import type { Questions } from './questions.ts';
import { clock, timers } from './time.ts';

interface OwedDeps {
  readonly questions: Questions;
  readonly deskQuote: DeskQuote | undefined;
  readonly log: Log;
}

/** What was paid before answers became free. */
export interface Owed {
  readonly till: Pick<Till, 'drain' | 'recover'>;
}

/**
 * Where answers are free: looks for the outcome of payments that were begun before, answers those that paid. Takes
 * nothing and asks no facilitator. Undefined, and not even loaded, if no file waits for it. If it fails, answers are free all the same.
 */
export async function openOwed(config: Config, chain: Chain, deps: OwedDeps): Promise<Owed | undefined> {
  try {
    return config.isDry || !hasKept(config) ? undefined : await open(config, chain, deps);
  } catch (error) {
    const remedy = 'Correct the cause and restart: payments of before the price was 0 wait. All else goes on.';
    deps.log.error('payments.off', { error, remedy });
    return undefined;
  }
}

async function open(config: Config, chain: Chain, { questions, deskQuote, log }: OwedDeps): Promise<Owed> {
  const [{ createSettlements, settlementTimes }, { openEntries }, { createTill }, { createCredits }] =
    await Promise.all([
      import('../payments/settlement.ts'),
      import('../payments/entries.ts'),
      import('../payments/till.ts'),
      import('../payments/credit.ts'),
    ]);
  const { store, proof } = await openKept(config, chain, log);
  const rail = owedRail(createSettlements({ submit: refusingNew, proof, clock, ...settlementTimes, log }));
  const entries = await openEntries(store, (kept) => rail.resume(kept.payment, kept.progress));
  const { verdictPrivateKey } = config;
  const signCredit =
    verdictPrivateKey === undefined
      ? refusingNew
      : createCredits(creditAccount(verdictPrivateKey, config), config.chainId, clock);
  const till = createTill({ rail, entries, work: workOf(questions, deskQuote, chain), signCredit, timers, log });
  return { till };
}
