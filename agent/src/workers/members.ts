import type { Log } from '@bowline/core/domain/log';
import type { Guard } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { z } from 'zod';

const address = z.string().regex(/^0x[0-9a-f]{40}$/);

/** What a worker says about itself; addresses in lower case. */
const member = z.strictObject({
  /** Address of its first rescue key. */
  id: address,
  /** One process, in random hex. */
  instance: z.string().regex(/^[0-9a-f]{16}$/),
  /** The account it calls from: only such workers serve guards that name it. */
  keeper: address,
  /** Whether it makes runs. */
  runs: z.boolean(),
  /** Whether it has read loans lately. */
  reads: z.boolean(),
});
export type Member = z.infer<typeof member>;

/** Whether the worker rescues by this guard at all. */
export const serves = ({ keeper }: Pick<Member, 'keeper'>, guard: Guard): boolean =>
  guard.keeper === undefined || sameAddress(guard.keeper, keeper);

/** Milliseconds between two beats. */
const beatMs = 1_000;
/** A worker that was not seen for this long, while Redis answered, is gone. */
export const goneMs = 5_000;
/** The entry of this key's previous process may stay in Redis for some seconds. */
const sharedMs = 3 * goneMs;
/** Maximum number of other workers. More are left out: at worst their work is done twice, and refused by the contracts. */
export const maxOthers = 63;
export const maxMemberBytes = 400;

/**
 * Announces this worker to the others, and learns about them. Redis's answers are trusted only for the order of
 * workers: a false entry costs the others a head start.
 * @param beat stores what this worker says about itself, if anything, and returns what the live workers say.
 * @param say undefined: nobody waits for this worker.
 */
export function joinMembers(
  self: Pick<Member, 'id' | 'instance'>,
  beat: (own: string | undefined) => Promise<unknown>,
  { say, timers, log }: { readonly say: () => Member | undefined; readonly timers: Timers; readonly log: Log },
) {
  const ending = new AbortController();
  const seen = new Map<string, { readonly member: Member; readonly at: number }>();
  let answeredAt = timers.now();
  /** `told`: long enough that it was logged. */
  let silence: 'none' | 'short' | 'told' = 'none';
  let sharedSince: number | undefined;
  let told = '';

  const once = async () => {
    const own = say();
    const read = membersIn(await beat(own && JSON.stringify(own)));
    const now = timers.now();
    // The other workers could not say anything, either.
    if (silence !== 'none') for (const [id, { member }] of seen) seen.set(id, { member, at: now });
    if (silence === 'told') log.info('redis.answers');
    answeredAt = now;
    silence = 'none';
    for (const each of read.filter(({ id }) => id !== self.id)) {
      if (seen.has(each.id) || seen.size < maxOthers) seen.set(each.id, { member: each, at: now });
    }
    for (const [id, { at }] of seen) if (now - at > goneMs) seen.delete(id);
    const isOther = read.some(({ id, instance }) => id === self.id && instance !== self.instance);
    sharedSince = isOther ? (sharedSince ?? now) : undefined;
    const ids = [...seen.keys()].toSorted().join(' ');
    if (ids !== told) log.info('workers.changed', { workers: seen.size + 1, others: [...seen.keys()] });
    told = ids;
  };

  const repeat = async () => {
    while (!ending.signal.aborted) {
      try {
        await once();
      } catch (error) {
        const isLong = timers.now() - answeredAt > goneMs;
        // Never log the error itself: it may name the address with its password.
        if (isLong && silence !== 'told')
          log.warn('redis.silent', { cause: (error as Error).name, remedy: 'Start Redis.' });
        silence = isLong || silence === 'told' ? 'told' : 'short';
      }
      await sleep(timers, beatMs, ending.signal);
    }
  };
  void repeat();

  return {
    /** The other live workers, as of Redis's last answer. While Redis does not answer, they stay. */
    others: () => [...seen.values()].map((each) => each.member),
    /** Milliseconds since Redis last answered, or since the start. */
    silentMs: () => timers.now() - answeredAt,
    /** Another process uses the same rescue key. */
    isKeyShared: () => sharedSince !== undefined && timers.now() - sharedSince > sharedMs,
    stop: () => ending.abort(),
  };
}

/** The well-formed ones. Throws if the answer is not a list. */
function membersIn(answer: unknown): readonly Member[] {
  const texts = z
    .array(z.unknown())
    .parse(answer)
    .slice(0, 4 * maxOthers);
  return texts.flatMap((text) => {
    if (typeof text !== 'string' || text.length > maxMemberBytes) return [];
    try {
      return [member.parse(JSON.parse(text))];
    } catch {
      return [];
    }
  });
}
