import { localChainId } from '@bowline/core/domain/chains';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { writtenAddress as address } from '@bowline/core/schemas';
import type { Environment } from '@bowline/http/environment';
import type { Address } from 'viem';
import { z } from 'zod';
import { accountsOf } from '../sending/keys.ts';
import { addressOption } from '../values.ts';
import type { Till } from './answers.ts';

// Who is paid, without the agent where it does not run.

/** The seller, and the payee, of local chains. */
const localSeller: Address = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

const tokens = z.array(z.object({ asset: address, method: z.string() }));
const terms = z.object({ payment: z.object({ pay_to: address, tokens }).optional() });

/**
 * How answers are paid: to the payee that is named, else by the running agent, else to PAY_TO, or to the local chain's payee.
 * @returns undefined if the running agent takes nothing for answers.
 * @throws one line if none of them tells.
 */
export async function tillOf(
  named: string | undefined,
  agent: string,
  environment: Environment,
  chainId: number,
  book: AddressBook | undefined,
): Promise<Till | undefined> {
  if (named !== undefined) return tillOn(addressOption('--payee', named), environment, book);
  const answer = await fetch(`${agent}/x402`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  const { data } = terms.safeParse(await answer?.json().catch(() => undefined));
  if (data !== undefined) return data.payment && { payee: data.payment.pay_to, tokens: data.payment.tokens };
  const set = environment.PAY_TO?.trim();
  if (set) return tillOn(addressOption('PAY_TO', set), environment, book);
  if (chainId === localChainId) return tillOn(localSeller, environment, book);
  throw new Error(`no agent answers at ${agent}: name one with --agent, or the payee with --payee`);
}

/** Tokens as the agent takes them on this chain. */
function tillOn(payee: Address, { PERMIT2_TOKENS: set }: Environment, book: AddressBook | undefined): Till {
  if (book?.escrow === undefined) throw new Error('the chain has no payment token that is known here');
  const own = book.escrow.token.address;
  const symbols = (set?.trim() || 'USDT,USDC').split(',').map((word) => word.trim());
  const others = book.assets
    .filter(({ symbol }) => symbols.includes(symbol))
    .filter((asset) => !sameAddress(asset.address, own));
  return {
    payee,
    tokens: [
      { asset: own, method: 'eip3009' },
      ...others.map((asset) => ({ asset: asset.address, method: 'permit2-exact' })),
    ],
  };
}

/**
 * The accounts that sell: those that are named, else that of SELLER_PRIVATE_KEY, or the local chain's seller. None if there is none.
 * @throws one line if a name or the key is malformed.
 */
export function sellersOf(named: string | undefined, environment: Environment, chainId: number): readonly Address[] {
  if (named !== undefined) return named.split(',').map((word) => addressOption('--seller', word.trim()));
  const account = accountsOf(['SELLER_PRIVATE_KEY'], environment, chainId)('SELLER_PRIVATE_KEY');
  if (account !== undefined) return [account.address];
  return chainId === localChainId ? [localSeller] : [];
}
