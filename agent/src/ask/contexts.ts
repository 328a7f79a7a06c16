import type { Asset } from '@bowline/core/domain/assets';
import { MAX_TURN_CHARS, MAX_TURNS, type Turn } from './by-model.ts';
import { type Before, beforeOf } from './forms/follow.ts';
import { readIntent } from './forms/read.ts';
import { choiceOf } from './reply/ask-back.ts';

/** Long enough that nobody can guess a random one. */
export const contextIds = /^[\w.:-]{16,128}$/;

const KEPT_MS = 600_000;
const MAX_CONTEXTS = 2_000;
const MAX_CONTEXTS_OF_CALLER = 50;
const MAX_BYTES_OF_CONTEXT = 4_096;

export type Contexts = ReturnType<typeof createContexts>;

interface Kept {
  readonly caller: string;
  readonly at: number;
  readonly before: Before;
  readonly turns: readonly Turn[];
}

/**
 * Follow-up questions: keeps what a conversation asked last in memory for ten minutes. A context belongs to its id and
 * its caller, identified as in the limits: anyone else who guesses the id starts a new one. Behind one proxy only the
 * id separates conversations, so it needs 16 characters; nothing is stored under a shorter one. A caller at its maximum
 * loses its own oldest context; at the total maximum, the caller with the most contexts loses its oldest.
 * @param caller the current caller
 */
export function createContexts(assets: readonly Asset[], caller: () => string, now: () => number) {
  const kept = new Map<string, Kept>();
  const keyOf = (id: string): string => `${caller()} ${id}`;

  const keptIn = (id: string | undefined): Kept | undefined => {
    const found = id === undefined ? undefined : kept.get(keyOf(id));
    return found !== undefined && now() - found.at < KEPT_MS ? found : undefined;
  };

  /** Entries are in the order of their last use. */
  function makeRoom(of: string): void {
    for (const [key, { at }] of kept) if (now() - at >= KEPT_MS) kept.delete(key);
    const counts = new Map<string, number>();
    for (const { caller } of kept.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const [most = of] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
    const from = (counts.get(of) ?? 0) >= MAX_CONTEXTS_OF_CALLER ? of : kept.size >= MAX_CONTEXTS ? most : undefined;
    const oldest = [...kept].find(([, { caller }]) => caller === from);
    if (oldest !== undefined) kept.delete(oldest[0]);
  }

  return {
    /** The prompt, if needed completed from its context: "and for 5,000?" with the trade before it. */
    whole(prompt: string, id?: string): string {
      const before = keptIn(id)?.before;
      if (before === undefined) return prompt;
      const intent = readIntent(prompt, assets, before);
      if (!('calls' in intent)) return prompt;
      const plain = readIntent(prompt, assets);
      const asked = JSON.stringify(intent.calls);
      if ('calls' in plain && JSON.stringify(plain.calls) === asked) return prompt;
      return intent.calls.map((call) => choiceOf(call, intent.language).prompt).join('\n');
    },

    /** Remembers a whole question, and what is asked back. */
    note(whole: string, id?: string): void {
      if (id === undefined || !contextIds.test(id)) return;
      const { before: last, turns = [] } = keptIn(id) ?? {};
      const before = beforeOf(readIntent(whole, assets), last);
      kept.delete(keyOf(id));
      if (JSON.stringify(before).length > MAX_BYTES_OF_CONTEXT) return;
      makeRoom(caller());
      kept.set(keyOf(id), { caller: caller(), at: now(), before, turns });
    },

    /** Remembers what was answered to a question that was noted. */
    answered(question: string, answer: string, id?: string): void {
      const found = keptIn(id);
      if (id === undefined || found === undefined) return;
      const turn = { question: question.slice(0, MAX_TURN_CHARS), answer: answer.slice(0, MAX_TURN_CHARS) };
      kept.set(keyOf(id), { ...found, turns: [...found.turns, turn].slice(-MAX_TURNS) });
    },

    /** Oldest first, for a model. */
    turns: (id?: string) => keptIn(id)?.turns ?? [],
  };
}
