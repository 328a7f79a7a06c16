import { canonicalJson } from '@bowline/core/domain/evidence';
import type { Json, Resource } from '@bowline/core/domain/payment';

/** The question that a payment buys one answer to. It is the same over every API. */
export interface Question {
  /** Equal for equal questions, however they are written. */
  readonly key: string;
  readonly ask: Ask;
}

/** A call of a priced tool as it came, or a question in words. */
export type Ask = { readonly tool: string; readonly input: Json } | { readonly prompt: string };

export const inWords = (prompt: string): Question => ({ key: canonicalJson({ prompt }), ask: { prompt } });

/** @param parsed the input as the tool reads it: equal for equal calls. */
export const callOf = (tool: string, input: Json, parsed: unknown): Question => ({
  key: canonicalJson({ tool, input: parsed }),
  ask: { tool, input },
});

/** The first Idempotency-Key of a request. Blank ones do not count: everyone who sends one would share a key. */
export const idempotencyKeyIn = (...places: readonly unknown[]): string | undefined =>
  places.find((given): given is string => typeof given === 'string' && given.trim() !== '');

/** What is paid for, as payers and facilitators see it. */
export const answerAt = (url: string): Resource => ({
  url,
  description: 'One answer of Bowline',
  mimeType: 'application/json',
});
