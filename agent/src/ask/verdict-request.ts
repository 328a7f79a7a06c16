import type { Asset } from '@bowline/core/domain/assets';
import { wrongAddressIn } from '@bowline/http/addresses';
import { checkAsset } from '../tools/check-asset.ts';
import { pricedTools, readPriced } from '../tools/priced.ts';
import { readIntent } from './forms/read.ts';

/**
 * The check_asset arguments of a task; undefined if it asks for anything else, for more than one verdict, or for one that no
 * market can give.
 */
export function verdictRequest(task: string, assets: readonly Asset[]): Readonly<Record<string, unknown>> | undefined {
  const intent = readIntent(task, assets);
  const [call, ...others] = 'calls' in intent ? intent.calls : [];
  if (call?.tool !== checkAsset.name || others.length > 0) return undefined;
  return readPriced(call.tool, call.input, assets).ok ? call.input : undefined;
}

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
