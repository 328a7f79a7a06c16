import type { Reply } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { type Failure, isAnswer, type Result, success } from '@bowline/core/domain/result';
import type { CallTool } from '../tools/call.ts';
import { checkAsset } from '../tools/check-asset.ts';
import { readIntent } from './intent/intent.ts';
import type { Intent, ToolCall } from './intent/question.ts';
import { leadInChinese } from './reply/in-chinese.ts';
import { replyWithoutCalls } from './reply/replies.ts';
import { sentences } from './reply/sentences.ts';

/**
 * Answers without a language model: rules map the question to tool calls, sentences render their output. Fails with the first call that
 * has no answer now; but a verdict that was reached is told, and beside it what failed, since it may be all that was paid for, and the
 * rest may fail for ever.
 */
export async function answerByRules(
  prompt: string,
  { assets, call }: { readonly assets: readonly Asset[]; readonly call: CallTool },
): Promise<Result<Reply>> {
  const intent = readIntent(prompt, assets);
  if (!('calls' in intent)) {
    const { text, choices } = replyWithoutCalls(intent, assets);
    return success({ text, choices, tools: [], answeredBy: 'embedded' });
  }

  const answers = await Promise.all(
    intent.calls.map(async (toolCall) => ({ toolCall, result: await call(toolCall.tool, toolCall.input) })),
  );
  const verdicts = answers.filter(({ toolCall }) => toolCall.tool === checkAsset.name);
  const needed = verdicts.some(({ result }) => result.ok) ? verdicts : answers;
  const broken = needed
    .map(({ result }) => result)
    .find((result): result is Failure => !result.ok && !isAnswer(result));
  if (broken) return broken;
  const text = answers.map(({ toolCall, result }) => {
    if (result.ok) return said(intent.language, toolCall, result.value);
    return isAnswer(result) ? inWords(result) : `Not answered (${toolCall.tool}): ${inWords(result)}`;
  });
  const guessed = intent.readings === undefined ? [] : [`(${intent.readings.join('; ')}.)`];
  return success({
    text: [...new Set([...text, ...guessed])].join('\n'),
    tools: intent.calls.map(({ tool }) => tool),
    choices: [],
    answeredBy: 'embedded',
  });
}

/** In Chinese a first line says what it comes to. */
function said(language: Intent['language'], call: ToolCall, output: Record<string, unknown>): string | undefined {
  const details = sentences.get(call.tool)?.(output, call);
  const lead = language && leadInChinese(call.tool, output);
  return lead === undefined ? details : `${lead}\n${details}`;
}

/** Argument names mean nothing to the user. */
const inWords = ({ message }: Failure): string => message.replace(/^amount_(?:usd|asset) /, 'The size ');
