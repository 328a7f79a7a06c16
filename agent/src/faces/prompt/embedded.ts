import type { Answer } from '../../domain/answer.ts';
import type { Asset } from '../../domain/assets.ts';
import { type Failure, type Result, success } from '../../domain/result.ts';
import type { CallTool } from '../../tools/call.ts';
import { type Missing, type Refusal, readIntent } from './intent.ts';
import { capabilities, sentences } from './sentences.ts';

/** Answers without a language model: by rules from the question to the tools, and in sentences from what they give. */
export async function answerByRules(
  prompt: string,
  { assets, call }: { readonly assets: readonly Asset[]; readonly call: CallTool },
): Promise<Result<Answer>> {
  const intent = readIntent(prompt, assets);
  if ('refusal' in intent) return reply(refusals[intent.refusal]);
  if ('missing' in intent) return reply(questions[intent.missing](assets.map(({ symbol }) => symbol).join(', ')));

  const results = await Promise.all(intent.calls.map(({ tool, input }) => call(tool, input)));
  const broken = results.find((result): result is Failure => !result.ok && !isAnswer(result));
  if (broken) return broken;
  const text = results.map((result, index) => {
    const { tool } = intent.calls[index] ?? { tool: '' };
    return result.ok ? sentences.get(tool)?.(result.value) : result.message;
  });
  return reply(
    text.join('\n'),
    intent.calls.map(({ tool }) => tool),
  );
}

const reply = (text: string, tools: readonly string[] = []): Result<Answer> =>
  success({ text, tools, answeredBy: 'embedded' });

/** A plan that does not exist is an answer. A chain that does not is none. */
const isAnswer = ({ code }: Failure): boolean => code !== 'chain_unavailable' && code !== 'internal';

const questions: Record<Missing, (listed: string) => string> = {
  asset: (listed) => `Which asset do you mean? I know ${listed}.`,
  amount: () => 'For how many US dollars? For example: "How much BTCB would I get for $500?"',
  address: () => 'Of which address? Write it out: 0x and 40 hexadecimal digits. I do not know who is asking.',
  plan: () => 'Of which plan? Name its number, for example "runs of plan 1".',
  guard: () => 'Which guard? Name its number, for example "would guard 1 rescue?"',
  'one asset': () => 'I quote one asset against its stablecoin, such as "How much ETH would I get for $500?"',
};

const refusals: Record<Refusal, string> = {
  not_understood: `That is beyond me. ${capabilities}`,
  only_reads: `I only look and answer: from here nothing is signed, sent or changed, which your own wallet does. ${capabilities}`,
  no_forecast: `I do not forecast prices. ${capabilities}`,
  not_instructed: `A verdict comes from its checks, and no request changes how I work. ${capabilities}`,
};
