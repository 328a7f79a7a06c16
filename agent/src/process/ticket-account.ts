import type { Hex } from '@bowline/core/domain/units';
import { signRecoverable } from 'tiny-secp256k1';
import { domainSeparator, hexToBytes, isHex, size, stringToBytes } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from './hashing.ts';
import type { TicketAccount, TicketTypedData } from './ticket-signer.ts';

/**
 * A ticket key in this process. Its signatures are those of viem's `privateKeyToAccount` to the byte (EIP-712, RFC 6979, low
 * s), made by WebAssembly in a quarter of the time. The key is kept here alone; the library wipes its copy after each
 * signature.
 */
export function createTicketAccount(privateKey: Hex): TicketAccount {
  const key = hexToBytes(privateKey);
  /** A signer's domain never changes. */
  const separators = new WeakMap<TicketTypedData['domain'], Hex>();

  function separatorOf(domain: TicketTypedData['domain']): Hex {
    const separator = separators.get(domain) ?? domainSeparator({ domain: { ...domain } });
    separators.set(domain, separator);
    return separator;
  }

  return {
    address: privateKeyToAccount(privateKey).address,
    async signTypedData({ domain, ...struct }) {
      const digest = keccak256(hexToBytes(`0x1901${separatorOf(domain).slice(2)}${structHash(struct).slice(2)}`));
      const { signature, recoveryId } = signRecoverable(hexToBytes(digest), key);
      return `0x${Buffer.from(signature).toString('hex')}${recoveryId === 0 ? '1b' : '1c'}`;
    },
  };
}

/** EIP-712's hashStruct, of a type whose fields are words. */
function structHash({ types, primaryType, message }: Omit<TicketTypedData, 'domain'>): Hex {
  const fields = types[primaryType];
  const type = `${primaryType}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`;
  const words = fields.map((field) => wordOf(field.type, message[field.name]));
  return keccak256(hexToBytes(`0x${keccak256(stringToBytes(type)).slice(2)}${words.join('')}`));
}

/** 32 bytes in hex. Throws if the value is not of that type: it would be signed as another one. */
function wordOf(type: string, value: Hex | bigint | number): string {
  const bits = type.startsWith('uint') ? Number(type.slice(4)) : undefined;
  if (bits !== undefined && !isHex(value)) {
    const number = BigInt(value);
    if (number >= 0n && number >> BigInt(bits) === 0n) return number.toString(16).padStart(64, '0');
  }
  const bytes = type === 'address' ? 20 : 32;
  if (bits === undefined && isHex(value) && size(value) === bytes) return value.slice(2).padStart(64, '0');
  throw new RangeError(`A ticket's field is no ${type}.`);
}
