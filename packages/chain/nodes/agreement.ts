import type { Head } from '@bowline/core/domain/heads';
import { sleep } from '@bowline/core/domain/sleep';
import type { Timers } from '@bowline/core/domain/time';
import { descending } from '@bowline/core/domain/units';
import { hexToBigInt, isHex, numberToHex } from 'viem';
import { nodeAnswer, refusalOf } from '../errors.ts';
import { firstAnswers, isDisagreement, type Outcome, unanswered, unwrap } from './first-answers.ts';
import { type Ask, headOf, type Member, type NodeHealth } from './node-health.ts';

export interface AgreementOptions {
  readonly health: NodeHealth;
  askOne(member: Member, request: Request): () => Promise<unknown>;
  /** For requests whose answers prove themselves. */
  readonly fromOne: Ask;
  readonly timers: Timers;
  /** Whether one node is believed while all others are silent: silent nodes contradict nobody. */
  readonly isLenient: boolean;
  /** Called with whether two nodes agreed; not called if too few answered. */
  settle(isDisagreeing: boolean): void;
}

/** A request about the newest block is answered at a block that was the newest within this time. */
const PIN_MS = 500;
/** How long a request that is not tied to a block waits for a third node. */
const THIRD_MS = 300;

/**
 * Requests to three nodes or more. Two of them must agree, at the same block hash, on everything a signature rests on:
 * every contract call (prices, healths, plans, guards, simulations), nonces, balances and blocks. Two must also agree on
 * receipts. What has no block (pending nonces, gas prices, the final block) is the second highest answer, so that no
 * single node can move it beyond what another reports.
 */
export class Agreement {
  readonly #options: AgreementOptions;
  /** The last block at which nodes agreed: a later request by its number means that block. */
  #agreedAt: Head | undefined;
  /** Block of the newest receipt. Its effects must be visible. */
  #seenBlock = 0n;
  readonly #headers = new Map<string, Promise<Outcome>>();

  constructor(options: AgreementOptions) {
    this.#options = options;
  }

  async ask(request: Request): Promise<unknown> {
    const { method } = request;
    const params = (request.params ?? []) as readonly unknown[];
    const header = (pin: Head) => this.#header(pin);
    switch (method) {
      case 'eth_call':
      case 'eth_getBalance':
        return this.#stateAt(method, params);
      case 'eth_getTransactionCount':
        return params[1] === 'pending' ? this.#secondHighest(request, quantityOf) : this.#stateAt(method, params);
      case 'eth_gasPrice':
        return this.#secondHighest(request, quantityOf);
      case 'eth_blockNumber':
        return numberOf(await this.#atOneBlock(header));
      case 'eth_getBlockByNumber':
        if (params[0] === 'latest') return this.#atOneBlock(header);
        if (params[0] === 'finalized') return this.#secondHighest(request, (block) => headOf(block)?.number);
        return unwrap(await this.#fromTwo(request, blockKey, false));
      case 'eth_getTransactionReceipt': {
        const receipt = unwrap(await this.#fromTwo(request, receiptKey, false));
        const { blockNumber } = (receipt ?? {}) as { blockNumber?: unknown };
        if (isHex(blockNumber) && hexToBigInt(blockNumber) > this.#seenBlock)
          this.#seenBlock = hexToBigInt(blockNumber);
        return receipt;
      }
      default:
        return this.#options.fromOne(request);
    }
  }

  /** Which nodes to ask. If one node may be believed alone, silent nodes are not waited for. */
  #inOrder(): readonly Member[] {
    const { health, isLenient } = this.#options;
    const all = health.inOrder();
    const heard = all.filter((member) => health.whyPassedOver(member) !== 'silent');
    return isLenient && heard.length > 0 ? heard : all;
  }

  /** @param isByHash then a node that contradicts has lied; by number, it may be on another fork. */
  #fromTwo(request: Request, keyOf: KeyOf, isByHash: boolean): Promise<Outcome> {
    const { health, askOne, timers, isLenient } = this.#options;
    const asked = this.#inOrder();
    return firstAnswers(
      asked.map((member) => askOne(member, request)),
      {
        needed: 2,
        keyOf: (outcome) => voteOf(outcome, keyOf),
        timers,
        isLenient,
        ...(isByHash && { onOutvoted: (at) => health.outvote(asked[at] as Member) }),
      },
    );
  }

  /** The block with that hash. It must be the reported one: an old hash with a new number would hide what is new. */
  #header(pin: Head): Promise<Outcome> {
    const known = this.#headers.get(pin.hash);
    if (known !== undefined) return known;
    const request = { method: 'eth_getBlockByHash', params: [pin.hash, false] };
    const read = this.#fromTwo(request, blockKey, true).then((outcome) => {
      const { number, timestamp } = headOf(unwrap(outcome)) ?? {};
      if (number === pin.number && timestamp === pin.timestamp) return outcome;
      throw unanswered('A node reported a head with the hash of another block.');
    });
    this.#headers.clear();
    this.#headers.set(pin.hash, read);
    read.catch(() => this.#headers.delete(pin.hash));
    return read;
  }

  /** Blocks to query, the most promising first. Nodes are asked for their heads unless one was just reported. */
  async *#pins(): AsyncGenerator<Head> {
    const { health, timers, isLenient } = this.#options;
    const tried = new Set<string>();
    const untried = (heads: readonly Head[]) => heads.filter(({ hash }) => !tried.has(hash) && tried.add(hash));
    const newest = health.newestWithin(PIN_MS);
    if (newest !== undefined && newest.number >= this.#seenBlock) yield* untried([newest]);
    const since = timers.now();
    const asked = this.#inOrder();
    const looks = asked.map((member) => isAnswered(health.look(member)));
    // Two nodes have the second highest block, unless one of them lies.
    const believedHeads = () =>
      secondFirst(asked.flatMap(({ head, headAt }) => (head && headAt >= since ? [head] : []))).filter(
        (head) => !health.isBehind(head),
      );
    await Promise.race([twoOf(looks), ...(isLenient ? [sleep(timers, THIRD_MS)] : [])]);
    yield* untried(believedHeads());
    if (!isLenient) await Promise.all(looks);
    yield* untried(believedHeads());
  }

  async #atOneBlock(ask: (pin: Head) => Promise<Outcome>): Promise<unknown> {
    const { settle } = this.#options;
    let failure: unknown = unanswered('No node answers.');
    let lone: Outcome | undefined;
    for await (const pin of this.#pins()) {
      try {
        // In parallel: the answer is worthless if the block is not the reported one.
        const [outcome, block] = await Promise.all([ask(pin), this.#header(pin)]);
        this.#agreedAt = pin;
        if (outcome.isLone || block.isLone) {
          lone ??= outcome;
          // Two others may still agree on another block.
          if (this.#inOrder().length > 1) continue;
          break;
        }
        settle(false);
        return unwrap(outcome);
      } catch (error) {
        // Two nodes agree at one block that the contract refuses.
        if (refusalOf(error) !== undefined) throw error;
        failure = error;
        // Every node that has the block refuses the request itself.
        if (nodeAnswer(error) !== undefined && (await isAnswered(this.#header(pin)))) throw error;
      }
    }
    if (isDisagreement(failure)) settle(true);
    else if (lone !== undefined) return unwrap(lone);
    throw failure;
  }

  /**
   * The second highest answer: two nodes are at least that high.
   * @param heightOf returns undefined for anything but such an answer.
   */
  async #secondHighest(request: Request, heightOf: (answer: unknown) => bigint | undefined) {
    const { health, askOne, timers, isLenient } = this.#options;
    const said: { readonly answer: unknown; readonly value: bigint }[] = [];
    const asked = this.#inOrder().filter((member) => health.whyPassedOver(member) !== 'silent');
    const all = asked.map((member) =>
      askOne(member, request)().then(
        (answer) => {
          const value = heightOf(answer);
          if (value !== undefined) said.push({ answer, value });
        },
        () => {},
      ),
    );
    await Promise.race([Promise.all(all), sleep(timers, THIRD_MS)]);
    if (said.length === 0 || (said.length < 2 && !isLenient)) await Promise.all(all);
    const [only, second] = said.toSorted((a, b) => descending(a.value, b.value));
    if (isLenient && second === undefined && only !== undefined) return only.answer;
    if (second === undefined) throw unanswered('Too few nodes answer: two must agree.');
    return second.answer;
  }

  /** State of a contract or an account at a block, which is the second parameter. */
  #stateAt(method: string, params: readonly unknown[]): Promise<unknown> {
    const [what, block, ...supposed] = params;
    const at = ({ hash: blockHash }: Head) =>
      this.#fromTwo({ method, params: [what, { blockHash }, ...supposed] }, textKey, true);
    if (block === undefined || block === 'latest' || block === 'pending') return this.#atOneBlock(at);
    const agreed = this.#agreedAt;
    if (agreed !== undefined && block === numberToHex(agreed.number)) return at(agreed).then(unwrap);
    return this.#fromTwo({ method, params }, textKey, false).then(unwrap);
  }
}

type Request = Parameters<Ask>[0];

/** A contract's refusal is an answer, compared by its data: every node words the error differently. */
function voteOf(outcome: Outcome, keyOf: KeyOf): string | undefined {
  if ('error' in outcome) {
    const refusal = refusalOf(outcome.error);
    return refusal && `refused ${refusal.data ?? ''}`;
  }
  const key = keyOf(outcome.answer);
  return key === undefined ? undefined : `said ${key}`;
}

/** Equal for equal answers; undefined for none. */
type KeyOf = (answer: unknown) => string | undefined;

const textKey: KeyOf = (answer) => (typeof answer === 'string' ? answer : undefined);

const blockKey: KeyOf = (block) => {
  if (typeof block !== 'object' || block === null) return undefined;
  const { number, hash, parentHash, timestamp } = block as Record<string, unknown>;
  return [number, hash, parentHash, timestamp].join();
};

/** Key of a receipt. "None" is an answer, too: most receipts are requested before they exist. */
const receiptKey: KeyOf = (receipt) => {
  if (typeof receipt !== 'object' || receipt === null) return 'none';
  const { transactionHash, blockHash, status, gasUsed, logs } = receipt as Record<string, unknown>;
  const events = Array.isArray(logs) ? logs.map(({ address, topics, data }) => [address, topics, data]) : logs;
  return JSON.stringify([transactionHash, blockHash, status, gasUsed, events]);
};

const quantityOf = (answer: unknown): bigint | undefined => (isHex(answer) ? hexToBigInt(answer) : undefined);

const numberOf = (block: unknown) => (block as { number: `0x${string}` }).number;

function secondFirst(heads: readonly Head[]): Head[] {
  const [highest, second, ...rest] = heads.toSorted((a, b) => descending(a.number, b.number));
  return [second, highest, ...rest].filter((head) => head !== undefined);
}

const isAnswered = (look: Promise<unknown>): Promise<boolean> =>
  look.then(
    () => true,
    () => false,
  );

/** Resolves when two of them are answered, or all have ended. */
function twoOf(looks: readonly Promise<boolean>[]): Promise<void> {
  let left = 2;
  return new Promise((resolve) => {
    for (const look of looks) {
      void look.then((isOne) => {
        if (isOne) left -= 1;
        if (left === 0) resolve();
      });
    }
    void Promise.all(looks).then(() => resolve());
  });
}
