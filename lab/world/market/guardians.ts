import { bytesToHex, concat, type Hex, keccak256, numberToHex, slice } from 'viem';
import { sign } from 'viem/accounts';
import signers from '../../../packages/core/registry/pyth.json' with { type: 'json' };

// Signs the local market's prices as Wormhole's guardians sign Pyth's, so that the real check runs on a local chain. The
// keys are anvil's public ones, and the registry names them for the local chain alone.

/** Anvil's accounts 16 to 19. */
const guardianKeys: readonly Hex[] = [
  '0xea6c44ac03bff858b476bba40716402b03e41b8e97e276d1baec7c37d42484a0',
  '0x689af8efa8c651a91ad287602527f3af2fe9f6501a7ac4b061667b5a93e037fd',
  '0xde9be858da4a475276426320d5e9262ecfc3ba460bfac56360bfa6c4c28b4ee0',
  '0xdf57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e',
];

export interface PriceToSign {
  /** Without 0x. */
  readonly id: string;
  readonly price: bigint;
  readonly conf: bigint;
  readonly expo: number;
  /** Unix seconds. */
  readonly publishTime: number;
}

/** What a test may change. */
export interface Signing {
  readonly guardianSet?: number;
  readonly emitterChain?: number;
  readonly emitterAddress?: string;
  /** Numbers of the guardians that sign, in this order. */
  readonly by?: readonly number[];
  readonly keys?: readonly Hex[];
}

const [, local] = signers as [unknown, (typeof signers)[number]];

/** A signed update with the proofs of all these prices, as hex without 0x. */
export async function signUpdate(prices: readonly PriceToSign[], changes: Signing = {}): Promise<string> {
  const { guardianSet, emitterChain, emitterAddress, by, keys } = {
    ...local,
    by: [0, 1, 2],
    keys: guardianKeys,
    ...changes,
  };
  const leaves = prices.map(leafOf);
  const { root, proofs } = treeOf(leaves);
  const time = Math.max(...prices.map(({ publishTime }) => publishTime));
  const payload = concat([text('AUWV'), uint(0, 1), uint(time, 8), uint(10_000, 4), root]);
  const emitter = concat([uint(emitterChain, 2), emitterAddress as Hex]);
  // Times in milliseconds, which a test may use, do not fit into four bytes.
  const body = concat([uint(time % 2 ** 32, 4), uint(0, 4), emitter, uint(time, 8), uint(1, 1), payload]);
  const digest = keccak256(keccak256(body));
  const signatures = await Promise.all(
    by.map(async (guardian) => {
      const { r, s, yParity = 0 } = await sign({ hash: digest, privateKey: keys[guardian] ?? '0x' });
      return concat([uint(guardian, 1), r, s, uint(yParity, 1)]);
    }),
  );
  const vaa = concat([uint(1, 1), uint(guardianSet, 4), uint(by.length, 1), ...signatures, body]);
  const updates = leaves.map((leaf, at) => {
    const siblings = proofs[at] ?? [];
    return concat([uint(bytes(leaf), 2), leaf, uint(siblings.length, 1), ...siblings]);
  });
  const header = concat([text('PNAU'), uint(1, 1), uint(0, 1), uint(0, 1), uint(0, 1)]);
  return concat([header, uint(bytes(vaa), 2), vaa, uint(updates.length, 1), ...updates]).slice(2);
}

function leafOf({ id, price, conf, expo, publishTime }: PriceToSign): Hex {
  const [priced, sure, at] = [uint(price, 8, true), uint(conf, 8), uint(publishTime, 8)];
  return concat([uint(0, 1), `0x${id}`, priced, sure, uint(expo, 4, true), at, at, priced, sure]);
}

/** A tree over at least two leaves, so that every proof has a step; the last is repeated up to a power of two. */
function treeOf(leaves: readonly Hex[]): { readonly root: Hex; readonly proofs: readonly Hex[][] } {
  const size = 2 ** Math.max(1, Math.ceil(Math.log2(leaves.length)));
  const last = leaves.at(-1) ?? '0x';
  let level = Array.from({ length: size }, (_, at) => hash(concat(['0x00', leaves[at] ?? last])));
  const proofs = leaves.map((): Hex[] => []);
  for (let depth = 0; level.length > 1; depth += 1) {
    for (const [leaf, proof] of proofs.entries()) proof.push(level[(leaf >> depth) ^ 1] ?? '0x');
    level = Array.from({ length: level.length / 2 }, (_, at) => {
      const [left, right] = level.slice(2 * at, 2 * at + 2).toSorted();
      return hash(concat(['0x01', left ?? '0x', right ?? '0x']));
    });
  }
  return { root: level[0] ?? '0x', proofs };
}

const hash = (data: Hex): Hex => slice(keccak256(data), 0, 20);
const bytes = (data: Hex): number => data.length / 2 - 1;
const text = (word: string): Hex => bytesToHex(new TextEncoder().encode(word));
const uint = (value: number | bigint, size: number, signed = false): Hex => numberToHex(value, { size, signed });
