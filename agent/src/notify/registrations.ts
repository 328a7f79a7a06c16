import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import type { Clock } from '@bowline/core/domain/time';
import type { Address } from '@bowline/core/domain/units';
import { writtenAddress } from '@bowline/core/schemas';
import { z } from 'zod';
import { writeWhole } from '../process/whole-file.ts';
import type { WebhookRequest } from './message.ts';

/** Where an account's notices go. */
export interface Webhook {
  readonly owner: Address;
  readonly url: string;
  /** Key of the deliveries' signatures: `whsec_` and base64. */
  readonly secret: string;
  /** Unix seconds. */
  readonly expiresAt: bigint;
}

/** Webhooks per account. */
const MAX_PER_OWNER = 3;
const MAX_OWNERS = 10_000;
/** How long after its signature a request may arrive: several people may have to sign for one wallet. */
export const maxRequestAge = 86_400n;

type Full = 'webhooks_used_up' | 'registrations_full';

export type Registrations = Awaited<ReturnType<typeof openRegistrations>>;

const seconds = z.int().transform(BigInt);
const fileSchema = z.strictObject({
  version: z.literal(1),
  owners: z.record(
    z.string(),
    z.strictObject({
      updatedAt: seconds,
      webhooks: z.array(
        z.strictObject({ owner: writtenAddress, url: z.string(), secret: z.string(), expiresAt: seconds }),
      ),
    }),
  ),
});

interface Owned {
  /** Of the last request. */
  readonly updatedAt: bigint;
  readonly webhooks: readonly Webhook[];
}

/**
 * Opens registrations in one file, or begins without one. One process per file.
 * @throws if the file cannot be read or is not one of ours. The file is left unchanged.
 */
export async function openRegistrations(file: URL, clock: Clock) {
  let owners = await load(file);
  let last: Promise<unknown> = Promise.resolve();

  const live = ({ webhooks }: Owned) => webhooks.filter(({ expiresAt }) => clock() < expiresAt);
  /** Webhooks of the account that have not expired. */
  const of = (owner: Address): readonly Webhook[] => live(owners.get(owner.toLowerCase()) ?? nothing);
  /** Whether the request is later than the last one that the account signed. */
  const isNewer = ({ owner, updatedAt }: WebhookRequest) =>
    updatedAt > (owners.get(owner.toLowerCase())?.updatedAt ?? 0n);

  async function save(next: Map<string, Owned>): Promise<void> {
    const text = JSON.stringify({ version: 1, owners: Object.fromEntries(next) }, (_, value) =>
      typeof value === 'bigint' ? Number(value) : value,
    );
    await mkdir(new URL('.', file), { recursive: true });
    // The file holds the signing secrets.
    await writeWhole(file, text, 0o600);
    owners = next;
  }

  async function applyNow(request: WebhookRequest): Promise<Webhook | 'removed' | Full | undefined> {
    if (!isNewer(request)) return undefined;
    const { action, url, updatedAt, expiresAt } = request;
    const owner = request.owner.toLowerCase() as Address;
    const others = of(owner).filter((webhook) => webhook.url !== url);
    const isNew = action === 'register';
    if (isNew && others.length >= MAX_PER_OWNER) return 'webhooks_used_up';
    // Accounts without webhooks are kept as long as an earlier request of theirs could arrive.
    const kept = [...owners].filter(
      ([, owned]) => live(owned).length > 0 || clock() <= owned.updatedAt + maxRequestAge,
    );
    const next = new Map(kept);
    if (!next.has(owner) && next.size >= MAX_OWNERS) return 'registrations_full';
    const webhook = { owner, url, secret: `whsec_${randomBytes(32).toString('base64')}`, expiresAt };
    next.set(owner, { updatedAt, webhooks: isNew ? [...others, webhook] : others });
    await save(next);
    return isNew ? webhook : 'removed';
  }

  return {
    of,
    owners: () => ([...owners.keys()] as Address[]).filter((owner) => of(owner).length > 0),
    /** Whether the account has a webhook, or had one a day ago. */
    knows: (owner: Address) => owners.has(owner.toLowerCase()),
    /** Whether notices still go to this URL with this secret. */
    isCurrent: ({ owner, url, secret }: Webhook) =>
      of(owner).some((other) => other.url === url && other.secret === secret),
    isNewer,
    /**
     * Applies a verified request, after writing it to disk. Undefined: a later request overtook it during verification.
     * Throws the file system's errors and then changes nothing.
     */
    apply(request: WebhookRequest) {
      const applied = last.then(() => applyNow(request));
      last = applied.catch(() => {});
      return applied;
    },
  };
}

const nothing: Owned = { updatedAt: 0n, webhooks: [] };

async function load(file: URL): Promise<Map<string, Owned>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
  return new Map(Object.entries(fileSchema.parse(JSON.parse(text)).owners));
}
