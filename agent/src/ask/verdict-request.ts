import type { Asset } from '@bowline/core/domain/assets';
import { checkAsset } from '../tools/check-asset.ts';
import { readPriced } from '../tools/priced.ts';
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
