import { type Asset, tradedAsset } from '@bowline/core/domain/assets';
import { canonicalJson } from '@bowline/core/domain/evidence';
import { failure, type Result, success } from '@bowline/core/domain/result';
import { failureOf, inputCode, inputError, wordsOf } from './call.ts';
import { checkAsset } from './check-asset.ts';
import { draftSwap } from './draft-swap.ts';
import { findAsset, sizeOf } from './schemas.ts';

/** Tools whose answer is a whole verdict. Where answers have a price, these cost it, at every door. */
export const pricedTools: readonly string[] = [checkAsset.name, draftSwap.name];

/**
 * Reads the input of a priced tool before anything is charged: what no market can answer is refused here. Equal
 * questions have equal readings.
 */
export function readPriced(tool: string, input: unknown, assets: readonly Asset[]): Result<string> {
  const isDraft = tool === draftSwap.name;
  const schema = isDraft ? draftSwap.input : checkAsset.input;
  const { data, error } = schema.safeParse(input ?? {}, { error: wordsOf });
  if (error) return failure(inputCode(error), inputError(schema, error));
  try {
    const asset = findAsset({ assets }, data.asset);
    if (isDraft) tradedAsset(asset);
    sizeOf(asset, data, isDraft ? undefined : { usdWad: 0n });
    return success(canonicalJson({ ...data, asset: asset.symbol }));
  } catch (thrown) {
    return failureOf(thrown, (unexpected) => {
      throw unexpected;
    });
  }
}
