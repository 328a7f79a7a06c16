import { PERMIT2_ADDRESS as permit2, permit2WitnessTypes } from '@x402/evm';
import { type Address, bytesToHex, encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem';
import type { LocalAccount } from 'viem/accounts';

// Payments of x402 v2 as anybody can sign them, right or wrong: by authorisation (EIP-3009) and by permit (Permit2).

/** An entry of `accepts`. */
export interface Offer {
  readonly network: string;
  readonly asset: Address;
  readonly amount: string;
  readonly payTo: Address;
  readonly extra: {
    readonly name: string;
    readonly version: string;
    readonly assetTransferMethod: string;
    readonly spenderAddress?: Address;
  };
}

export interface Payload {
  readonly x402Version: number;
  readonly accepted: unknown;
  readonly payload: Readonly<Record<string, unknown>> & { readonly signature: Hex };
}

export interface Terms {
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
}

/** A payment and what is signed in it. */
export interface Signed {
  readonly terms: Terms;
  readonly signature: Hex;
  readonly payload: Payload;
}

const chainOf = ({ network }: Offer): number => Number(network.slice('eip155:'.length));
export const nowSeconds = (): bigint => BigInt(Math.floor(Date.now() / 1_000));
export const newNonce = (): Hex => bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
/** Amounts as text, as JSON carries them. */
export const texts = (value: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)));
/** As a header carries it. Spaces make another encoding of the same payment. */
export const base64 = (value: unknown, spaces = 0): string =>
  Buffer.from(JSON.stringify(value) + ' '.repeat(spaces)).toString('base64');

const address = (name: string) => ({ name, type: 'address' });
const uint = (name: string) => ({ name, type: 'uint256' });
const nonceField = { name: 'nonce', type: 'bytes32' };

export const domainOf = (offer: Offer) => {
  const { name, version } = offer.extra;
  return { name, version, chainId: chainOf(offer), verifyingContract: offer.asset };
};

const authorised = (offer: Offer, terms: Terms, signature: Hex): Signed => ({
  terms,
  signature,
  payload: { x402Version: 2, accepted: offer, payload: { authorization: texts(terms), signature } },
});

interface Signing<Changes> {
  /** Changes to the signed terms. */
  readonly changes?: Partial<Changes>;
  /** The offer that the payload claims to accept. It also gives the token's domain. */
  readonly offer: Offer;
  readonly domain?: Partial<ReturnType<typeof domainOf>>;
}

/** Signs an authorisation: a payment by EIP-3009. */
export async function authorise(
  by: LocalAccount,
  { offer, changes = {}, domain = {} }: Signing<Terms>,
): Promise<Signed> {
  const now = nowSeconds();
  const usual = { from: by.address, to: offer.payTo, value: BigInt(offer.amount), nonce: newNonce() };
  const terms = { ...usual, validAfter: now - 600n, validBefore: now + 300n, ...changes };
  const fields = [address('from'), address('to'), uint('value'), uint('validAfter'), uint('validBefore'), nonceField];
  const signature = await by.signTypedData({
    domain: { ...domainOf(offer), ...domain },
    types: { TransferWithAuthorization: fields },
    primaryType: 'TransferWithAuthorization',
    message: terms,
  });
  return authorised(offer, terms, signature);
}

/** The same signature under other terms, or another signature under the same. */
export const forged = (offer: Offer, { terms, signature }: Signed, changes: Partial<Terms>, by: Hex = signature) =>
  authorised(offer, { ...terms, ...changes }, by);

/** Signs a payment by Permit2. Its deadline is the terms' `validBefore`. */
export async function permit(
  by: LocalAccount,
  { offer, changes = {}, domain = {} }: Signing<Terms & { spender: Address; token: Address }>,
): Promise<Signed> {
  const usual = { from: by.address, to: offer.payTo, value: BigInt(offer.amount), nonce: newNonce() };
  const more = { validAfter: 0n, validBefore: nowSeconds() + 300n, token: offer.asset };
  const { token, spender, ...terms } = {
    ...usual,
    ...more,
    spender: offer.extra.spenderAddress ?? permit2,
    ...changes,
  };
  const message = {
    permitted: { token, amount: terms.value },
    spender,
    nonce: BigInt(terms.nonce),
    deadline: terms.validBefore,
    witness: { to: terms.to, validAfter: terms.validAfter },
  };
  const signature = await by.signTypedData({
    domain: { name: 'Permit2', chainId: chainOf(offer), verifyingContract: permit2, ...domain },
    types: permit2WitnessTypes,
    primaryType: 'PermitWitnessTransferFrom',
    message,
  });
  const permit2Authorization = { ...texts(message), from: terms.from };
  return {
    terms,
    signature,
    payload: { x402Version: 2, accepted: offer, payload: { permit2Authorization, signature } },
  };
}

const tokenAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** Calldata with which anybody can submit an authorisation. */
export function transferCall({ terms, signature }: Signed): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = terms;
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return encodeFunctionData({ abi: tokenAbi, functionName: 'transferWithAuthorization', args });
}

/** Calldata with which anybody can cancel this payer's authorisation. */
export async function cancelCall(by: LocalAccount, nonce: Hex, offer: Offer): Promise<Hex> {
  const signature = await by.signTypedData({
    domain: domainOf(offer),
    types: { CancelAuthorization: [address('authorizer'), nonceField] },
    primaryType: 'CancelAuthorization',
    message: { authorizer: by.address, nonce },
  });
  const { r, s, v = 27n } = parseSignature(signature);
  const args = [by.address, nonce, Number(v), r, s] as const;
  return encodeFunctionData({ abi: tokenAbi, functionName: 'cancelAuthorization', args });
}
