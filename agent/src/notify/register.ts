import { sameAddress } from '@bowline/core/domain/same-address';
import type { Clock } from '@bowline/core/domain/time';
import type { Address, Hex } from '@bowline/core/domain/units';
import { hashMessage, recoverAddress } from 'viem';
import { isWebhookUrl } from './addresses.ts';
import { messageOf, type WebhookPlace, type WebhookRequest } from './message.ts';
import { maxRequestAge, type Registrations, type Webhook } from './registrations.ts';
import { addressesOf, type Resolve } from './resolve.ts';
import type { Telegram } from './telegram.ts';

/** Why a request about a webhook is refused, and what to do about it. */
export const webhookRefusals = {
  url_refused:
    'The URL must be https, in its usual spelling, with at most 500 characters and no user name or fragment.',
  chat_unknown: "This agent's Telegram bot did not give this address: register the one from its chat.",
  host_unknown: "The URL's host has no address, or its name server does not answer.",
  address_not_public: "The URL's host must have public addresses only.",
  signed_at_refused: 'The request must have been signed within the last 24 hours. Check the clock, and sign again.',
  expiry_refused: 'The registration must end after now, and at most 400 days after its signature.',
  not_newer: 'A request from this account with the same or a later time was already accepted. Sign a new one.',
  signature_refused: "The signature is not this account's over the message in docs/owners.md.",
  owner_unknown: 'The account has no plan here and is neither borrower nor funder of a guard.',
  webhooks_used_up: 'The account has three webhooks. Remove one first.',
  registrations_full: 'The agent accepts no more registrations.',
} as const;

type WebhookRefusal = keyof typeof webhookRefusals;

const MAX_AHEAD = 300n;
const MAX_LIFE = 400n * 86_400n;

export interface RegisterDeps extends WebhookPlace {
  readonly registrations: Registrations;
  readonly clock: Clock;
  /** Limits its own time. */
  readonly resolve: Resolve;
  readonly isAllowed: (address: string) => boolean;
  /** Absent: there is no bot. */
  readonly chatOf?: Telegram['chatOf'] | undefined;
  /** Accepts http to this machine. */
  readonly allowLoopback: boolean;
  /** Whether the account is a contract that accepts the signature (ERC-1271). Throws `chain_unavailable`. */
  readonly isSignedByWallet: (owner: Address, digest: Hex, signature: Hex) => Promise<boolean>;
  /** Whether the account has a plan, or a guard as its borrower or funder. Throws `chain_unavailable`. */
  readonly hasPermissions: (owner: Address) => Promise<boolean>;
  /** Called with each new webhook. */
  readonly onRegistered: (webhook: Webhook) => void;
}

export type Register = (
  request: WebhookRequest,
  signature: Hex,
) => Promise<Webhook | 'removed' | { readonly refused: WebhookRefusal }>;

/** Registers or removes a webhook by its owner's signature. Checks that cost nothing come before reads of the chain. */
export function createRegister(deps: RegisterDeps): Register {
  const { registrations, clock, resolve, isAllowed, allowLoopback, onRegistered } = deps;

  async function whyNot(request: WebhookRequest, signature: Hex): Promise<WebhookRefusal | undefined> {
    const { action, owner, url, updatedAt, expiresAt } = request;
    const now = clock();
    const isChat = url.startsWith('telegram:');
    // A removal may name a chat of a former bot.
    if (isChat && action === 'register' && deps.chatOf?.(url) === undefined) return 'chat_unknown';
    if (!isChat && !isWebhookUrl(url, allowLoopback)) return 'url_refused';
    if (updatedAt > now + MAX_AHEAD || updatedAt + maxRequestAge <= now) return 'signed_at_refused';
    if (action === 'register' && (expiresAt <= now || expiresAt > updatedAt + MAX_LIFE)) return 'expiry_refused';
    if (!registrations.isNewer(request)) return 'not_newer';
    const digest = hashMessage(messageOf(request, deps));
    // A removal is stored, too, and anyone can create keys for free.
    const isKnown = action === 'remove' && registrations.knows(owner);
    if (!isKnown && !(await deps.hasPermissions(owner))) return 'owner_unknown';
    // Not earlier: the contract at the address may be any stranger's code.
    const isSigned =
      (await isSignedByKey(owner, digest, signature)) || (await deps.isSignedByWallet(owner, digest, signature));
    if (!isSigned) return 'signature_refused';
    if (action === 'remove' || isChat) return undefined;
    const addresses = await addressesOf(new URL(url), resolve);
    if (addresses.length === 0) return 'host_unknown';
    return addresses.every(isAllowed) ? undefined : 'address_not_public';
  }

  return async (request, signature) => {
    const refused = await whyNot(request, signature);
    if (refused !== undefined) return { refused };
    const applied = await registrations.apply(request);
    if (applied === undefined) return { refused: 'not_newer' };
    if (applied === 'webhooks_used_up' || applied === 'registrations_full') return { refused: applied };
    if (applied !== 'removed') onRegistered(applied);
    return applied;
  };
}

async function isSignedByKey(owner: Address, hash: Hex, signature: Hex): Promise<boolean> {
  try {
    return sameAddress(await recoverAddress({ hash, signature }), owner);
  } catch {
    return false;
  }
}
