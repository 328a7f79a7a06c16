import { hashing } from '@bowline/chain/hashing';
import { checkUpdate } from '@bowline/core/pyth/check';
import { pythSignersOf } from '@bowline/core/registry/pyth';
import { realPrice, realUpdate } from '@bowline/core/test/pyth/real-update';
import { hexToBytes } from 'viem';
import { generatePrivateKey, privateKeyToAddress, sign } from 'viem/accounts';
import { expect, it } from 'vitest';
import { signatureHashing } from '../../src/process/hashing.ts';

// GD-30

it('recovers whom viem recovers', async () => {
  for (let draw = 0; draw < 20; draw += 1) {
    const [key, digest] = [generatePrivateKey(), hexToBytes(generatePrivateKey())];
    const { r, s, yParity = 0 } = await sign({ hash: `0x${Buffer.from(digest).toString('hex')}`, privateKey: key });
    const signature = Uint8Array.from([...hexToBytes(r, { size: 32 }), ...hexToBytes(s, { size: 32 }), yParity]);
    const signer = (await signatureHashing.recover(digest, signature)).toLowerCase();
    expect(signer).toBe(privateKeyToAddress(key).toLowerCase());
    expect(signer).toBe((await hashing.recover(digest, signature)).toLowerCase());
    expect(signatureHashing.keccak256(signature)).toEqual(hashing.keccak256(signature));
  }
});

it('checks the real bytes of a price', async () => {
  const { by, price } = await checkUpdate(realUpdate, realPrice.feed, pythSignersOf(56), signatureHashing);
  expect([by?.guardianSet, price]).toEqual([7, expect.objectContaining(realPrice)]);
});

it.each([
  ['zero', new Uint8Array(65)],
  ['beyond the group', new Uint8Array(65).fill(0xff, 0, 64)],
  ['another recovery id', Uint8Array.from([...new Uint8Array(64).fill(1), 2])],
])('rejects what is no signature: %s', async (_, signature) => {
  await expect(signatureHashing.recover(new Uint8Array(32).fill(1), signature)).rejects.toThrow();
});
