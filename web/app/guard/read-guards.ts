import type { Address, PublicClient } from 'viem';
import { loanGuardAbi } from '../../../abis/index.ts';
import { inOneCall } from '../chain/client.ts';

const statuses = ['none', 'active', 'cancelled'] as const;

export interface Guard {
  readonly id: bigint;
  readonly market: Address;
  readonly repayToken: Address;
  readonly triggerWad: bigint;
  readonly targetWad: bigint;
  readonly capPerRescue: bigint;
  readonly capPerDay: bigint;
  readonly minRepay: bigint;
  readonly cooldownSeconds: bigint;
  readonly expiresAt: bigint;
  /** `revoked`: with everything that its borrower had permitted, for good. */
  readonly status: (typeof statuses)[number] | 'revoked';
  readonly rescues: number;
}

export interface OwnedGuards {
  readonly guards: readonly Guard[];
  /** How many policies there were: none of them is asked again for its borrower, which never changes. */
  readonly upTo: bigint;
}

/** Policies of one call: the answer must stay below 24 kB. */
const PAGE = 25;

/** A borrower's policies, newest first. @throws when a page cannot be read. */
export async function readGuards(
  client: PublicClient,
  address: Address,
  borrower: Address,
  known?: OwnedGuards,
): Promise<OwnedGuards> {
  const upTo = await client.readContract({ address, abi: loanGuardAbi, functionName: 'policyCount' });
  const ids = known?.guards.map(({ id }) => id) ?? [];
  for (let id = (known?.upTo ?? 0n) + 1n; id <= upTo; id += 1n) ids.push(id);
  const guards: Guard[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE);
    const policies = await client.multicall({
      ...inOneCall,
      allowFailure: false,
      contracts: page.map((id) => ({ address, abi: loanGuardAbi, functionName: 'policy', args: [id] }) as const),
    });
    for (const [at, { terms, repayToken, state, isRevoked }] of policies.entries()) {
      if (terms.borrower.toLowerCase() !== borrower.toLowerCase()) continue;
      guards.push({
        id: page[at] as bigint,
        market: terms.market,
        repayToken,
        triggerWad: terms.triggerHealthWad,
        targetWad: terms.targetHealthWad,
        capPerRescue: terms.capPerRescue,
        capPerDay: terms.capPerDay,
        minRepay: terms.minRepay,
        cooldownSeconds: BigInt(terms.cooldownSeconds),
        expiresAt: BigInt(terms.expiresAt),
        status: isRevoked ? 'revoked' : (statuses[state.status] ?? 'none'),
        rescues: state.rescues,
      });
    }
  }
  return { guards: guards.toSorted((a, b) => (a.id < b.id ? 1 : -1)), upTo };
}
