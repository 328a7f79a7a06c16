import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined unless the text is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each job says what it expects of it.
  readonly json: any;
}

const answerWithinMs = 30_000;
/** How long a run, a rescue or a delivery may take. */
export const patienceMs = 30_000;
const lookMs = 250;

export function must(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

/** @throws what is irregular in a record. */
export const mustBeRegular = (irregularities: readonly string[]): void =>
  must(irregularities.length === 0, irregularities.join(' '));

export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(answerWithinMs) });
  const text = await response.text();
  return { status: response.status, text, json: parsed(text) };
}

export const post = (url: string, body: unknown): Promise<Answer> =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @throws unless the answer is 200 and JSON. */
export function good({ status, json, text }: Answer): Answer['json'] {
  must(status === 200, `answers ${status} ${json?.code ?? text.slice(0, 60)}`);
  must(json !== undefined, 'answers 200 without JSON');
  return json;
}

/** Polls until `look` returns something. @throws `otherwise` when patience ends. */
export async function awaited<Found>(
  look: () => Promise<Found | undefined>,
  otherwise: string,
  withinMs = patienceMs,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`${otherwise} within ${withinMs / 1000} s`);
    await sleep(lookMs);
  }
}
