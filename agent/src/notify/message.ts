import { isoSeconds } from '@bowline/core/domain/readable';
import type { Address } from '@bowline/core/domain/units';

/** What an account signs to register a webhook or to remove it. */
export interface WebhookRequest {
  readonly action: 'register' | 'remove';
  readonly owner: Address;
  readonly url: string;
  /** When it was signed, unix seconds. The later of two requests counts. */
  readonly updatedAt: bigint;
  /** When the registration ends, unix seconds. */
  readonly expiresAt: bigint;
}

/** What a request is valid for. */
export interface WebhookPlace {
  readonly chainId: number;
  readonly planRegistry: Address;
}

/**
 * The text to sign as a personal message (EIP-191): every wallet shows it in words. The order and the bytes count; the
 * addresses are in lower case, the times in UTC.
 */
export function messageOf(
  { action, owner, url, updatedAt, expiresAt }: WebhookRequest,
  { chainId, planRegistry }: WebhookPlace,
): string {
  const does = action === 'register' ? 'Send notices about my plans and loan guards to' : 'Send no more notices to';
  return [
    'Bowline notices',
    '',
    `${does} ${url}`,
    '',
    `Account: ${owner.toLowerCase()}`,
    `Chain: ${chainId}`,
    `Registry: ${planRegistry.toLowerCase()}`,
    `Signed at: ${isoSeconds(updatedAt)}`,
    `Until: ${isoSeconds(expiresAt)}`,
  ].join('\n');
}
