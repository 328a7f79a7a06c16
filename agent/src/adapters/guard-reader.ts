import type { ContractFunctionReturnType } from 'viem';
import { loanGuardAbi, venusMarketAbi } from '../../../abis/index.ts';
import type { GuardPolicy, Rescue } from '../domain/permissions.ts';
import type { GuardReader, RescueReader } from '../domain/ports.ts';
import { BowlineError } from '../domain/result.ts';
import { type Address, mulDivDown, WAD } from '../domain/units.ts';
import { asking, type ChainClient, inOneCall, newestBlock } from './chain-client.ts';
import { contractErrorName, refusalOf } from './contract-error.ts';

/** Policies, or rescues, of one eth_call. The answer comes as a contract's code, of which there may be 24 kB. */
const PAGE = 24;

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

  return {
    policies: () =>
      asking(async () => {
        const block = await newestBlock(client);
        const blockNumber = block.number;
        const count = await client.readContract({ ...guard, functionName: 'policyCount', blockNumber });
        const policies: GuardPolicy[] = [];
        for (let first = 1n; first <= count; first += BigInt(PAGE)) {
          const ids = Array.from({ length: PAGE }, (_, at) => first + BigInt(at)).filter((id) => id <= count);
          const contracts = ids.map((id) => ({ ...guard, functionName: 'policy', args: [id] }) as const);
          const page = await client.multicall({ ...inOneCall, allowFailure: false, blockNumber, contracts });
          policies.push(...page.map((policy, at) => toPolicy(first + BigInt(at), policy)));
        }
        return { block, policies };
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

    rescues: (policyId, from, to) =>
      asking(async () => {
        const { number: blockNumber } = await newestBlock(client);
        // The guard itself answers no rescues for a policy that does not exist.
        const { state } = await client
          .readContract({ ...guard, functionName: 'policy', args: [policyId], blockNumber })
          .catch((error) => {
            const name = contractErrorName(refusalOf(error)?.data);
            throw name === 'policy_unknown' ? unknownPolicy(policyId) : error;
          });
        const until = Math.min(to, state.rescues);
        const rescues: Rescue[] = [];
        for (let start = from; start < until; start += PAGE) {
          const args = [policyId, BigInt(start), BigInt(Math.min(start + PAGE, until))] as const;
          const page = await client.readContract({ ...guard, functionName: 'rescues', args, blockNumber });
          rescues.push(...page.map(toRescue));
        }
        return rescues;
      }),
  };
}

const unknownPolicy = (policyId: bigint) => new BowlineError('unknown_policy', `There is no guard ${policyId}.`);

const nobody = 0n;

function toPolicy(id: bigint, { terms, repayToken, state }: PolicyOnChain): GuardPolicy {
  const { keeper, ...rest } = terms;
  return {
    id,
    ...rest,
    repayToken,
    ...(BigInt(keeper) !== nobody && { keeper }),
    cooldownSeconds: BigInt(terms.cooldownSeconds),
    expiresAt: BigInt(terms.expiresAt),
    status: state.status === 1 ? 'active' : 'cancelled',
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
