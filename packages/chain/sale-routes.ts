import { poolFees } from '@bowline/core/domain/bounds';
import { fundingOf } from '@bowline/core/domain/guard-key';
import type { Guard, SaleRoute } from '@bowline/core/domain/permissions';
import { sameAddress } from '@bowline/core/domain/same-address';
import { type Address, descending } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getCreate2Address,
  keccak256,
  parseAbi,
} from 'viem';
import { isSilence } from './errors.ts';
import { noRoute } from './guard.ts';
import { depositAbi } from './guard-abi.ts';
import type { SaleRouter } from './readers.ts';
import { type Calls, inOneCall } from './reads.ts';
import { repaidIn, rescueCall } from './rescue-calls.ts';
import { tryAs } from './try-as.ts';

/** As in contracts/libraries/PancakePools.sol. */
const POOL_CODE_HASH = '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2';
/** Maximum rescues tried, those over one pool first. */
const MAX_TRIED = 12;

const poolAbi = parseAbi(['function liquidity() view returns (uint128)']);

/** @param caller sender of the rescues. */
export function createSaleRouter(
  client: Calls,
  { own, pancake }: Pick<AddressBook, 'own' | 'pancake'>,
  caller: Address,
): SaleRouter {
  const { poolDeployer, hubs } = pancake;

  async function candidates(from: Address, to: Address): Promise<readonly SaleRoute[]> {
    const routes = [
      ...poolFees.map((firstFee) => ({ ...noRoute, firstFee })),
      ...hubs
        .filter((hub) => !sameAddress(hub, from) && !sameAddress(hub, to))
        .flatMap((firstToken) =>
          poolFees.flatMap((firstFee) =>
            poolFees.map((secondFee) => ({ ...noRoute, firstFee, firstToken, secondFee })),
          ),
        ),
    ];
    const poolsOf = ({ firstFee, firstToken, secondFee }: SaleRoute): Address[] =>
      secondFee === 0
        ? [poolAt(poolDeployer, from, to, firstFee)]
        : [poolAt(poolDeployer, from, firstToken, firstFee), poolAt(poolDeployer, firstToken, to, secondFee)];
    const pools = [...new Set(routes.flatMap(poolsOf))];
    const read = await client.multicall({
      ...inOneCall,
      contracts: pools.map((address) => ({ address, abi: poolAbi, functionName: 'liquidity' }) as const),
    });
    const deep = new Set(pools.filter((_, at) => (read[at]?.result ?? 0n) > 0n));
    return routes.filter((route) => poolsOf(route).every((pool) => deep.has(pool))).slice(0, MAX_TRIED);
  }

  /** Undefined if the rescue fails by this route. */
  async function tried(guard: Guard, sale: NonNullable<Guard['sale']>) {
    const args = [guard.funder, sale.collateralMarket] as const;
    const left = { abi: depositAbi, functionName: 'accrueAndReadCollateral', args } as const;
    const calls = [rescueCall(own, { ...guard, sale }), { to: guard.adapter, data: encodeFunctionData(left) }];
    const [rescue, after] = await tryAs(client, guard.keeper ?? caller, calls);
    if (!rescue?.isOk || !after?.isOk) return undefined;
    const { receipts } = decodeFunctionResult({ ...left, data: after.data });
    return { sale, repaid: repaidIn(rescue.data), receipts };
  }

  return {
    async routed(guard) {
      const { sale, repayToken } = guard;
      if (fundingOf(guard) === 'wallet' || sale === undefined || sale.route !== undefined) return guard;
      if (sameAddress(sale.collateralToken, repayToken)) return guard;
      try {
        const routes = await candidates(sale.collateralToken, repayToken);
        const outcomes = await Promise.all(routes.map((route) => tried(guard, { ...sale, route })));
        const [best] = outcomes
          .filter((each) => each !== undefined)
          .toSorted((a, b) => descending(a.repaid, b.repaid) || descending(a.receipts, b.receipts));
        // If no route works, the first one is kept, so that the contract names why it refuses it.
        const [route] = routes;
        return best ? { ...guard, sale: best.sale } : { ...guard, sale: { ...sale, ...(route && { route }) } };
      } catch (error) {
        if (isSilence(error)) throw error;
        return guard;
      }
    },
  };
}

function poolAt(from: Address, a: Address, b: Address, fee: number): Address {
  const [token0, token1] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  const tokens = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;
  const salt = keccak256(encodeAbiParameters(tokens, [token0, token1, fee]));
  return getCreate2Address({ from, salt, bytecodeHash: POOL_CODE_HASH });
}
