import type { Address } from 'viem';
import type { Deployment } from '../record.ts';

/** Where the parts of a running stack listen, and what its contracts are. */
export interface World {
  readonly chainId: number;
  readonly agentUrl: string;
  readonly webUrl: string;
  readonly rpcUrl: string;
  /** The deployment record, as its file and as its content. */
  readonly recordFile: string;
  readonly record: Deployment;
  /** Of an answer, in USD, as the agent says; 0: answers are free. */
  readonly priceUsd: number;
  /** For whose wallet swaps are drafted. It signs nothing. */
  readonly owner: Address;
  /** The data provider's key, which no client may see. Absent: it is not known here, or there is none. */
  readonly marketDataKey?: string;
  /** How long a run, a rescue or a delivery may take. */
  readonly patienceMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}

/** One promise of the service to the outside. */
export interface Promised {
  /** What is promised, as a sentence without a full stop. */
  readonly that: string;
  /**
   * Plays it as a client would.
   * @returns what was found, in a few words.
   * @throws Absent where this chain has no such part; Broken, or any error, where the promise is not kept.
   */
  keep(world: World): Promise<string>;
}

/** This chain does not have the part, which the interface allows. */
export class Absent extends Error {}

/** @throws Absent if an answer has a price: nothing is bought. */
export function unpriced({ priceUsd }: World): void {
  if (priceUsd > 0) throw new Absent(`Not played here: it costs money, ${priceUsd} USD.`);
}

/** Why an offer that would be made to an owner of tokens cannot be seen. */
export const lacksTokens = ({ owner }: World): string =>
  `Not played here: ${owner} holds too little to buy for. Name an account that does by --owner.`;

/** The promise is broken. */
class Broken extends Error {}

export function must(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Broken(otherwise);
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined unless the text is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each promise says what it expects of it.
  readonly json: any;
}

const answerWithinMs = 30_000;

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(answerWithinMs) }).catch(
    () => {
      throw new Broken(`${new URL(url).host} does not answer.`);
    },
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws Broken unless the answer is that problem, in the standard's form and without anything of the code. */
export function mustBeProblem({ status, headers, text, json }: Answer, expected: number, code: string): void {
  must(status === expected && json?.code === code, `gets ${status} ${json?.code}`);
  const type = headers.get('content-type') ?? '';
  must(type.startsWith('application/problem+json'), `is ${type}`);
  must(!/\n\s+at |node_modules/.test(text), 'has a stack trace');
}

/** @throws Broken unless the answer is 200 and JSON. */
export function good({ status, json, text }: Answer): Answer['json'] {
  must(status === 200, `answers ${status} ${json?.code ?? text.slice(0, 60)}`);
  must(json !== undefined, 'answers 200 without JSON');
  return json;
}

/** Looks again until there is something. @throws Broken with `otherwise` when patience ends. */
export async function awaited<Found>(
  { patienceMs, sleep, now }: World,
  look: () => Promise<Found | undefined>,
  otherwise: string,
): Promise<Found> {
  const deadline = now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (now() > deadline) throw new Broken(`${otherwise} within ${patienceMs / 1000} s`);
    await sleep(1_000);
  }
}
