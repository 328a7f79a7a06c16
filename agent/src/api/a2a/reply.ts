import type { Part } from '@a2a-js/sdk';
import { type Answer, answerJson } from '@bowline/core/domain/answer';
import type { Result } from '@bowline/core/domain/result';
import type { Turn } from '../../ask/by-model.ts';
import type { Contexts } from '../../ask/contexts.ts';
import type { Reply, Seller } from '../../selling/jobs/negotiate.ts';
import type { Ask } from '../../selling/payments/question.ts';
import type { CallTool } from '../../tools/call.ts';
import { isJson } from '../../tools/read-input.ts';
import { MAX_PROMPT_CHARS, promptInput } from '../../tools/schemas.ts';
import type { Tool } from '../../tools/tool.ts';

export type { Reply } from '../../selling/jobs/negotiate.ts';

/** The reply to a question with a price: its terms, and the HTTP endpoint that sells the answer. Undefined: it is free. */
export type Quote = (ask: Ask) => Promise<Reply | undefined>;

export interface Skills {
  readonly tools: readonly Tool[];
  readonly call: CallTool;
  /** Absent if nothing is sold. */
  readonly seller?: Seller;
  /** Absent if no question in words is answered. Fails with `rate_limited` past the prompt limit. */
  readonly answer?: (prompt: string, previous?: readonly Turn[]) => Promise<Result<Answer>>;
  /** Absent: no follow-up questions. */
  readonly contexts?: Contexts;
  /** Absent: every answer is free. */
  readonly quote?: Quote;
}

const dataOf = (parts: readonly Part[]): unknown =>
  parts.map(({ content }) => content).find((content) => content?.$case === 'data')?.value;

const wordsOf = (parts: readonly Part[]): string =>
  parts
    .map(({ content }) => (content?.$case === 'text' ? content.value : ''))
    .join('\n')
    .trim();

/** The reply to a message: its first data part selects a skill; without one, its text is a question. */
export async function replyTo(parts: readonly Part[], skills: Skills, contextId?: string): Promise<Reply> {
  const data = dataOf(parts);
  if (data !== undefined)
    return isJson(data) ? await replyToData(data, skills, contextId) : unknownSkill(undefined, skills);
  return await ask(wordsOf(parts), skills, contextId);
}

async function replyToData(
  { skill, ...rest }: Record<string, unknown>,
  skills: Skills,
  contextId: string | undefined,
): Promise<Reply> {
  const { seller, tools, call } = skills;
  if (seller && skill === 'negotiate') return await seller.negotiate(isJson(rest.request) ? rest.request : rest);
  if (seller && skill === 'notify_funded') return await seller.notifyFunded(rest.job_id);
  if (skill === 'ask') return await ask(rest.prompt, skills, contextId);
  if (typeof skill !== 'string' || !tools.some(({ name }) => name === skill)) return unknownSkill(skill, skills);
  const quoted = await skills.quote?.({ tool: skill, input: rest });
  if (quoted !== undefined) return quoted;
  const result = await call(skill, rest);
  return result.ok ? result.value : failed(result, skill);
}

async function ask(said: unknown, skills: Skills, contextId: string | undefined): Promise<Reply> {
  if (skills.answer === undefined || said === '') return unknownSkill('', skills);
  const { data: asked } = promptInput.safeParse(said);
  if (asked === undefined) {
    const error = `Send 1 to ${MAX_PROMPT_CHARS} characters of text as the prompt.`;
    return { error, code: 'invalid_prompt', retryable: false };
  }
  const prompt = skills.contexts?.whole(asked, contextId) ?? asked;
  skills.contexts?.note(prompt, contextId);
  const quoted = await skills.quote?.({ prompt });
  if (quoted !== undefined) return quoted;
  const answered = await skills.answer(prompt, skills.contexts?.turns(contextId));
  if (answered.ok) skills.contexts?.answered(prompt, answered.value.text, contextId);
  return answered.ok ? showAnswer(answered.value) : failed(answered, 'ask');
}

/** An answer in words as data. A2A's data uses camel case. */
function showAnswer(answer: Answer): Reply {
  const { answered_by: answeredBy, comment_left_out: commentLeftOut, ...shown } = answerJson(answer);
  return { ...shown, commentLeftOut, answeredBy };
}

export function failed({ code, message, retryable }: Result<never> & { ok: false }, skill: string): Reply {
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
