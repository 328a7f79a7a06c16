import { Refusal } from '@bowline/core/domain/refusal';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Ticket, type TicketSigner, verdictTypes } from '@bowline/core/domain/ticket';
import type { Timers } from '@bowline/core/domain/time';
import type { Address, Hex } from '@bowline/core/domain/units';

/** A ticket as EIP-712 typed data. */
export interface TicketTypedData {
  readonly domain: TicketSigner['domain'];
  readonly types: typeof verdictTypes;
  readonly primaryType: 'Verdict';
  readonly message: Ticket;
}

/** What a key must be able to do: the part of viem's accounts that signs tickets, wherever the key is. */
export interface TicketAccount {
  readonly address: Address;
  signTypedData(ticket: TicketTypedData): Promise<Hex>;
}

/** Signs verdicts as EIP-712 for one chain's registry, with a key used for nothing else. */
export function createTicketSigner(account: TicketAccount, chainId: number, planRegistry: Address): TicketSigner {
  const domain = { name: 'Bowline PlanRegistry', version: '1', chainId, verifyingContract: planRegistry };
  return {
    address: account.address,
    domain,
    sign: (message) => account.signTypedData({ domain, types: verdictTypes, primaryType: 'Verdict', message }),
  };
}

/** The operator's settings for the verdict key, without the key itself. */
interface KeySettings {
  /** Whether the key is the local chain's default, not one that the operator set. */
  readonly hasDefaultVerdictKey: boolean;
  /** Absent: the agent makes no runs, and needs no ticket that a plan accepts. */
  readonly keeperPrivateKey?: unknown;
}

/**
 * Plans name a signer of the deployment record: an agent with another verdict key would run none of them.
 * @param own address of the verdict key; undefined if there is none.
 * @param named the signers of the record.
 * @returns whether the record names it; false only if the agent makes no runs.
 * @throws Refusal
 */
export function checkVerdictKey(
  own: Address | undefined,
  named: readonly Address[],
  { hasDefaultVerdictKey, keeperPrivateKey }: KeySettings,
): boolean {
  const isNamed = own ? named.some((each) => sameAddress(each, own)) : named.length === 0;
  // A record without signers need not name the default key.
  const isUnset = hasDefaultVerdictKey && named.length === 0;
  if (isNamed || isUnset) return true;
  if (keeperPrivateKey === undefined) return false;
  const held = own ? `VERDICT_PRIVATE_KEY belongs to ${own}` : 'VERDICT_PRIVATE_KEY is missing';
  const names = named.length === 0 ? 'no verdict signer' : named.join(', ');
  throw new Refusal(
    'verdict_key_unnamed',
    `${held}, but the deployment record names ${names} (verdictSigners).`,
    'Set the key that it names, or set KEEPER_PRIVATE_KEY to off to make no runs.',
  );
}

/** A failure that took this long counts as a timeout. */
const slowMs = 1_000;
const pauseMs = 15_000;

/**
 * Wraps a ticket key: for 15 seconds after a timeout, it fails immediately with the same error. Plans are judged one
 * after another, and otherwise each plan that names the key would wait for the timeout again.
 */
export function resting(account: TicketAccount, { now }: Pick<Timers, 'now'>): TicketAccount {
  let failed: { readonly until: number; readonly error: unknown } | undefined;
  return {
    address: account.address,
    async signTypedData(ticket) {
      if (failed !== undefined && now() < failed.until) throw failed.error;
      const from = now();
      try {
        return await account.signTypedData(ticket);
      } catch (error) {
        if (now() - from >= slowMs) failed = { until: now() + pauseMs, error };
        throw error;
      }
    },
  };
}
