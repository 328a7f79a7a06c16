import type { Asset } from '@bowline/core/domain/assets';
import { wrongAddressIn } from '@bowline/http/addresses';
import { pricedTools, readPriced } from '../tools/priced.ts';
import { readIntent } from './forms/read.ts';

/**
 * Whether a question in words is free where verdicts have a price: the rules understand it and answer it without a
 * priced tool, or that tool could only say why it has no answer. Replies without a tool are free. What they do not understand is asked back, which is free, too; but with a model that answers it, it costs.
 * One with a wrong address is refused, which is free.
 */
export function isFreeQuestion(
  prompt: string,
  { assets, hasModel }: { readonly assets: readonly Asset[]; readonly hasModel: boolean },
): boolean {
  if (wrongAddressIn(prompt) !== undefined) return true;
  const intent = readIntent(prompt, assets);
  if ('fixed' in intent) return true;
  if (!('calls' in intent)) return !hasModel;
  return !intent.calls.some(({ tool, input }) => pricedTools.includes(tool) && readPriced(tool, input, assets).ok);
}
