import type { Reply } from '@bowline/core/domain/answer';
import type { Asset } from '@bowline/core/domain/assets';
import { type Failure, isAnswer, type Result, success } from '@bowline/core/domain/result';
import type { CallTool } from '../tools/call.ts';
import { checkAsset } from '../tools/check-asset.ts';
import { readIntent } from './forms/read.ts';
import type { Language } from './question.ts';
import { askBack } from './reply/ask-back.ts';
import { sentences } from './reply/sentences.ts';
import { fixedTexts, meaningText, withLists } from './texts.ts';

/**
 * Answers without a language model: forms map the question to tool calls, sentences render the output in its language.
 * Fails with the first call that has no answer now. But a verdict that was reached is returned together with what
 * failed: it may be all that was paid for, and the rest may never succeed.
 */
export async function answerByRules(
  prompt: string,
  { assets, call }: { readonly assets: readonly Asset[]; readonly call: CallTool },
): Promise<Result<Reply>> {
  const intent = readIntent(prompt, assets);
  const { language } = intent;
  const said = (text: string, choices: Reply['choices'] = []) =>
    success({ text, choices, tools: [], answeredBy: 'embedded' } as const);
  if ('fixed' in intent) {
    const { choices } = askBack({ language, back: 'not_understood', offered: [] }, assets);
    const { fixed, about = '' } = intent;
    const text = fixed === 'meaning' ? meaningText(about, language) : (fixedTexts(fixed, language)[1] ?? '');
    return said(withLists(text, language, assets), fixed === 'hello' ? choices : []);
  }
  if ('back' in intent) {
    const { text, choices } = askBack(intent, assets);
    return said(text, choices);
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
    if (result.ok) return sentences.get(toolCall.tool)?.(result.value, toolCall, language);
    return isAnswer(result)
      ? inWords(result, language)
      : `${language === 'zh' ? '未能回答' : 'Not answered'} (${toolCall.tool}): ${inWords(result, language)}`;
  });
  const guessed = intent.readings.map(({ written, as }) =>
    language === 'zh'
      ? `（“${written}”按 ${as === 'USD' ? '美元' : as} 理解。）`
      : `"${written}" was read as ${as === 'USD' ? 'US dollars' : as}`,
  );
  const told = guessed.length === 0 ? [] : language === 'zh' ? guessed : [`(${[...new Set(guessed)].join('; ')}.)`];
  return success({
    text: [...new Set([...text, ...told])].join('\n'),
    tools: intent.calls.map(({ tool }) => tool),
    choices: [],
    answeredBy: 'embedded',
  });
}

/** Argument names mean nothing to the user. */
const inWords = ({ code, message }: Failure, language: Language): string =>
  language === 'zh'
    ? `${refused[code] ?? '无法回答'}（${code}）。`
    : message.replace(/^amount_(?:usd|asset) /, 'The size ');

const refused: Readonly<Record<string, string>> = {
  unknown_asset: '不支持这种资产',
  invalid_amount: '数量必须大于 0，并且不能过大',
  not_found: '没有这样的计划或守护',
  no_pool: '这种资产在这里没有交易池',
};
