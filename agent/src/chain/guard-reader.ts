import type { GuardPolicy, Rescue } from '@bowline/core/domain/permissions';
import type { GuardReader, RescueReader } from '@bowline/core/domain/ports';
import { BowlineError } from '@bowline/core/domain/result';
import { type Address, mulDivDown, WAD } from '@bowline/core/domain/units';
import type { ContractFunctionReturnType } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { contractErrorName, refusalOf } from './contract-error.ts';
import { createNumberedReader, readInPages } from './in-pages.ts';

/** Policies of one eth_call. The answer comes as a contract's code, of which there may be 24 kB: enough for 32. */
const PAGE = 24;
/** Rescues of one call. */
const RECORDS = 50;

/** The guard's health of an account without debt. */
const NO_DEBT_HEALTH = 2n ** 128n - 1n;

type PolicyOnChain = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'policy'>;
type RescueOnChain = ContractFunctionReturnType<typeof loanGuardAbi, 'view', 'rescues'>[number];

export interface GuardContracts {
  readonly loanGuard: Address;
  /** The adapter that reads accounts for the guard. */
  readonly venusMarket: Address;
  /** The Venus market whose interest is brought up to date before an account is read. */
  readonly vUsdt: Address;
}

/**
 * Guard policies, their rescues, and the loans that they watch.
 * @param keeper in whose name rescues are simulated.
 */
export function createGuardReader(
  client: ChainClient,
  { loanGuard, venusMarket, vUsdt }: GuardContracts,
  keeper: Address,
): GuardReader & RescueReader {
  const guard = { address: loanGuard, abi: loanGuardAbi } as const;
  const policyOf = (id: bigint) => ({ ...guard, functionName: 'policy', args: [id] }) as const;

  async function readPolicies(ids: readonly bigint[]): Promise<GuardPolicy[]> {
    const contracts = ids.map(policyOf);
    const policies = await client.multicall({ ...inOneCall, allowFailure: false, contracts });
    return policies.map((policy, at) => toPolicy(ids[at] as bigint, policy));
  }

  const everyPolicy = createNumberedReader<GuardPolicy>(client, {
    count: () => client.readContract({ ...guard, functionName: 'policyCount' }),
    first: { pageSize: PAGE, read: readPolicies },
    // The guard refuses every call of this keeper's for such a policy, since terms never change once a policy exists.
    isOver: (policy, now) =>
      hasEnded(policy, now) || (policy.keeper !== undefined && policy.keeper.toLowerCase() !== keeper.toLowerCase()),
  });

  // The guard itself answers no rescues for a policy that does not exist.
  async function readPolicy(policyId: bigint): Promise<GuardPolicy> {
    const answer = await client.readContract(policyOf(policyId)).catch((error) => {
      const name = contractErrorName(refusalOf(error)?.data);
      throw name === 'policy_unknown' ? unknownPolicy(policyId) : error;
    });
    return toPolicy(policyId, answer);
  }

  return {
    policies: () =>
      asking(async () => {
        const { block, items, unread } = await everyPolicy.all();
        return { block, policies: items, unread };
      }),

    policy: (policyId) => asking(() => readPolicy(policyId)),

    policiesOf: (borrower, most) =>
      asking(async () => {
        const { items, unread } = await everyPolicy.find(
          (policy) => policy.borrower.toLowerCase() === borrower.toLowerCase(),
        );
        const { timestamp } = await newestBlock(client);
        const held = items.filter((policy) => !hasEnded(policy, timestamp));
        const ended = items.filter((policy) => hasEnded(policy, timestamp));
        const ids = [...held, ...ended].slice(0, most).map(({ id }) => id);
        const read = await readInPages(ids, PAGE, readPolicies);
        if (read.silence) throw read.silence;
        const policies = ids.flatMap((id) => read.items.get(id) ?? []);
        return { policies, total: items.length, unread: unread + read.unread.length };
      }),

    health: (borrower) =>
      asking(async () => {
        const block = await newestBlock(client);
        // The reading that the guard itself makes before a rescue, thrown away instead of mined.
        const call = { address: venusMarket, abi: venusMarketAbi, functionName: 'accrueAndRead' } as const;
        const { result: position } = await client
          .simulateContract({ ...call, args: [borrower, vUsdt], blockNumber: block.number })
          .catch((error) => {
            const refusal = refusalOf(error);
            if (refusal === undefined) throw error;
            const why = contractErrorName(refusal.data);
            throw new BowlineError('market_unavailable', `Venus gives no health of this account now (${why}).`, {
              retryable: true,
              cause: error,
            });
          });
        const { debtUsd: debtUsdWad, weightedCollateralUsd: weightedCollateralUsdWad } = position;
        const healthWad = debtUsdWad === 0n ? undefined : mulDivDown(weightedCollateralUsdWad, WAD, debtUsdWad);
        const loan = { borrower, block, debtUsdWad, weightedCollateralUsdWad };
        return healthWad === undefined ? loan : { ...loan, healthWad };
      }),

    preview: (policyId) =>
      asking(async () => {
        try {
          const call = { ...guard, functionName: 'rescue', args: [policyId], account: keeper } as const;
          const { result: repay } = await client.simulateContract(call);
          return { policyId, due: true, repay };
        } catch (error) {
          const refusal = refusalOf(error);
          if (refusal === undefined) throw error;
          const name = contractErrorName(refusal.data);
          if (name === 'policy_unknown') throw unknownPolicy(policyId);
          return { policyId, due: false, error: name };
        }
      }),

    // Rescues are only ever added, so that pages of different blocks fit together.
    rescues: (policyId, from, to) =>
      asking(async () => {
        const policy = await readPolicy(policyId);
        const until = Math.min(to, policy.rescues);
        const rescues: Rescue[] = [];
        for (let start = from; start < until; start += RECORDS) {
          const args = [policyId, BigInt(start), BigInt(Math.min(start + RECORDS, until))] as const;
          const page = await client.readContract({ ...guard, functionName: 'rescues', args });
          rescues.push(...page.map(toRescue));
        }
        return rescues;
      }),
  };
}

/** For good, as far as its own terms say. */
const hasEnded = ({ status, expiresAt }: GuardPolicy, now: bigint): boolean => status !== 'active' || now >= expiresAt;

const unknownPolicy = (policyId: bigint) => new BowlineError('unknown_policy', `There is no guard ${policyId}.`);

const nobody = 0n;

function toPolicy(id: bigint, { terms, repayToken, state, isRevoked }: PolicyOnChain): GuardPolicy {
  const { keeper, ...rest } = terms;
  return {
    id,
    ...rest,
    repayToken,
    ...(BigInt(keeper) !== nobody && { keeper }),
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: isRevoked ? 'revoked' : state.status === 1 ? 'active' : 'cancelled',
    lastRescueAt: BigInt(state.lastRescueAt),
    day: BigInt(state.day),
    takenInDay: state.takenInDay,
    rescues: state.rescues,
  };
}

function toRescue({ repaid, time, outcome, healthBeforeWad, healthAfterWad }: RescueOnChain): Rescue {
  const rescue = { repaid, time: BigInt(time), outcome: outcome === 1 ? 'full' : 'partial', healthBeforeWad } as const;
  return healthAfterWad === NO_DEBT_HEALTH ? rescue : { ...rescue, healthAfterWad };
}
