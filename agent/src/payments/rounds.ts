import type { Log } from '@bowline/core/domain/log';
import type { Timers } from '@bowline/core/domain/time';
import type { Entries, Entry } from './entries.ts';
import { isDue, LOOK_MS } from './late-looks.ts';
import type { Taking } from './taking.ts';

/** Payments that are looked at each time: others have their turn later. */
const MAX_LOOKS = 100;
/** How often payments are loaded again that had to make room in memory. */
const RELOAD_MS = 86_400_000;

export interface RoundsParts {
  readonly taking: Pick<Taking, 'look'>;
  readonly entries: Entries;
  /** Does the work of a payment that was paid and has no answer, unless it is under way. */
  readonly recoverAnswer: (entry: Entry) => Promise<void>;
  readonly isStopping: () => boolean;
  readonly timers: Timers;
  readonly log: Log;
}

/** What the till does without being asked: it looks for payments without an outcome, and answers those that were paid. */
export function createRounds({ taking, entries, recoverAnswer, isStopping, timers, log }: RoundsParts) {
  let looks = 0;
  let reloadMs = timers.now() + RELOAD_MS;

  const answerPaid = async () => {
    for (const entry of entries.open()) if (entry.paid !== undefined) await recoverAnswer(entry);
  };

  /** Those that were not looked at for longest come first. */
  async function look(): Promise<void> {
    const unknown = entries
      .open()
      .filter(({ paid, lateLooks }) => paid === undefined && isDue(lateLooks, timers.now()));
    const due = unknown.toSorted((one, other) => (one.lookedAt ?? 0) - (other.lookedAt ?? 0));
    for (const entry of due.slice(0, MAX_LOOKS)) {
      if (isStopping()) return;
      looks += 1;
      entry.lookedAt = looks;
      const isPaid = await taking.look(entry).catch((error: unknown) => {
        log.error('payment.look_failed', { error });
        return false;
      });
      if (isPaid) await recoverAnswer(entry);
    }
  }

  async function round(): Promise<void> {
    if (timers.now() >= reloadMs) {
      reloadMs = timers.now() + RELOAD_MS;
      await entries.reload().catch((error: unknown) => log.error('payment.not_reloaded', { error }));
      await answerPaid();
    }
    await look();
  }

  function atIntervals(): void {
    timers.after(LOOK_MS, () => {
      if (!isStopping()) void round().finally(atIntervals);
    });
  }

  return {
    /** Answers what was paid, looks at once, and then at intervals. Resolves after the first look. */
    async begin(): Promise<void> {
      await answerPaid();
      await look();
      atIntervals();
    },
  };
}
