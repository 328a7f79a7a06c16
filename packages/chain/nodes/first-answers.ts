import type { Timers } from '@bowline/core/domain/time';
import { HttpRequestError } from 'viem';

/** A node's answer, or the error with which it refused. `isLone`: no other node answered. */
export type Outcome = ({ readonly answer: unknown } | { readonly error: unknown }) & { readonly isLone?: true };

export function unwrap(outcome: Outcome): unknown {
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

/**
 * Milliseconds until another node is asked as well. A heavy call takes that long; the node that was asked first may still
 * answer.
 */
const patienceMs = 300;

export interface Voting {
  /** Number of equal answers that decide. */
  readonly needed: number;
  /** Equal for equal outcomes. Undefined: the node did not answer. */
  keyOf(outcome: Outcome): string | undefined;
  readonly timers: Timers;
  /** Whether one node's answer is soon returned as `isLone` if no other node answers. */
  readonly isLenient?: boolean;
  /** Called for each node whose answer differs from the decision, even if it arrives later. */
  onOutvoted?(at: number): void;
}

/**
 * Asks as many nodes as are needed, and a further one whenever one fails, contradicts, or takes long. Resolves with the
 * answer that `needed` of them gave.
 * @param asks one request per node, in order of preference.
 * @throws the first error if no node gave an answer; otherwise an error like that of a node that does not answer.
 */
export function firstAnswers(asks: readonly (() => Promise<unknown>)[], voting: Voting): Promise<Outcome> {
  const { needed, keyOf, timers, isLenient = false, onOutvoted } = voting;
  return new Promise((resolve, reject) => {
    const votes: { readonly at: number; readonly key: string; readonly outcome: Outcome }[] = [];
    const errors: unknown[] = [];
    let next = 0;
    let open = 0;
    let decided: string | undefined;
    let cancel = () => {};

    const ask = () => {
      cancel();
      const at = next;
      const request = asks[at];
      if (decided !== undefined) return;
      if (request === undefined) return decideAlone();
      next += 1;
      open += 1;
      cancel = timers.after(patienceMs, ask);
      request().then(
        (answer) => arrive(at, { answer }),
        (error: unknown) => arrive(at, { error }),
      );
    };
    const arrive = (at: number, outcome: Outcome) => {
      open -= 1;
      const key = keyOf(outcome);
      if (decided !== undefined) {
        if (key !== undefined && key !== decided) onOutvoted?.(at);
        return;
      }
      if (key === undefined) {
        if ('error' in outcome) errors.push(outcome.error);
      } else {
        votes.push({ at, key, outcome });
        if (votes.filter((vote) => vote.key === key).length >= needed) return decide(key, outcome);
      }
      const areAllAsked = next >= asks.length;
      if (areAllAsked && isLenient) {
        cancel();
        cancel = timers.after(patienceMs, decideAlone);
      } else if (key === undefined || votes.length >= needed) ask();
      if (open === 0 && next >= asks.length) fail();
    };
    const decide = (key: string, outcome: Outcome) => {
      decided = key;
      cancel();
      for (const vote of votes) if (vote.key !== key) onOutvoted?.(vote.at);
      resolve(outcome);
    };
    const decideAlone = () => {
      const [only, ...others] = votes;
      if (isLenient && only !== undefined && others.length === 0) decide(only.key, { ...only.outcome, isLone: true });
    };
    const fail = () => {
      cancel();
      decideAlone();
      if (decided !== undefined) return;
      if (votes.length === 0) reject(errors[0] ?? unanswered('No node answers.'));
      else if (votes.length < needed) reject(unanswered('Too few nodes answer: two must agree.'));
      else reject(unanswered(DISAGREEMENT));
    };

    for (let at = 0; at < Math.max(1, needed); at += 1) ask();
    if (asks.length === 0) fail();
  });
}

const DISAGREEMENT = 'The nodes disagree.';

/** Whether nodes answered, but no two of them the same. */
export const isDisagreement = (error: unknown): boolean =>
  error instanceof HttpRequestError && error.details === DISAGREEMENT;

/** The same error as for a node that does not answer, so that callers wait and retry. */
export const unanswered = (details: string) => new HttpRequestError({ details, url: 'RPC_URL' });
