import { hashing } from '@bowline/chain/hashing';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { type PriceToSign, type Signing, signUpdate } from '../../../../lab/world/market/guardians.ts';
import type { Hex } from '../../domain/units.ts';
import { checkUpdate, referenceOf } from '../../pyth/check.ts';
import { bytesOf, parseUpdate } from '../../pyth/update.ts';
import { pythSignersOf } from '../../registry/pyth.ts';
import { realPrice, realUpdate } from './real-update.ts';

const [BSC, LOCAL] = [56, 31_337];
const feed: Hex = `0x${'ab'.repeat(32)}`;
const other: Hex = `0x${'cd'.repeat(32)}`;
const priced = (changes: Partial<PriceToSign> = {}): PriceToSign => {
  return {
    id: feed.slice(2),
    price: 6_140_993_501_000n,
    conf: 3_287_868_567n,
    expo: -8,
    publishTime: 1_800_000_000,
    ...changes,
  };
};
const check = (update: string, of: Hex = feed, chainId = LOCAL) =>
  checkUpdate(update, of, pythSignersOf(chainId), hashing);
const refused = (reason: string) => ({ reason });
/** The update with one bit of the byte at `at` flipped. */
const flipped = (update: string, at: number): string => {
  const byte = Number.parseInt(update.slice(2 * at, 2 * at + 2), 16) ^ 1;
  return `${update.slice(0, 2 * at)}${byte.toString(16).padStart(2, '0')}${update.slice(2 * at + 2)}`;
};

describe('GD-30: a price that Pyth has signed', () => {
  it('is checked by the guardians that the registry names', async () => {
    const { price, signed, guardianSet, by } = await check(realUpdate, realPrice.feed, BSC);
    expect(price).toMatchObject(realPrice);
    expect([guardianSet, by?.name, by?.guardians.length]).toEqual([7, "Pyth by Wormhole's guardians", 19]);
    expect(parseUpdate(realUpdate).message.signatures).toHaveLength(13);
    // An update of a single price has nothing to leave out.
    expect([signed, bytesOf(signed).length]).toEqual([`0x${realUpdate}`, 1_311]);
  });

  it('is no longer checked with any byte changed, whichever it is', async () => {
    const update = await signUpdate([priced()]);
    const length = update.length / 2;
    // The minor version may grow: it is unsigned and has no meaning.
    const unsigned = [5];
    for (let at = 0; at < length; at += 1) {
      if (unsigned.includes(at)) continue;
      const answer = check(flipped(update, at)).then(({ by }) => (by === undefined ? 'not checked' : 'checked'));
      // Flipping bytes 11 to 14 can give the number of a newer guardian set, whose guardians are not known.
      await expect(
        answer.catch(() => 'refused'),
        `byte ${at}`,
      ).resolves.not.toBe('checked');
    }
  });

  it('of the real update, too', async () => {
    const message = bytesOf(realUpdate).length;
    for (const at of [20, 300, 866, 900, 930, 970, 1_050, 1_090, 1_100, message - 1]) {
      await expect(check(flipped(realUpdate, at), realPrice.feed, BSC), `byte ${at}`).rejects.toMatchObject(
        refused(expect.any(String) as never),
      );
    }
  });

  it('proves itself when it is cut out of many', async () => {
    const ids = ['11', '22', '33', '44', '55'].map((pair) => pair.repeat(32));
    const update = await signUpdate(ids.map((id, at) => priced({ id, price: BigInt(at + 1) })));
    for (const [at, id] of ids.entries()) {
      const { price, signed } = await check(update, `0x${id}`);
      expect(price.price).toBe(BigInt(at + 1));
      expect(parseUpdate(signed).prices).toHaveLength(1);
      expect((await check(signed, `0x${id}`)).price).toEqual(price);
      expect(signed.length).toBeLessThan(update.length);
      await expect(check(signed, `0x${ids[(at + 1) % 5]}`)).rejects.toMatchObject(refused('other_feed'));
    }
  });
});

describe('GD-30: refused is', () => {
  const signedBy = (changes: Signing) => signUpdate([priced()], changes);

  it.each<[string, Signing, string]>([
    ['two of four guardians', { by: [0, 1] }, 'too_few_signatures'],
    ['one guardian three times', { by: [0, 0, 0] }, 'not_a_guardian'],
    ['guardians out of order', { by: [2, 1, 0] }, 'not_a_guardian'],
    ['a guardian beyond the set', { by: [0, 1, 2, 4], keys: Array(5).fill(`0x${'12'.repeat(32)}`) }, 'not_a_guardian'],
    ['keys of others', { keys: Array(4).fill(`0x${'12'.repeat(32)}`) }, 'not_a_guardian'],
    ['another emitter', { emitterAddress: `0x${'12'.repeat(32)}` }, 'other_emitter'],
    ['another chain of the emitter', { emitterChain: 27 }, 'other_emitter'],
    ['the number of the guardians of BNB Chain, by local keys', { guardianSet: 7 }, 'old_guardians'],
    [
      'another emitter of an unknown guardian set',
      { guardianSet: 8, emitterAddress: `0x${'12'.repeat(32)}` },
      'other_emitter',
    ],
  ])('%s', async (_, changes, reason) => {
    await expect(check(await signedBy(changes))).rejects.toMatchObject(refused(reason));
  });

  it.each([
    [9, 6],
    [19, 12],
  ])('of %i guardians %i, and not one more: two thirds are not enough', async (size, count) => {
    const keys = Array.from({ length: size }, () => generatePrivateKey());
    const [local] = pythSignersOf(LOCAL).slice(1);
    if (local === undefined) throw new Error('no local guardians');
    const set = { ...local, guardians: keys.map((key) => privateKeyToAddress(key)) };
    const by = async (signatures: number) => {
      // Signs with the last keys, so that a guardian is not identified by its place in the message.
      const update = await signedBy({ keys, by: [...keys.keys()].slice(-signatures) });
      return checkUpdate(update, feed, [set], hashing);
    };
    await expect(by(count)).rejects.toMatchObject(refused('too_few_signatures'));
    expect((await by(count + 1)).by).toBe(set);
    expect((await by(size)).by).toBe(set);
  });

  it('the guardians of BNB Chain and its emitter, by local keys', async () => {
    const [pyth] = pythSignersOf(BSC);
    const forged = await signedBy({
      guardianSet: 7,
      emitterAddress: pyth?.emitterAddress ?? '',
      by: [...Array(13).keys()],
      keys: Array(13).fill(`0x${'12'.repeat(32)}`),
    });
    for (const chainId of [BSC, LOCAL]) {
      await expect(check(forged, feed, chainId)).rejects.toMatchObject(refused('not_a_guardian'));
    }
  });

  it('a price that is not in the signed tree', async () => {
    const [signed, forged] = [await signUpdate([priced()]), await signUpdate([priced({ price: 1n })])];
    // The sizes are equal, so the leaf is at the same place.
    const leaf = signed.length - 2 * (85 + 1 + 20);
    const moved = signed.slice(0, leaf) + forged.slice(leaf, leaf + 2 * 85) + signed.slice(leaf + 2 * 85);
    await expect(check(moved)).rejects.toMatchObject(refused('not_in_tree'));
  });

  it.each([
    ['nothing', ''],
    ['no hex', 'xyz'],
    ['half a byte', '504'],
    ['something else', '00'.repeat(200)],
    ['more than it should be', `${realUpdate}00`],
    ['less', realUpdate.slice(0, -2)],
    ['a header alone', realUpdate.slice(0, 16)],
  ])('malformed: %s', async (_, update) => {
    await expect(check(update, realPrice.feed)).rejects.toMatchObject(refused('malformed'));
  });

  it('a feed that it does not have', async () => {
    await expect(check(await signedBy({}), other)).rejects.toMatchObject(refused('other_feed'));
  });

  it.each([
    ['zero', { price: 0n }],
    ['negative', { price: -1n }],
    ['of more decimals than any', { expo: -31 }],
    ['above whole dollars', { expo: 1 }],
  ])('a price that is %s', async (_, changes) => {
    const { price } = await check(await signUpdate([priced(changes)]));
    expect(() => referenceOf(price)).toThrow(expect.objectContaining(refused('no_price')));
  });
});

describe('GD-30: the registry', () => {
  it('names the guardians of the local market for the local chain alone', async () => {
    const update = await signUpdate([priced()]);
    expect((await check(update)).by?.guardianSet).toBe(LOCAL);
    // On BNB Chain no guardians are known for this set, and its emitter is not Pyth.
    await expect(check(update, feed, BSC)).rejects.toMatchObject(refused('other_emitter'));
    expect(pythSignersOf(BSC).map(({ guardianSet }) => guardianSet)).toEqual([7]);
    expect(pythSignersOf(1)).toEqual([]);
  });

  it('lacks a newer guardian set: the signatures are not checked, and that is said; all else is', async () => {
    const [pyth] = pythSignersOf(BSC);
    const later = await signUpdate([priced()], { guardianSet: 8, emitterAddress: pyth?.emitterAddress ?? '' });
    expect(await check(later, feed, BSC)).toMatchObject({ guardianSet: 8, price: { price: 6_140_993_501_000n } });
    expect((await check(later, feed, BSC)).by).toBeUndefined();
  });

  it('is data: a set that it lists signs', async () => {
    const [pyth] = pythSignersOf(BSC);
    const line = { ...pyth, chains: [BSC], guardianSet: 8, guardians: pythSignersOf(LOCAL)[1]?.guardians };
    const later = await signUpdate([priced()], { guardianSet: 8, emitterAddress: pyth?.emitterAddress ?? '' });
    expect((await checkUpdate(later, feed, pythSignersOf(BSC, [line]), hashing)).by?.guardianSet).toBe(8);
    expect(() => pythSignersOf(BSC, [line, line])).toThrow('a guardian set is twice');
  });
});
