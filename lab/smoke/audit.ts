import { guardIrregularities, planIrregularities } from '@bowline/core/audit/irregularities';
import type { Address } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { agentAt, evidenceLines } from '../../cli/audit/evidence.ts';
import { openChain } from '../../cli/audit/read.ts';
import { must } from './requests.ts';
import type { Stack } from './stack.ts';

const ids = (count: bigint): bigint[] => Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));

/** Compares every plan and guard with its terms, and every verdict of the first plan with its evidence. */
export async function auditAll({ world, chain, contracts }: Stack): Promise<string> {
  const { planRegistry, loanGuard, collateralGuard } = contracts;
  const history = await openChain(world.rpcUrl, contracts);
  const guardsOf = async (address: Address) =>
    ids(await chain.readContract({ address, abi: loanGuardAbi, functionName: 'guardCount' }));
  const planCount = await chain.readContract({
    address: planRegistry,
    abi: planRegistryAbi,
    functionName: 'planCount',
  });
  const sales = collateralGuard ? await guardsOf(collateralGuard) : [];
  const plans = await history.plans(ids(planCount));
  const guards = await history.guards([
    ...(await guardsOf(loanGuard)),
    ...sales.map((id) => `collateral-${id}` as const),
  ]);
  const [first] = plans.found;
  must(first, 'there is no plan');
  const evidence = await evidenceLines(first, agentAt(world.agentUrl));
  const odd = [
    ...[...plans.unread, ...guards.unread],
    ...plans.found.flatMap(planIrregularities),
    ...guards.found.flatMap(guardIrregularities),
    // What differs is set further in than what is counted and summed.
    ...evidence.filter((line) => line.startsWith('    ')).map((line) => `plan ${first.id}: ${line.trim()}`),
  ];
  must(odd.length === 0, odd.join(' '));
  return `${plans.found.length} plans, ${guards.found.length} guards`;
}
