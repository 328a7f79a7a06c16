import { z } from 'zod';
import type { Hex } from '../domain/units.ts';
import type { PythSigners } from '../pyth/check.ts';
import { writtenAddress as address } from '../schemas.ts';
import assets from './assets.json' with { type: 'json' };
import { parseData } from './parse.ts';
import signersOfProject from './pyth.json' with { type: 'json' };

// Who signs Pyth's prices, by guardian set. Sources: emitter and format, pyth-network/pyth-crosschain; guardian set 7,
// wormhole-foundation/wormhole, guardianset/mainnetv2/canonical_sets/v7.prototxt of 2026-07-10. When Wormhole replaces its
// guardians, a new entry is added here, and the old one stays for the evidence that it has signed.

const signers = z
  .array(
    z.strictObject({
      name: z.string().min(1),
      chains: z.array(z.int()).min(1),
      emitterChain: z.int(),
      emitterAddress: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]),
      guardianSet: z.int().nonnegative(),
      guardians: z.array(address).min(1).max(255),
    }),
  )
  .refine(
    (sets) => new Set(sets.map(({ guardianSet }) => guardianSet)).size === sets.length,
    'a guardian set is twice',
  );

/** The guardian sets that may sign Pyth's prices for verdicts of a chain. None for a chain that is not listed. */
export function pythSignersOf(chainId: number, content: unknown = signersOfProject): readonly PythSigners[] {
  return parseData('packages/core/registry/pyth.json', content, signers)
    .filter(({ chains }) => chains.includes(chainId))
    .map(({ chains: _, ...set }) => set);
}

/** The feed that prices a listed asset, on every chain; undefined if the asset is not listed or has none. */
export const pythFeedOf = (symbol: string): Hex | undefined =>
  assets.find((asset) => asset.symbol === symbol)?.pythId as Hex | undefined;
