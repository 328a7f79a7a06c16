import { type Permit2Token, permit2Tokens } from '@bowline/core/domain/payment';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, mulDivUp, WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { Offer } from './payment.ts';

type Offers = readonly [Offer, ...Offer[]];

/** The operator's price for an answer. */
interface Price {
  readonly priceUsdWad: bigint;
  readonly payTo: Address;
  readonly permit2Tokens: readonly Permit2Token[];
}

/**
 * The tokens that pay for an answer: the escrow's by its own signatures, and over B402 others by Permit2. All of them are US dollar
 * stablecoins.
 */
export function offersOf(
  chainId: number,
  { priceUsdWad, payTo, permit2Tokens: symbols }: Price,
  { escrow, assets }: AddressBook,
  takesPermit2: boolean,
): Offers {
  if (escrow === undefined) throw new Error('PRICE_USD is above 0, but this chain has no payment token.');
  const terms = { network: `eip155:${chainId}`, payTo } as const;
  // Rounded up: a price above 0 is never free.
  const amountOf = (decimals: number) => mulDivUp(priceUsdWad, 10n ** BigInt(decimals), WAD);
  const { address, decimals, name, version } = escrow.token;
  const amount = amountOf(decimals);
  const preferred: Offer = { ...terms, method: 'eip3009', asset: address, amount, token: { name, version } };
  const offerOf = (symbol: Permit2Token): Offer => {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset === undefined) throw new Error(`PERMIT2_TOKENS names ${symbol}, which is not on this chain.`);
    const token = { name: permit2Tokens[symbol], version: '1' };
    return { ...terms, method: 'permit2-exact', asset: asset.address, amount: amountOf(asset.decimals), token };
  };
  if (!takesPermit2) return [preferred];
  // Each token has one payment method, so that its transfers prove payments of one kind.
  return [preferred, ...symbols.map(offerOf).filter(({ asset }) => !sameAddress(asset, address))];
}
