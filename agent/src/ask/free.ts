import type { Asset } from '@bowline/core/domain/assets';
import { readIntent } from './intent/intent.ts';

/**
 * Whether a question in words is free where verdicts have a price: the rules understand it and answer it without a
 * priced tool. What they do not understand is asked back, which is free, too; but with a model that answers it, it costs.
 */
export function isFreeQuestion(
  prompt: string,
  { assets, priced, hasModel }: { assets: readonly Asset[]; priced: readonly string[]; hasModel: boolean },
): boolean {
  const intent = readIntent(prompt, assets);
  return 'calls' in intent ? !intent.calls.some(({ tool }) => priced.includes(tool)) : !hasModel;
}
