import type { ChainClient } from '@bowline/chain/chain-client';
import { isSilence, nodeFailure } from '@bowline/chain/errors';
import { Unready } from '@bowline/core/domain/readiness';
import type { Sender } from '@bowline/core/domain/sending';
import type { Clock } from '@bowline/core/domain/time';

export type RelayWatch = ReturnType<typeof createRelayWatch>;

/** Whether any relay answers, even if only that it does not know the method: many relays take only transactions. */
export async function isAnyAnswering(relays: readonly Pick<ChainClient, 'getChainId'>[]): Promise<boolean> {
  const answers = relays.map(async (relay) =>
    relay.getChainId().then(
      () => true,
      (error: unknown) => !isSilence(error) || nodeFailure(error) === 'limited',
    ),
  );
  return (await Promise.all(answers)).includes(true);
}

const hourSeconds = 3_600n;
/** Maximum number of calls that are cancelled within an hour. */
const maxCancelled = 2;

/**
 * Watches whether private relays include the calls that only they get. Nobody else can include those, and each
 * cancellation costs gas: a relay that accepts calls and includes none must not cost gas around the clock.
 * @param clock steady: it is never set back.
 * @param isAnswered asks whether any relay answers at all.
 */
export function createRelayWatch(clock: Clock, isAnswered: () => Promise<boolean>) {
  /** Times of the last cancellations since something was included, oldest first. */
  let cancelledAt: readonly bigint[] = [];
  const isSilent = (): boolean => cancelledAt.length === maxCancelled;
  /** A silent relay is tried again when the hour is over. */
  const isWaiting = (): boolean => isSilent() && cancelledAt.every((at) => clock() - at < hourSeconds);
  return {
    /** The same sender, which refuses calls as `not_allowed` by `relay_silent` while the relays are silent. */
    through: (sender: Sender): Sender => ({
      ...sender,
      async send(call) {
        if (isWaiting()) return { outcome: 'not_allowed', rule: 'relay_silent' };
        const sent = await sender.send(call);
        if (sent.outcome === 'confirmed' || sent.outcome === 'reverted') cancelledAt = [];
        if (sent.outcome === 'cancelled') cancelledAt = [...cancelledAt, clock()].slice(-maxCancelled);
        return sent;
      },
    }),
    look: {
      name: 'relays',
      look: async () => {
        if (!(await isAnswered())) throw new Unready('relay_silent', 'No relay in PRIVATE_SEND_URLS responds.');
        if (!isSilent()) return 'No relay outage has been seen.';
        const [first = clock()] = cancelledAt;
        throw new Unready(
          'relay_silent',
          `The relays in PRIVATE_SEND_URLS have included nothing for ${clock() - first} s: runs and deferrals wait.`,
        );
      },
    },
  };
}
