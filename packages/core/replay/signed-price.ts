import type { Asset } from '../domain/assets.ts';
import { bscChainId, localChainId } from '../domain/chains.ts';
import type { Proposal, Reference } from '../domain/facts.ts';
import { toIsoTime } from '../domain/readable.ts';
import { formatUnits, type Hex } from '../domain/units.ts';
import { type CheckedPrice, checkUpdate, referenceOf, type SignatureHashing } from '../pyth/check.ts';
import { UpdateRefused } from '../pyth/update.ts';
import { pythFeedOf, pythSignersOf } from '../registry/pyth.ts';
import type { Line } from './line.ts';

/**
 * Whether Pyth has signed the prices in the evidence: the asset's, and the quote token's. Empty if the evidence has none.
 * @param chainId of the ticket; undefined for evidence without a ticket, which may be of any chain.
 */
export async function signedPriceLines(
  { asset, quoteAsset, pyth, quotePyth }: Pick<Proposal, 'asset' | 'quoteAsset' | 'pyth' | 'quotePyth'>,
  chainId: number | undefined,
  hashing: SignatureHashing,
): Promise<Line[]> {
  const lines = await Promise.all([
    linesOf("Pyth's signed price", asset, pyth, chainId, hashing),
    linesOf(`Pyth's signed price of ${quoteAsset.symbol}`, quoteAsset, quotePyth, chainId, hashing),
  ]);
  return lines.flat();
}

async function linesOf(
  what: string,
  asset: Asset,
  pyth: Proposal['pyth'],
  chainId: number | undefined,
  hashing: SignatureHashing,
): Promise<Line[]> {
  if (pyth === undefined || pyth === 'off') return [];
  const said = inWords(pyth);
  if (pyth.signed === undefined) {
    // An agent stores the bytes of each price, so a ticket's evidence without them must have lost them.
    if (chainId !== undefined) return [{ what, said, found: 'no signed bytes' }];
    return [{ what, said, found: said, unchecked: 'The evidence has no signed bytes of it.' }];
  }
  // The registry's feed takes precedence over the evidence's, which may be the feed of something else.
  const feed = pythFeedOf(asset.symbol) ?? asset.pythId;
  if (feed === undefined) return [{ what, said, found: `no feed of Pyth for ${asset.symbol}` }];
  try {
    const { price, by, guardianSet } = await checked(pyth.signed, feed, chainId, hashing);
    const found = inWords(referenceOf(price));
    if (by === undefined) {
      const unchecked = `The registry names no guardians of set ${guardianSet}, so the signatures are not checked.`;
      return [{ what, said, found, unchecked }];
    }
    const line = { what: `${what}, of guardian set ${guardianSet} (${by.name})`, said, found };
    const isKnownKey = chainId === undefined && guardianSet === localChainId;
    return [
      isKnownKey ? { ...line, unchecked: 'Its keys are public: it proves something on a local chain alone.' } : line,
    ];
  } catch (error) {
    if (!(error instanceof UpdateRefused)) throw error;
    return [{ what, said, found: `refused: ${error.message}` }];
  }
}

/** A document without a ticket may be BNB Chain's or a local chain's. */
async function checked(
  signed: Hex,
  feed: Hex,
  chainId: number | undefined,
  hashing: SignatureHashing,
): Promise<CheckedPrice> {
  if (chainId !== undefined) return checkUpdate(signed, feed, pythSignersOf(chainId), hashing);
  return checkUpdate(signed, feed, pythSignersOf(bscChainId), hashing).catch((error: unknown) =>
    checkUpdate(signed, feed, pythSignersOf(localChainId), hashing).catch(() => Promise.reject(error)),
  );
}

function inWords({ usdWad, confidenceWad, updatedAt }: Reference): string {
  const confidence = confidenceWad === undefined ? '' : ` ± ${formatUnits(confidenceWad, 18)}`;
  return `${formatUnits(usdWad, 18)} USD${confidence}${updatedAt === undefined ? '' : `, ${toIsoTime(updatedAt)}`}`;
}
