import { inspect } from 'node:util';
import type { Ticket } from '@bowline/core/domain/ticket';
import fc from 'fast-check';
import { type Hex, hashTypedData, recoverAddress, toHex, keccak256 as viemKeccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { keccak256 } from '../../src/process/hashing.ts';
import { createTicketSigner } from '../../src/process/ticket-signer.ts';

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => toHex(each));
const keys = fc.oneof(
  fc.bigInt({ min: 1n, max: order - 1n }),
  fc.constantFrom(1n, 2n, order / 2n, order / 2n + 1n, order - 2n, order - 1n),
);
const privateKeys = keys.map((key) => toHex(key, { size: 32 }));
const uint = (bits: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max: (1n << bits) - 1n }), fc.constantFrom(0n, 1n, (1n << bits) - 1n));
const tickets: fc.Arbitrary<Ticket> = fc.record({
  tokenIn: hex(20),
  tokenOut: hex(20),
  verdict: fc.integer({ min: 0, max: 255 }),
  maxPriceWad: uint(256n),
  maxAmountIn: uint(256n),
  issuedAt: uint(64n),
  expiresAt: uint(64n),
  evidenceHash: hex(32),
});

const registry: Hex = '0x5555555555555555555555555555555555555555';

/** The contract's typed data, written out again so that a change to `verdictTypes` is noticed. */
const typedOf = (message: Ticket, chainId: number, verifyingContract: Hex) => ({
  domain: { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract },
  types: {
    Verdict: [
      { name: 'tokenIn', type: 'address' },
      { name: 'tokenOut', type: 'address' },
      { name: 'verdict', type: 'uint8' },
      { name: 'maxPriceWad', type: 'uint256' },
      { name: 'maxAmountIn', type: 'uint256' },
      { name: 'issuedAt', type: 'uint64' },
      { name: 'expiresAt', type: 'uint64' },
      { name: 'evidenceHash', type: 'bytes32' },
    ],
  } as const,
  primaryType: 'Verdict' as const,
  message,
});

test('a ticket is signed as the contract’s typed data, whatever the key and the ticket', async () => {
  await fc.assert(
    fc.asyncProperty(
      privateKeys,
      fc.array(tickets, { minLength: 2, maxLength: 3 }),
      fc.integer({ min: 1, max: 0xffff_ffff }),
      hex(20),
      async (key, several, chainId, contract) => {
        const account = privateKeyToAccount(key);
        const signer = createTicketSigner(account, chainId, contract);
        expect(signer.address).toBe(account.address);
        for (const ticket of several) {
          const typed = typedOf(ticket, chainId, contract);
          const signature = await signer.sign(ticket);
          expect(signature).toBe(await account.signTypedData(typed));
          expect(await recoverAddress({ hash: hashTypedData(typed), signature })).toBe(account.address);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('two registries of one key get their own domains', async () => {
  const key = toHex(7n, { size: 32 });
  const account = privateKeyToAccount(key);
  const [ticket] = fc.sample(tickets, 1) as [Ticket];
  for (const chainId of [56, 97]) {
    const { sign } = createTicketSigner(account, chainId, registry);
    const byViem = await privateKeyToAccount(key).signTypedData(typedOf(ticket, chainId, registry));
    expect(await sign(ticket)).toBe(byViem);
  }
});

test('a value that does not fit its type is not signed', async () => {
  const signer = createTicketSigner(privateKeyToAccount(toHex(7n, { size: 32 })), 56, registry);
  const [ticket] = fc.sample(tickets, 1) as [Ticket];
  for (const wrong of [
    { issuedAt: 1n << 64n },
    { maxPriceWad: 1n << 256n },
    { maxAmountIn: -1n },
    { verdict: 256 },
    { tokenIn: '0x12' as Hex },
    { evidenceHash: '0x12' as Hex },
  ]) {
    await expect(signer.sign({ ...ticket, ...wrong })).rejects.toThrow();
  }
});

test('no key can be read from the account, nor from an error', async () => {
  const secret = toHex(0xfeed_0000_beef_1234_5678_9abc_def0_1357n, { size: 32 });
  const account = privateKeyToAccount(secret);
  const shown = `${inspect(account, { depth: 9, showHidden: true })}${JSON.stringify(account)}`;
  expect(shown).toContain(account.address);
  expect(shown).not.toContain('feed0000beef');
  // 0xfe, 0xed in decimal: bytes that are printed one by one.
  expect(shown).not.toContain('254, 237');
  const [ticket] = fc.sample(tickets, 1) as [Ticket];
  const wrong = { ...ticket, issuedAt: -1n };
  const error: unknown = await account.signTypedData(typedOf(wrong, 56, registry)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 9 })).not.toContain('feed0000beef');
  expect(inspect(error, { depth: 9 })).not.toContain('254, 237');
});

test('keccak256 of any text and any bytes is viem’s', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 500 }), fc.string({ maxLength: 2_000 })), (text) => {
      expect(keccak256(text)).toBe(viemKeccak256(new TextEncoder().encode(text)));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(keccak256(bytes)).toBe(viemKeccak256(bytes));
    }),
  );
  // Half a character, as at the end of a cut text: both encode it as U+FFFD.
  expect(keccak256('\ud83d')).toBe(viemKeccak256(new TextEncoder().encode('\ud83d')));
  // A block of the sponge is 136 bytes, and the WebAssembly takes 16 kB at a time.
  for (const length of [0, 1, 135, 136, 137, 272, 16_383, 16_384, 16_385, 20_000]) {
    expect(keccak256('a'.repeat(length))).toBe(viemKeccak256(new Uint8Array(length).fill(97)));
  }
});
