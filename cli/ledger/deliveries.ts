import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { DeliverableManifest } from '@bnbagent/sdk/erc8183';
import { z } from 'zod';

// Deliveries as our files hold them. They prove nothing of what was earned.

/** Files of the folder that are no deliveries: the seller's notes, and its entry in the registry. */
const others: ReadonlySet<string> = new Set(['jobs.json', 'registration.json']);
/** As the agent names them: by the offer's hash and by their own. It finds none under another name. */
const named = /^(0x[0-9a-f]{64})-(0x[0-9a-f]{64})\.json$/;

const told = z.object({
  job_id: z.int(),
  metadata: z.object({ negotiation_hash: z.string() }),
});

export interface Delivery {
  /** Of the file. */
  readonly name: string;
  /** In the file's name. */
  readonly hash?: string;
  /** Whether content, hash and offer are those of the name, as a buyer computes them. */
  readonly isWhole: boolean;
  /** The job that the content names; absent if it cannot be read. */
  readonly jobId?: bigint;
}

/** All deliveries in the folder; none if it does not exist. */
export const readDeliveries = (folder: URL): readonly Delivery[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json') && !others.has(name))
        .toSorted()
        .map((name) => readDelivery(folder, name))
    : [];

function readDelivery(folder: URL, name: string): Delivery {
  const [, offer, hash] = named.exec(name) ?? [];
  const file = { name, ...(hash !== undefined && { hash }) };
  try {
    const manifest = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const { job_id, metadata } = told.parse(manifest);
    const isWhole =
      DeliverableManifest.fromDict(manifest).manifestHash() === hash &&
      metadata.negotiation_hash.toLowerCase() === offer;
    return { ...file, isWhole, jobId: BigInt(job_id) };
  } catch {
    return { ...file, isWhole: false };
  }
}
