import { type Head, LOG_BLOCKS } from '@bowline/core/domain/heads';
import { type Escrow, type JobHead, type JobNotebook, type JobRefusal, leavesTime } from '@bowline/core/domain/jobs';
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
export type JobFinder = Pick<Finder, 'announce' | 'find' | 'postpone' | 'forget' | 'settleLater' | 'watched'>;

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
/** So many of the newest jobs may be replaced by others when the first round begins, in a reorganisation. */
const YOUNG = 500n;
/** Seconds of chain time after which a block's content is final. */
const FINAL = 60n;
/** Seconds until a settlement that came to nothing is tried again, and between two entries of the notebook. */
const [SETTLE_AGAIN, NOTE_EVERY] = [600n, 60n];

/** Of so many rounds without anything to do, one looks all the same: by default within the time of the logs that are read. */
const LOOK_EVERY = 10;

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

  /** Looks at a job in the next round, whatever was known of it. */
  announce(id: bigint): void {
    this.#book.announced.add(id);
  }

  /** The job was looked at whole, and nothing can be done now. */
  postpone(id: bigint): void {
    const job = this.#book.funded.get(id);
    if (job) this.#book.funded.set(id, { ...job, looks: job.looks + 1 });
  }

  /** Nothing will ever be done about the job. */
  forget(id: bigint): void {
    this.#book.forget(id);
  }

  /** A settlement came to nothing: it is tried again later. */
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
    // A block of a time far ahead makes open jobs look expired: then the log alone names one that is funded.
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

  /** Jobs that the log names, so that one among very many that are open need not wait for its turn. */
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
  /** Jobs that may still be funded for us, the one that was read longest ago first. */
  readonly open = new Set<bigint>();
  readonly funded = new Map<bigint, { readonly budget: bigint; readonly looks: number }>();
  /** By job: when to settle it, and when it was submitted. */
  readonly submitted = new Map<bigint, { readonly dueAt: bigint; readonly at: bigint }>();
  /** Refused for good, and young enough to be read again. */
  readonly refused = new Set<bigint>();
  /** Jobs up to this number have not been replaced since they were read. */
  final = 0n;
  /** The number of jobs at a time, for each time since which it is not final. */
  #counts: readonly { readonly count: bigint; readonly at: bigint }[] = [];
  readonly #options: FinderOptions;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  watched(): readonly bigint[] {
    return [...this.funded.keys(), ...this.submitted.keys(), ...this.open];
  }

  /**
   * Whether no job can need anything: all have been read and none can be replaced any more, none is ours or, by the times of the
   * blocks that were read, may become ours. Then only a new one changes that, so that a round makes one request.
   */
  isAtRest(count: bigint, { newest, oldest }: Span): boolean {
    return (
      newest === count && oldest === 0n && this.final === count && this.watched().length + this.announced.size === 0
    );
  }

  /** What to read in this round: everything that cannot wait, then in turn. */
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

  /** Returns why a job is refused that was never looked at whole. */
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
    // A node may be behind the one that knew of the submission; or a reorganisation undid it, and it is due again.
    if (status === 'funded' && known !== undefined) this.submitted.set(id, known);
    if (status !== 'funded' || this.refused.has(id)) return undefined;
    if (looks > 0 || this.announced.has(id) || (canBeDelivered && isRouted)) {
      this.funded.set(id, { budget, looks });
      return undefined;
    }
    this.refused.add(id);
    return isRouted ? 'deadline_too_tight' : 'foreign_evaluator';
  }

  /** It takes its turn, whatever it is. */
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
