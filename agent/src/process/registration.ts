import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const format = z.object({
  agentId: z.string().regex(/^\d{1,15}$/),
  agentRegistry: z.string().regex(/^eip155:\d+:0x[0-9a-fA-F]{40}$/),
});

/** The agent's entry in ERC-8004's registry, read from a file; undefined if the file is missing or unreadable. */
export async function readRegistration(file: URL): Promise<z.output<typeof format> | undefined> {
  try {
    return format.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
