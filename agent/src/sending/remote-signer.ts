import { causesOf } from '@bowline/chain/errors';
import { httpTransport } from '@bowline/chain/http-transport';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { Address, Hex } from '@bowline/core/domain/units';
import {
  getTypesForEIP712Domain,
  hashMessage,
  hashTypedData,
  isHex,
  keccak256,
  type LocalAccount,
  numberToHex,
  parseSignature,
  parseTransaction,
  RpcRequestError,
  recoverAddress,
  type Signature,
  serializeSignature,
  serializeTransaction,
  serializeTypedData,
  stringToHex,
  TimeoutError,
  type TransactionSerializable,
} from 'viem';
import { toAccount } from 'viem/accounts';

// Keys that a remote signer holds: the JSON-RPC of Web3Signer in its eth1 mode, which fronts the usual vaults and KMSs. It
// signs and never sends. Its answers are not trusted: every signature is checked against what it was asked to sign.

/** Why there is no usable signature. */
const words = {
  // It may have signed. Nobody else has the signature, and a late answer is dropped.
  signer_timeout: 'The remote signer has not answered in time',
  signer_unreachable: 'The remote signer cannot be reached',
  signer_refused: 'The remote signer refused',
  signer_malformed: 'The remote signer returned no valid signature',
  signer_altered: 'The remote signer signed a different transaction than requested',
  signer_wrong_signature: 'The signature is from another key, or over other data',
  signer_key_missing: 'The remote signer holds no such key',
} as const;

type SignerFailure = keyof typeof words;

class SignerError extends Error {
  override readonly name = 'SignerError';
  readonly reason: SignerFailure;

  constructor(reason: SignerFailure, address: Address, cause?: unknown) {
    super(`${words[reason]} (${reason}, key of ${address}).`, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** Several blocks: a signature that takes longer is useless to a rescue. */
const signerMs = 3_000;

/** Order of secp256k1, halved: nodes and contracts refuse a signature with a higher s. */
const maxS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** Whether a connection ended before the complete answer. */
const isCut = (error: unknown): boolean =>
  causesOf(error).some((cause) => 'code' in cause && ['ECONNRESET', 'UND_ERR_SOCKET'].includes(String(cause.code)));

/** Throws SignerError. */
function askingOf(url: string, timeoutMs: number) {
  const { request } = httpTransport(url, { timeoutMs, batchSize: 1, retryCount: 0 })({ retryCount: 0 });
  return async function ask(by: Address, method: string, params: readonly unknown[]): Promise<unknown> {
    // One deadline for both tries.
    const signal = AbortSignal.timeout(timeoutMs);
    const once = () => request({ method, params }, { signal });
    try {
      return await once().catch((error) => {
        // A keep-alive connection may close at that very moment. Signing the same data twice reveals nothing.
        if (!isCut(error)) throw error;
        return once();
      });
    } catch (error) {
      const causes = causesOf(error);
      if (signal.aborted || causes.some((cause) => cause instanceof TimeoutError))
        throw new SignerError('signer_timeout', by, error);
      const isAnswer = causes.some((cause) => cause instanceof RpcRequestError);
      throw new SignerError(isAnswer ? 'signer_refused' : 'signer_unreachable', by, error);
    }
  };
}

export function connectRemoteSigner(url: string, timeoutMs: number = signerMs) {
  const ask = askingOf(url, timeoutMs);

  async function checked(by: Address, digest: Hex, signature: Signature): Promise<Signature> {
    if (BigInt(signature.s) > maxS) throw new SignerError('signer_malformed', by);
    const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined);
    if (signer === undefined || !sameAddress(signer, by)) throw new SignerError('signer_wrong_signature', by);
    return signature;
  }

  /** The signature of a message, as contracts accept it. */
  async function signatureOf(by: Address, digest: Hex, method: string, params: readonly unknown[]): Promise<Hex> {
    const answer = await ask(by, method, params);
    const signature = parsed(by, answer, (hex) => parseSignature(hex) as Signature);
    return serializeSignature(await checked(by, digest, signature));
  }

  async function signTransaction(by: Address, transaction: TransactionSerializable): Promise<Hex> {
    const { type, chainId, nonce, gasPrice, gas, to, value = 0n, data = '0x' } = transaction;
    if (type !== 'legacy' || !chainId || nonce === undefined || gasPrice === undefined || gas === undefined || !to) {
      throw new TypeError('A remote signer signs only complete legacy transactions.');
    }
    const numbers = { nonce, gasPrice, gas, value, chainId };
    const written = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, numberToHex(number)]));
    const answer = await ask(by, 'eth_signTransaction', [{ from: by, to, data, ...written }]);
    const { signature, hex } = parsed(by, answer, (raw) => {
      const { r, s, v } = parseTransaction(raw);
      if (r === undefined || s === undefined || v === undefined) throw new TypeError('The transaction is not signed.');
      // Odd v means 0 and even v means 1, with or without a chain ID in it.
      const yParity = Number((v + 1n) % 2n);
      return { signature: { r, s, yParity, v: 27n + BigInt(yParity) }, hex: raw };
    });
    // The transaction to send is built here. Only the signature of the answer is used.
    const unsigned = { ...transaction, type: 'legacy' } as const;
    const own = serializeTransaction(unsigned, signature);
    if (own !== hex.toLowerCase()) throw new SignerError('signer_altered', by);
    await checked(by, keccak256(serializeTransaction(unsigned)), signature);
    return own;
  }

  return {
    /** A viem account whose key the signer holds. Its methods throw SignerError. */
    account: (address: Address): LocalAccount =>
      toAccount({
        address,
        signTransaction: (transaction) => signTransaction(address, transaction as TransactionSerializable),
        signMessage: ({ message }) => {
          const data = typeof message === 'string' ? stringToHex(message) : hexOf(message.raw);
          return signatureOf(address, hashMessage(message), 'eth_sign', [address, data]);
        },
        signTypedData(typedData) {
          const { domain = {}, types, primaryType, message } = typedData as Parameters<typeof hashTypedData>[0];
          const whole = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...types };
          const text = serializeTypedData({ domain, types: whole, primaryType, message } as never);
          const digest = hashTypedData({ domain, types, primaryType, message } as never);
          return signatureOf(address, digest, 'eth_signTypedData', [address, text]);
        },
      }),
    /** Throws SignerError unless the signer holds the keys of all these addresses. */
    async check(addresses: readonly Address[]) {
      const [first] = addresses;
      if (first === undefined) return;
      const held = await ask(first, 'eth_accounts', []);
      const all: readonly unknown[] = Array.isArray(held) ? held : [];
      const known = all.map((each) => String(each).toLowerCase());
      const missing = addresses.find((address) => !known.includes(address.toLowerCase()));
      if (missing !== undefined) throw new SignerError('signer_key_missing', missing);
    },
  };
}

const hexOf = (bytes: Hex | Uint8Array): Hex =>
  typeof bytes === 'string' ? bytes : `0x${Buffer.from(bytes).toString('hex')}`;

function parsed<Value>(by: Address, answer: unknown, parse: (hex: Hex) => Value): Value {
  try {
    if (!isHex(answer)) throw new TypeError('The answer is not hexadecimal.');
    return parse(answer);
  } catch (error) {
    throw new SignerError('signer_malformed', by, error);
  }
}
