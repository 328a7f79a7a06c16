import { type Head, LOG_BLOCKS } from '@bowline/core/domain/heads';
import { type Escrow, type JobHead, type JobNotebook, type JobRefusal, leavesTime } from '@bowline/core/domain/jobs';
import type { Log } from '@bowline/core/domain/log';
import { type Address, largest, smallest } from '@bowline/core/domain/units';

interface Found {
  /** Our funded jobs, most promising first: fewest looks, then highest budget. */
  readonly funded: readonly bigint[];
  /** Submitted jobs whose dispute window has passed. */
  readonly due: readonly bigint[];
  /** Reasons of the jobs that were refused by their head alone. */
  readonly refusals: readonly JobRefusal[];
}

/** Finds our jobs that need action. */
export type JobFinder = Pick<Finder, 'announce' | 'find' | 'postpone' | 'forget' | 'settleLater' | 'watched'>;

export interface FinderOptions {
  readonly escrow: Escrow;
  readonly provider: Address;
  /** Minimum seconds left before a funded job's expiry for the work to be delivered. */
  readonly workSeconds: bigint;
  readonly notebook: JobNotebook;
  readonly log: Log;
}

/**
 * Maximum heads read per round: 30 calls. Junk costs its maker 200,000 gas per job, so there may be more jobs. Then the
 * open jobs take turns, and the newest, funded and announced jobs go first.
 */
const HEADS = 12_000;
/** When the first round begins, a reorg may still replace this many of the newest jobs. */
const YOUNG = 500n;
/** Seconds of chain time after which a block's content is final. */
const FINAL = 60n;
/** Seconds until a failed settlement is retried, and between two notebook entries. */
const [SETTLE_AGAIN, NOTE_EVERY] = [600n, 60n];

/** One of this many idle rounds looks anyway: with the default interval, within the time that the logs read cover. */
const LOOK_EVERY = 10;

/** Jobs from `oldest` + 1 to `newest` have been read. */
interface Span {
  readonly newest: bigint;
  readonly oldest: bigint;
}

/**
 * Reads the list of jobs from the kernel's state, page by page: first the new jobs, then backwards from where the first
 * round began. Jobs that may still be funded for us are read again every round, or in turn if there are very many. The
 * log of funded jobs only decides which of them to read first. No job that may be ours is dropped.
 */
export const createJobFinder = (options: FinderOptions): JobFinder => new Finder(options);

class Finder {
  readonly #options: FinderOptions;
  readonly #book: JobBook;
  #span: Span | undefined;
  #logsTo: bigint | undefined;
  #now = 0n;
  #notedAt: bigint | undefined;
  #rests = 0;

  constructor(options: FinderOptions) {
    [this.#options, this.#book] = [options, new JobBook(options)];
  }

  /** Reads the job in the next round, regardless of what is known about it. */
  announce(id: bigint): void {
    this.#book.announced.add(id);
  }

  /** Looks at other jobs first from now on: nothing can be done for this one yet. */
  postpone(id: bigint): void {
    const job = this.#book.funded.get(id);
    if (job) this.#book.funded.set(id, { ...job, looks: job.looks + 1 });
  }

  /** Nothing will ever be done about the job. */
  forget(id: bigint): void {
    this.#book.forget(id);
  }

  /** A settlement failed: it is retried later. */
  settleLater(id: bigint): void {
    const job = this.#book.submitted.get(id);
    if (job) this.#book.submitted.set(id, { ...job, dueAt: this.#now + SETTLE_AGAIN });
  }

  /** Number of jobs that are looked at again. */
  watched(): number {
    return this.#book.watched().length;
  }

  async find(): Promise<Found> {
    const { escrow, provider } = this.#options;
    const book = this.#book;
    const count = await escrow.jobCount();
    this.#span ??= await this.#begin(count);
    // A block timestamp far in the future makes open jobs look expired. Then only the log names a funded one.
    this.#rests = book.isAtRest(count, this.#span) ? (this.#rests + 1) % LOOK_EVERY : 0;
    if (this.#rests > 0) return { funded: [], due: [], refusals: [] };
    const named = [...book.announced];
    for (const id of named) book.refused.delete(id);
    const block = await escrow.newestBlock();
    this.#now = block.timestamp;
    const { ids, read } = book.toRead(count, await this.#fundedByLog(block.number), this.#span, this.#now);
    const { jobs, unread } = await escrow.heads(ids, provider);
    const isUnread = new Set(unread);
    const refusals = ids.flatMap((id) =>
      isUnread.has(id) ? book.waitFor(id) : (book.place(id, jobs.get(id), this.#now) ?? []),
    );
    for (const id of named) book.announced.delete(id);
    this.#span = read;
    book.settleCounts(count, this.#now);
    await this.#note(block, read);
    return { ...book.found(this.#now), refusals };
  }

  async #begin(count: bigint): Promise<Span> {
    const { escrow, notebook } = this.#options;
    this.#book.final = largest([count - YOUNG, 0n]);
    const notes = await notebook.load();
    const { newest, oldest, block } = notes ?? { newest: 0n, oldest: 0n };
    const isOfThisChain = block && newest <= count && (await escrow.blockHash(block.number)) === block.hash;
    if (notes === undefined || !isOfThisChain) return { newest: count, oldest: count };
    for (const id of notes.jobs) this.#book.open.add(id);
    return { newest, oldest };
  }

  /** Jobs that the log names: they need not wait for their turn among very many open jobs. */
  async #fundedByLog(block: bigint): Promise<readonly bigint[]> {
    const { escrow, provider } = this.#options;
    const isOld = this.#logsTo === undefined || block - this.#logsTo > LOG_BLOCKS;
    const from = isOld ? block - LOG_BLOCKS : (this.#logsTo ?? 0n) + 1n;
    if (from > block) return [];
    const ids = await escrow.fundedIn(provider, from < 0n ? 0n : from, block);
    this.#logsTo = block;
    return ids ?? [];
  }

  async #note({ number, hash }: Head, { newest, oldest }: Span): Promise<void> {
    const { notebook, log } = this.#options;
    if (this.#notedAt !== undefined && this.#now < this.#notedAt + NOTE_EVERY) return;
    this.#notedAt = this.#now;
    const settled = largest([oldest, smallest([this.#book.final, newest])]);
    const notes = { block: { number, hash }, newest: settled, oldest, jobs: this.#book.watched() };
    await notebook.save(notes).catch((error: unknown) => log.warn('jobs.not_noted', { error }));
  }
}

/** What is known of each job. `now` is chain time. */
class JobBook {
  readonly announced = new Set<bigint>();
  /** Jobs that may still be funded for us, least recently read first. */
  readonly open = new Set<bigint>();
  readonly funded = new Map<bigint, { readonly budget: bigint; readonly looks: number }>();
  /** By job: when to settle it, and when it was submitted. */
  readonly submitted = new Map<bigint, { readonly dueAt: bigint; readonly at: bigint }>();
  /** Refused for good, and young enough to be read again. */
  readonly refused = new Set<bigint>();
  /** Jobs up to this number have not been replaced since they were read. */
  final = 0n;
  /** Job counts that are not final yet, each with the time at which it was first seen. */
  #counts: readonly { readonly count: bigint; readonly at: bigint }[] = [];
  readonly #options: FinderOptions;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  watched(): readonly bigint[] {
    return [...this.funded.keys(), ...this.submitted.keys(), ...this.open];
  }

  /**
   * Whether no job can need anything: all have been read and can no longer be replaced, none is ours, and by the
   * timestamps of the blocks read, none may become ours. Only a new job changes that, so a round makes one request.
   */
  isAtRest(count: bigint, { newest, oldest }: Span): boolean {
    return (
      newest === count && oldest === 0n && this.final === count && this.watched().length + this.announced.size === 0
    );
  }

  /** What to read in this round: everything that cannot wait, then the other jobs in turn. */
  toRead(count: bigint, logged: readonly bigint[], known: Span, now: bigint): { ids: bigint[]; read: Span } {
    const ids = new Set<bigint>([...this.announced, ...logged, ...this.funded.keys()]);
    for (const [id, { dueAt, at }] of this.submitted) if (dueAt <= now || at + FINAL > now) ids.add(id);
    for (let id = largest([this.final, known.oldest]) + 1n; id <= known.newest; id++) ids.add(id);
    const newest = largest([known.newest, smallest([count, known.newest + BigInt(HEADS)])]);
    for (let id = known.newest + 1n; id <= newest; id++) ids.add(id);
    const older = smallest([known.oldest, BigInt(Math.max(HEADS - ids.size, 0)) / 2n]);
    for (let id = known.oldest; id > known.oldest - older; id--) ids.add(id);
    for (const id of this.open) {
      if (ids.size >= HEADS) break;
      ids.add(id);
    }
    return { ids: [...ids], read: { newest, oldest: known.oldest - older } };
  }

  /** Returns the refusal reason of a job that was never read in full. */
  place(id: bigint, head: JobHead | undefined, now: bigint): JobRefusal | undefined {
    const { escrow, workSeconds } = this.#options;
    const looks = this.funded.get(id)?.looks ?? 0;
    const known = this.submitted.get(id);
    for (const each of [this.open, this.funded, this.submitted]) each.delete(id);
    if (head === undefined) return undefined;
    const { provider: named, status, submittedAt: at, isRouted, budget } = head;
    const canBeDelivered = leavesTime(head, now, { ...escrow, workSeconds });
    if (status === 'open' && canBeDelivered) this.open.add(id);
    if (named === undefined) return undefined;
    if (status === 'submitted') {
      const dueAt = at + escrow.disputeWindowSeconds + 1n;
      this.submitted.set(id, known?.at === at && known.dueAt > dueAt ? known : { dueAt, at });
    }
    // The node may lag behind the one that showed the submission, or a reorg undid the submission and it is due again.
    if (status === 'funded' && known !== undefined) this.submitted.set(id, known);
    if (status !== 'funded' || this.refused.has(id)) return undefined;
    if (looks > 0 || this.announced.has(id) || (canBeDelivered && isRouted)) {
      this.funded.set(id, { budget, looks });
      return undefined;
    }
    this.refused.add(id);
    return isRouted ? 'deadline_too_tight' : 'foreign_evaluator';
  }

  /** Keeps an unread job, whatever it is: it takes its turn. */
  waitFor(id: bigint): readonly [] {
    if (!this.funded.has(id) && !this.submitted.has(id)) this.open.add(id);
    return [];
  }

  forget(id: bigint): void {
    if (this.funded.delete(id) && id > this.final) this.refused.add(id);
  }

  settleCounts(count: bigint, now: bigint): void {
    const counts = this.#counts.at(-1)?.count === count ? this.#counts : [...this.#counts, { count, at: now }];
    for (const { count: then, at } of counts) if (at + FINAL <= now && then > this.final) this.final = then;
    this.#counts = counts.filter(({ at }) => at + FINAL > now);
    for (const id of this.refused) if (id <= this.final) this.refused.delete(id);
  }

  found(now: bigint): Omit<Found, 'refusals'> {
    const promising = [...this.funded].toSorted(
      ([one, a], [other, b]) => a.looks - b.looks || compare(b.budget, a.budget) || compare(one, other),
    );
    const due = [...this.submitted].filter(([, { dueAt }]) => dueAt <= now).map(([id]) => id);
    return { funded: promising.map(([id]) => id), due };
  }
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0);
