import { readFile } from 'node:fs/promises';
import type { JobNotebook } from '@bowline/core/domain/jobs';
import type { Hex } from '@bowline/core/domain/units';
import { z } from 'zod';
import { writeWhole } from './whole-file.ts';

const whole = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);
const hash = z.custom<Hex>((text) => typeof text === 'string' && /^0x[0-9a-f]{64}$/.test(text));
const format = z.object({
  escrow: z.string(),
  block: z.object({ number: whole, hash }),
  newest: whole,
  oldest: whole,
  jobs: z.array(whole),
});

/**
 * The seller's notes as a file.
 * @param escrow the kernel and the provider that the notes belong to. Notes of any other are ignored.
 */
export const createJobNotes = (file: URL, escrow: string): JobNotebook => ({
  async load() {
    try {
      const { escrow: whose, ...notes } = format.parse(JSON.parse(await readFile(file, 'utf8')));
      return whose === escrow ? notes : undefined;
    } catch {
      return undefined;
    }
  },
  async save(notes) {
    const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
    await writeWhole(file, JSON.stringify({ escrow, ...notes }, asText));
  },
});
