import type { Head } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import type { Clock, Timers } from '@bowline/core/domain/time';
import { descending, largest } from '@bowline/core/domain/units';
import { hexToBigInt, isHash, isHex, type Transport } from 'viem';

/** A way to one node. */
export interface Node {
  /** Names it in the log. Holds no key. */
  readonly name: string;
  /** Requests are not repeated. */
  connect(inBatches: boolean): Transport;
}

export type Ask = (request: { readonly method: string; readonly params?: unknown }) => Promise<unknown>;

export const askOf = (transport: Transport): Ask => transport({ retryCount: 0 }).request as Ask;

/** Why a node is asked last, or, if on another chain or outvoted, not at all. */
export type PassedOver = 'other_chain' | 'outvoted' | 'absurd_head' | 'behind' | 'silent';

export interface NodeState {
  readonly name: string;
  /** Absent while the node is healthy. */
  readonly passedOver?: PassedOver;
}

/** What is known of one node. Times are those of `timers`. */
export interface Member {
  readonly node: Node;
  readonly ask: Ask;
  chainId?: number;
  chainReadAt: number;
  head?: Head;
  headAt: number;
  answeredAt: number;
  failedAt: number;
  outvotedUntil: number;
  /** Whether its report of a loan was right when others last contradicted it, and until when that counts. */
  word?: { readonly isRight: boolean; readonly until: number };
  /** As last logged. */
  noted?: PassedOver | undefined;
}

export interface HealthOptions {
  readonly chainId: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

/** Maximum distance between nodes that keep up. */
const APART_BLOCKS = 4n;
/** More than BNB Chain makes. */
const BLOCKS_PER_SECOND = 3n;
/** Clocks of machines differ by seconds. */
const FUTURE_SECONDS = 15n;
/** After this long without a head, a node says nothing about the others. */
const RECENT_MS = 15_000;
/** A node that failed is asked last for this long, unless it answers sooner. */
const SILENT_MS = 5_000;
const OUTVOTED_MS = 60_000;
/** A node refuted about a loan is not believed alone for an hour; one proved right is believed alone for ten seconds. */
const WRONG_MS = 3_600_000;
const RIGHT_MS = 10_000;
const CHAIN_ID_MS = 60_000;

/** Which nodes keep up, and which heads can be true. Heads are compared, since a single node may say anything. */
export class NodeHealth {
  readonly members: readonly Member[];
  readonly #options: HealthOptions;
  #newest: { readonly head: Head; readonly at: number } | undefined;

  constructor(nodes: readonly Node[], options: HealthOptions) {
    this.#options = options;
    this.members = nodes.map((node) => ({
      node,
      ask: askOf(node.connect(false)),
      ...{ chainReadAt: never, headAt: never, answeredAt: never, failedAt: never, outvotedUntil: never },
    }));
  }

  /** In order of preference. A node on another chain, or one that has lied, is left out. */
  inOrder(): readonly Member[] {
    const rankOf = (member: Member) => rank(this.whyPassedOver(member));
    return this.members.filter((each) => this.#isTrusted(each)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  whyPassedOver(member: Member): PassedOver | undefined {
    const now = this.#now();
    if (member.chainId !== undefined && member.chainId !== this.#options.chainId) return 'other_chain';
    if (now < member.outvotedUntil) return 'outvoted';
    if (member.failedAt > member.answeredAt && now - member.failedAt < SILENT_MS) return 'silent';
    if (member.head === undefined) return undefined;
    if (this.#isAbsurd(member.head, this.#recent(member))) return 'absurd_head';
    return this.isBehind(member.head, member.headAt) ? 'behind' : undefined;
  }

  /** @param reportedAt later heads say nothing about the node: while a WebSocket delivers heads, nodes are rarely polled. */
  isBehind({ number }: Head, reportedAt = this.#now()): boolean {
    const sinceBlocks = BLOCKS_PER_SECOND * BigInt(Math.ceil((this.#now() - reportedAt) / 1000));
    return this.#height() > number + APART_BLOCKS + sinceBlocks;
  }

  states(): readonly NodeState[] {
    return this.members.map((member) => {
      const passedOver = this.whyPassedOver(member);
      return { name: member.node.name, ...(passedOver && { passedOver }) };
    });
  }

  /** The node's newest block; undefined if it is not believed. Rejects if the node does not answer. */
  async look(member: Member): Promise<Head | undefined> {
    const stopWaiting = this.#options.timers.after(1_000, () => this.failed(member));
    try {
      const [block] = await Promise.all([
        member.ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
        this.#learnChain(member),
      ]);
      const head = headOf(block);
      if (head === undefined) throw new Error('The node returned something other than a block.');
      this.answered(member);
      member.head = head;
      member.headAt = this.#now();
      return this.reportHead(head, member) ? head : undefined;
    } catch (error) {
      this.failed(member);
      throw error;
    } finally {
      stopWaiting();
      this.#note();
    }
  }

  /** Whether a head is believed. @param by the node that reported it; absent: something else did. */
  reportHead(head: Head, by?: Member): boolean {
    if ((by !== undefined && !this.#isTrusted(by)) || this.#isAbsurd(head, this.#recent(by))) return false;
    // The first to answer may be the one that lies: hear the others first.
    if (this.members.some((each) => each.answeredAt === never && each.failedAt === never)) return false;
    const newest = this.#newest;
    if (newest === undefined || head.number >= newest.head.number || this.#now() - newest.at > RECENT_MS) {
      this.#newest = { head, at: this.#now() };
    }
    return true;
  }

  /** The newest believed head if it was reported within this many milliseconds. */
  newestWithin(milliseconds: number): Head | undefined {
    return this.#newest && this.#now() - this.#newest.at < milliseconds ? this.#newest.head : undefined;
  }

  answered(member: Member): void {
    member.answeredAt = this.#now();
  }

  failed(member: Member): void {
    member.failedAt = this.#now();
    this.#note();
  }

  outvote(member: Member): void {
    member.outvotedUntil = this.#now() + OUTVOTED_MS;
    this.#note();
  }

  /** Records who the chain proved right where others contradicted the node. */
  judge(member: Member, isRight: boolean): void {
    member.word = { isRight, until: this.#now() + (isRight ? RIGHT_MS : WRONG_MS) };
    if (!isRight) this.#options.log.warn('node.refuted', { node: member.node.name, seconds: WRONG_MS / 1000 });
  }

  /** Undefined: nothing has lately shown either. */
  wasRight({ word }: Member): boolean | undefined {
    return word && this.#now() < word.until ? word.isRight : undefined;
  }

  #now(): number {
    return this.#options.timers.now();
  }

  #isTrusted({ chainId, outvotedUntil }: Member): boolean {
    return (chainId === undefined || chainId === this.#options.chainId) && this.#now() >= outvotedUntil;
  }

  /** Heads recently reported by all nodes except this one. */
  #recent(except?: Member): Reported[] {
    return this.members.flatMap((each) =>
      each !== except && each.head && this.#isTrusted(each) && this.#now() - each.headAt < RECENT_MS
        ? [{ head: each.head, at: each.headAt }]
        : [],
    );
  }

  /**
   * Blocks do not come that fast, or from the future. If all nodes agree, this machine's clock is wrong instead.
   */
  #isAbsurd(head: Head, others: readonly Reported[]): boolean {
    const { clock } = this.#options;
    const isFuture = ({ timestamp }: Head) => timestamp > clock() + FUTURE_SECONDS;
    const against = others.filter((other) => {
      // The timestamp of its head shows that a node is behind.
      const reportedSeconds = BigInt(Math.ceil((this.#now() - other.at) / 1000));
      const since = BLOCKS_PER_SECOND * largest([reportedSeconds, clock() - other.head.timestamp]);
      return head.number > other.head.number + APART_BLOCKS + since || (isFuture(head) && !isFuture(other.head));
    });
    return against.length > others.length / 2;
  }

  /** The chain's height. Of three nodes, one that is ahead of both others may be lying. */
  #height(): bigint {
    const heads = this.#recent();
    const numbers = heads
      .filter(({ head }) => {
        const others = heads.filter((other) => other.head !== head);
        return !this.#isAbsurd(head, others);
      })
      .map(({ head }) => head.number)
      .toSorted(descending);
    return numbers[this.members.length > 2 && numbers.length > 2 ? 1 : 0] ?? 0n;
  }

  /** Logs each change once. */
  #note(): void {
    if (this.members.length === 1) return;
    const { log } = this.#options;
    for (const member of this.members) {
      const reason = this.whyPassedOver(member);
      if (reason === member.noted) continue;
      if (reason === undefined) log.info('node.back', { node: member.node.name });
      else log.warn('node.passed_over', { node: member.node.name, reason });
      member.noted = reason;
    }
  }

  async #learnChain(member: Member): Promise<void> {
    if (this.members.length === 1 || this.#now() - member.chainReadAt < CHAIN_ID_MS) return;
    const id = await member.ask({ method: 'eth_chainId' });
    member.chainReadAt = this.#now();
    member.chainId = Number(id);
  }
}

const never = Number.NEGATIVE_INFINITY;

interface Reported {
  readonly head: Head;
  readonly at: number;
}

const rank = (reason: PassedOver | undefined): number => (reason === undefined ? 0 : reason === 'silent' ? 2 : 1);

/** The head of a block as a node returns it. Undefined if it is not a block. */
export function headOf(block: unknown): Head | undefined {
  const { number, timestamp, hash } = (block ?? {}) as Record<string, unknown>;
  if (!isHex(number) || !isHex(timestamp) || typeof hash !== 'string' || !isHash(hash)) return undefined;
  return { number: hexToBigInt(number), timestamp: hexToBigInt(timestamp), hash };
}
