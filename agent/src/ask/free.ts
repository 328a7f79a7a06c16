import type { Asset } from '@bowline/core/domain/assets';
import { wrongAddressIn } from '@bowline/http/addresses';
import { pricedTools, readPriced } from '../tools/priced.ts';
import { readIntent } from './forms/read.ts';

/**
 * Free: questions that the rules answer without a priced tool, refusals, and clarifications. With a model configured,
 * anything that the rules do not understand is charged.
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
