import type { Timers } from '@bowline/core/domain/time';
import type { TicketAccount } from './ticket-signer.ts';

/** A failure that took this long was waited for. */
const slowMs = 1_000;
const restMs = 15_000;

/**
 * The same ticket key, left alone for 15 seconds after a timeout: until then it fails immediately with the same error. Plans
 * are judged one after another, and each that names the key would otherwise wait as long.
 */
export function resting(account: TicketAccount, { now }: Pick<Timers, 'now'>): TicketAccount {
  let failed: { readonly until: number; readonly error: unknown } | undefined;
  return {
    address: account.address,
    async signTypedData(ticket) {
      if (failed !== undefined && now() < failed.until) throw failed.error;
      const from = now();
      try {
        return await account.signTypedData(ticket);
      } catch (error) {
        if (now() - from >= slowMs) failed = { until: now() + restMs, error };
        throw error;
      }
    },
  };
}
