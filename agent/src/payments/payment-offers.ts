import type { ChainClient } from '@bowline/chain/chain-client';
import type { Log } from '@bowline/core/domain/log';
import { type Permit2Token, permit2Tokens } from '@bowline/core/domain/payment';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, mulDivUp, WAD } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { x402ExactPermit2ProxyAddress } from '@x402/evm';
import type { Facilitator } from './facilitators.ts';
import type { Offer } from './payload.ts';
import { permit2 } from './permit2-check.ts';

type Offers = readonly [Offer, ...Offer[]];

/** What the operator asks for an answer. */
interface Price {
  readonly priceUsdWad: bigint;
  readonly payTo: Address;
  readonly permit2Tokens: readonly Permit2Token[];
}

/**
 * The tokens that pay for an answer: the escrow's by its own signatures, and others by Permit2. All of them are US dollar
 * stablecoins. Throws viem's errors.
 */
export async function offersOf(
  chainId: number,
  { priceUsdWad, payTo, permit2Tokens: symbols }: Price,
  { escrow, assets }: AddressBook,
  client: ChainClient,
  method: Facilitator['permit2'],
  log: Log,
): Promise<Offers> {
  if (escrow === undefined) throw new Error('PRICE_USD is above 0, but this chain has no payment token.');
  const terms = { network: `eip155:${chainId}`, payTo } as const;
  // Rounded up: a price above 0 is never free.
  const amountOf = (decimals: number) => mulDivUp(priceUsdWad, 10n ** BigInt(decimals), WAD);
  const { address, decimals, name, version } = escrow.token;
  const preferred = {
    ...terms,
    method: 'eip3009',
    asset: address,
    amount: amountOf(decimals),
    token: { name, version },
  };
  const offerOf = (symbol: Permit2Token): Offer => {
    const asset = assets.find((each) => each.symbol === symbol);
    if (asset === undefined) throw new Error(`PERMIT2_TOKENS names ${symbol}, which is not on this chain.`);
    const token = { name: permit2Tokens[symbol], version: '1' };
    return { ...terms, method, asset: asset.address, amount: amountOf(asset.decimals), token };
  };
  const others = symbols.map(offerOf).filter(({ asset }) => !sameAddress(asset, address));
  // Each token is taken in one way: its transfers prove payments of one kind.
  const offers = [preferred as Offer, ...others] as const;
  if (others.length === 0) return offers;
  // B402 names its contract with each answer; x402's has one address on all chains.
  const needed = method === 'permit2' ? [permit2, x402ExactPermit2ProxyAddress] : [permit2];
  const codes = await Promise.all(needed.map((contract) => client.getCode({ address: contract })));
  const missing = needed.filter((_, at) => codes[at] === undefined);
  if (missing.length === 0) return offers;
  log.warn('payments.permit2_off', { missing, remedy: 'Set PERMIT2_TOKENS to none.' });
  return [offers[0]];
}
