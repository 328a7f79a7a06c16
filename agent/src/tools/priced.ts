import { type Asset, tradedAsset } from '@bowline/core/domain/assets';
import { canonicalJson } from '@bowline/core/domain/evidence';
import type { Size } from '@bowline/core/domain/facts';
import { type Result, success } from '@bowline/core/domain/result';
import { failureOf } from './call.ts';
import { checkAsset } from './check-asset.ts';
import { draftSwap } from './draft-swap.ts';
import { readInput } from './read-input.ts';
import { findAsset, sizeOf } from './schemas.ts';

/** Tools whose answer is a whole verdict. If answers have a price, these cost it, over every API. */
export const pricedTools: readonly string[] = [checkAsset.name, draftSwap.name];

/**
 * Reads the input of a priced tool before anything is charged: what no market can answer is refused here. Equal
 * questions have equal readings.
 */
export function readPriced(tool: string, input: unknown, assets: readonly Asset[]): Result<string> {
  const isDraft = tool === draftSwap.name;
  const schema = isDraft ? draftSwap.input : checkAsset.input;
  const given = readInput(schema, input);
  if (!given.ok) return given;
  const trade = readTrade(given.value, assets, isDraft ? undefined : { usdWad: 0n });
  return trade.ok ? success(canonicalJson(trade.value)) : trade;
}

/**
 * A trade by the symbol of its asset. Fails with `unknown_asset`, `no_pool` or `invalid_amount`.
 * @param otherwise default size; if omitted, a missing size is an error.
 */
export function readTrade<Given extends Parameters<typeof sizeOf>[1] & { readonly asset: string }>(
  given: Given,
  assets: readonly Asset[],
  otherwise?: Size,
): Result<Given> {
  try {
    const asset = tradedAsset(findAsset({ assets }, given.asset));
    sizeOf(asset, given, otherwise);
    return success({ ...given, asset: asset.symbol });
  } catch (thrown) {
    return failureOf(thrown, (unexpected) => {
      throw unexpected;
    });
  }
}
