import type { Head } from '@bowline/core/domain/heads';
import type { Escrow, JobHead, JobNotebook, JobRefusal } from '@bowline/core/domain/jobs';
import type { Log } from '@bowline/core/domain/log';
import { type Address, largest, smallest } from '@bowline/core/domain/units';

interface Found {
  /** Funded jobs of ours, the most promising first: what was looked at least often, then what pays most. */
  readonly funded: readonly bigint[];
  /** Submitted jobs whose dispute window has passed. */
  readonly due: readonly bigint[];
  /** Reasons of the jobs that a look at their head was enough to refuse. */
  readonly refusals: readonly JobRefusal[];
}

/** Finds the jobs of ours that something is to be done about. */
export interface JobFinder {
  /** Looks at a job in the next round, whatever was known of it. */
  announce(id: bigint): void;
  find(): Promise<Found>;
  /** The job was looked at whole, and nothing can be done now. */
  postpone(id: bigint): void;
  /** Nothing will ever be done about the job. */
  forget(id: bigint): void;
  /** A settlement came to nothing: it is tried again later. */
  settleLater(id: bigint): void;
  /** Number of jobs that are looked at again. */
  watched(): number;
}

export interface FinderOptions {
  readonly escrow: Escrow;
  readonly provider: Address;
  /** Seconds that a funded job needs before its expiry for the work to be delivered. */
  readonly workSeconds: bigint;
  readonly notebook: JobNotebook;
  readonly log: Log;
}

/**
 * Heads read in a round: 30 calls. Junk costs its maker 200,000 gas a job, so that there may be more; then the open jobs
 * take turns, and the newest, the funded and the announced ones go first.
 */
const HEADS = 12_000;
/** Blocks whose log is searched in one request. */
const LOG_BLOCKS = 2_000n;
/** So many of the newest jobs may be replaced by others when the first round begins, in a reorganisation. */
const YOUNG = 500n;
/** Seconds of chain time after which a block's content is final. */
const FINAL = 60n;
/** Seconds until a settlement that came to nothing is tried again, and between two entries of the notebook. */
const [SETTLE_AGAIN, NOTE_EVERY] = [600n, 60n];

/** Jobs from `oldest` + 1 to `newest` have been read. */
interface Span {
  readonly newest: bigint;
  readonly oldest: bigint;
}

/**
 * Which jobs there are is read from the kernel's state, page after page: first the new ones, then backwards from where
 * the first round began. A job that may still be funded for us is read again in every round, or in turn if there are very
 * many. The log of funded jobs only says which of them to read first. Nothing that may be ours is dropped.
 */
export function createJobFinder({ escrow, provider, workSeconds, notebook, log }: FinderOptions): JobFinder {
  let span: Span | undefined;
  /** The number of jobs at a time, for each time since which it is not final. */
  let counts: { readonly count: bigint; readonly at: bigint }[] = [];
  /** Jobs up to this number have not been replaced since they were read. */
  let final = 0n;
  let logsTo: bigint | undefined;
  let now = 0n;
  let notedAt: bigint | undefined;
  const announced = new Set<bigint>();
  /** Jobs that may still be funded for us, the one that was read longest ago first. */
  const open = new Set<bigint>();
  const funded = new Map<bigint, { readonly budget: bigint; readonly looks: number }>();
  /** By job: when to settle it, and when it was submitted. */
  const submitted = new Map<bigint, { readonly dueAt: bigint; readonly at: bigint }>();
  /** Refused for good, and young enough to be read again. */
  const refused = new Set<bigint>();

  async function begin(count: bigint): Promise<Span> {
    final = largest([count - YOUNG, 0n]);
    const notes = await notebook.load();
    const { newest, oldest, block } = notes ?? { newest: 0n, oldest: 0n };
    const isOfThisChain = block && newest <= count && (await escrow.blockHash(block.number)) === block.hash;
    if (notes === undefined || !isOfThisChain) return { newest: count, oldest: count };
    for (const id of notes.jobs) open.add(id);
    return { newest, oldest };
  }

  /** Jobs that the log names, so that one among very many that are open need not wait for its turn. */
  async function fundedByLog(block: bigint): Promise<readonly bigint[]> {
    const from = logsTo === undefined || block - logsTo > LOG_BLOCKS ? block - LOG_BLOCKS : logsTo + 1n;
    if (from > block) return [];
    const ids = await escrow.fundedIn(provider, from < 0n ? 0n : from, block);
    logsTo = block;
    return ids ?? [];
  }

  /** What to read in this round: everything that cannot wait, then in turn. */
  function toRead(count: bigint, logged: readonly bigint[], known: Span): { ids: bigint[]; read: Span } {
    const ids = new Set<bigint>([...announced, ...logged, ...funded.keys()]);
    for (const [id, { dueAt, at }] of submitted) if (dueAt <= now || at + FINAL > now) ids.add(id);
    for (let id = largest([final, known.oldest]) + 1n; id <= known.newest; id++) ids.add(id);
    const newest = largest([known.newest, smallest([count, known.newest + BigInt(HEADS)])]);
    for (let id = known.newest + 1n; id <= newest; id++) ids.add(id);
    const older = smallest([known.oldest, BigInt(Math.max(HEADS - ids.size, 0)) / 2n]);
    for (let id = known.oldest; id > known.oldest - older; id--) ids.add(id);
    for (const id of open) {
      if (ids.size >= HEADS) break;
      ids.add(id);
    }
    return { ids: [...ids], read: { newest, oldest: known.oldest - older } };
  }

  /** @returns why a job is refused that was never looked at whole. */
  function place(id: bigint, head: JobHead | undefined): JobRefusal | undefined {
    const looks = funded.get(id)?.looks ?? 0;
    const known = submitted.get(id);
    for (const each of [open, funded, submitted]) each.delete(id);
    if (head === undefined) return undefined;
    const { provider: named, status, expiresAt, submittedAt: at, isRouted, budget } = head;
    const canBeDelivered = expiresAt >= now + escrow.disputeWindowSeconds + workSeconds;
    if (status === 'open' && canBeDelivered) open.add(id);
    if (named === undefined) return undefined;
    if (status === 'submitted') {
      const dueAt = at + escrow.disputeWindowSeconds + 1n;
      submitted.set(id, known?.at === at && known.dueAt > dueAt ? known : { dueAt, at });
    }
    // A node may be behind the one that knew of the submission; or a reorganisation undid it, and it is due again.
    if (status === 'funded' && known !== undefined) submitted.set(id, known);
    if (status !== 'funded' || refused.has(id)) return undefined;
    if (looks > 0 || announced.has(id) || (canBeDelivered && isRouted)) {
      funded.set(id, { budget, looks });
      return undefined;
    }
    refused.add(id);
    return isRouted ? 'deadline_too_tight' : 'foreign_evaluator';
  }

  /** It takes its turn, whatever it is. */
  function waitFor(id: bigint): undefined {
    if (!funded.has(id) && !submitted.has(id)) open.add(id);
  }

  function settleCounts(count: bigint): void {
    if (counts.at(-1)?.count !== count) counts.push({ count, at: now });
    for (const { count: then, at } of counts) if (at + FINAL <= now && then > final) final = then;
    counts = counts.filter(({ at }) => at + FINAL > now);
    for (const id of refused) if (id <= final) refused.delete(id);
  }

  async function note({ number, hash }: Head, { newest, oldest }: Span): Promise<void> {
    if (notedAt !== undefined && now < notedAt + NOTE_EVERY) return;
    notedAt = now;
    const jobs = [...funded.keys(), ...submitted.keys(), ...open];
    const notes = { block: { number, hash }, newest: largest([oldest, smallest([final, newest])]), oldest, jobs };
    await notebook.save(notes).catch((error: unknown) => log.warn('jobs.not_noted', { error }));
  }

  return {
    announce: (id) => void announced.add(id),
    postpone(id) {
      const job = funded.get(id);
      if (job) funded.set(id, { ...job, looks: job.looks + 1 });
    },
    forget(id) {
      if (funded.delete(id) && id > final) refused.add(id);
    },
    settleLater(id) {
      const job = submitted.get(id);
      if (job) submitted.set(id, { ...job, dueAt: now + SETTLE_AGAIN });
    },
    watched: () => open.size + funded.size + submitted.size,

    async find() {
      const count = await escrow.jobCount();
      span ??= await begin(count);
      const named = [...announced];
      for (const id of named) refused.delete(id);
      const block = await escrow.newestBlock();
      now = block.timestamp;
      const { ids, read } = toRead(count, await fundedByLog(block.number), span);
      const { jobs, unread } = await escrow.heads(ids, provider);
      const isUnread = new Set(unread);
      const refusals: JobRefusal[] = [];
      for (const id of ids) {
        const refusal = isUnread.has(id) ? waitFor(id) : place(id, jobs.get(id));
        if (refusal) refusals.push(refusal);
      }
      for (const id of named) announced.delete(id);
      span = read;
      settleCounts(count);
      await note(block, span);
      const promising = [...funded].toSorted(
        ([one, a], [other, b]) => a.looks - b.looks || compare(b.budget, a.budget) || compare(one, other),
      );
      const due = [...submitted].filter(([, { dueAt }]) => dueAt <= now).map(([id]) => id);
      return { funded: promising.map(([id]) => id), due, refusals };
    },
  };
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);
