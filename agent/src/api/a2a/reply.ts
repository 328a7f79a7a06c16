import type { Part } from '@a2a-js/sdk';
import { type Answer, answerJson } from '@bowline/core/domain/answer';
import type { Json } from '@bowline/core/domain/payment';
import type { Result } from '@bowline/core/domain/result';
import type { Reply, Seller } from '../../seller/seller.ts';
import type { CallTool } from '../../tools/call.ts';
import type { Tool } from '../../tools/tool.ts';

export type { Reply } from '../../seller/seller.ts';

const MAX_PROMPT_CHARS = 4_000;

export interface Skills {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  /** Absent if nothing is sold. */
  readonly seller?: Seller;
  /** Absent if questions in words are paid through another API. Fails with `rate_limited` past the prompt limit. */
  readonly answer?: (prompt: string) => Promise<Result<Answer>>;
}

/** The skill that the first data part names, and its arguments; none without one. */
export function skillOf(parts: readonly Part[]): { readonly skill?: string; readonly input: Json } {
  const data = dataOf(parts);
  if (!isObject(data)) return { input: {} };
  const { skill, ...input } = data;
  return { ...(typeof skill === 'string' && { skill }), input };
}

/** The question in words of a message; undefined if there is none that could be answered. */
export function promptOf(parts: readonly Part[]): string | undefined {
  const { skill, input } = skillOf(parts);
  const prompt = dataOf(parts) === undefined ? wordsOf(parts) : skill === 'ask' ? input.prompt : undefined;
  return isPrompt(prompt) ? prompt : undefined;
}

const dataOf = (parts: readonly Part[]): unknown =>
  parts.map(({ content }) => content).find((content) => content?.$case === 'data')?.value;

const wordsOf = (parts: readonly Part[]): string =>
  parts
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('\n')
    .trim();

const isPrompt = (prompt: unknown): prompt is string =>
  typeof prompt === 'string' && prompt.trim() !== '' && [...prompt].length <= MAX_PROMPT_CHARS;

/** The reply to a message: its first data part selects a skill; without one, its text is a question. */
export async function replyTo(parts: readonly Part[], skills: Skills): Promise<Reply> {
  const data = dataOf(parts);
  if (data !== undefined) return isObject(data) ? await replyToData(data, skills) : unknownSkill(undefined, skills);
  return await ask(wordsOf(parts), skills);
}

/** Whether a message notifies of a funded job. */
export function isNotice(parts: readonly Part[]): boolean {
  return skillOf(parts).skill === 'notify_funded';
}

async function replyToData({ skill, ...rest }: Record<string, unknown>, skills: Skills): Promise<Reply> {
  const { seller, tools, call } = skills;
  if (seller && skill === 'negotiate') return await seller.negotiate(isObject(rest.request) ? rest.request : rest);
  if (seller && skill === 'notify_funded') return await seller.notifyFunded(rest.job_id);
  if (skill === 'ask') return await ask(rest.prompt, skills);
  if (typeof skill !== 'string' || !tools.some(({ name }) => name === skill)) return unknownSkill(skill, skills);
  const result = await call(skill, rest);
  return result.ok ? result.value : failed(result, skill);
}

async function ask(prompt: unknown, skills: Skills): Promise<Reply> {
  if (skills.answer === undefined || prompt === '') return unknownSkill('', skills);
  if (!isPrompt(prompt)) {
    const error = `Send 1 to ${MAX_PROMPT_CHARS} characters of text as the prompt.`;
    return { error, code: 'invalid_prompt', retryable: false };
  }
  const answered = await skills.answer(prompt);
  return answered.ok ? showAnswer(answered.value) : failed(answered, 'ask');
}

/** An answer in words as data. Names of A2A's data are in camel case. */
export function showAnswer(answer: Answer): Reply {
  const { answered_by: answeredBy, comment_left_out: commentLeftOut, ...shown } = answerJson(answer);
  return { ...shown, commentLeftOut, answeredBy };
}

function failed({ code, message, retryable }: Result<never> & { ok: false }, skill: string): Reply {
  return { ...(retryable && { status: 'retry' }), error: message, code, retryable, skill };
}

function unknownSkill(skill: unknown, { tools, answer, seller }: Skills): Reply {
  const named = typeof skill === 'string' ? skill.slice(0, 64) : '';
  const sold = seller ? ['negotiate', 'notify_funded'] : [];
  return {
    error: `unknown skill: "${named}"`,
    skills: [...sold, ...(answer ? ['ask'] : []), ...tools.map(({ name }) => name)],
    hint: 'Send a data part {"skill": …} with its arguments in the same object.',
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
