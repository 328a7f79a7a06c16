import { connectChain } from '@bowline/chain/chain-client';
import { guardIrregularities, planIrregularities } from '@bowline/core/audit/irregularities';
import { localChainId } from '@bowline/core/domain/chains';
import { type GuardKey, guardKey } from '@bowline/core/domain/guard-key';
import { reasonOf } from '@bowline/core/domain/reasons';
import type { Address } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../abis/index.ts';
import { agentAt, evidenceLines } from '../audit/evidence.ts';
import { openChain } from '../audit/read.ts';
import { Absent, awaited, must, type Promised, type World } from './promise.ts';
import { buy } from './sale.ts';

// What stands on the chain: addresses, runs, rescues, a job, and the audit of all of it.

const planCount = ({ rpcUrl, record }: World): Promise<bigint> =>
  connectChain(rpcUrl, false).readContract({
    ...{ address: record.planRegistry, abi: planRegistryAbi, functionName: 'planCount' },
  });

/** Of both contracts. */
async function guardKeys({ rpcUrl, record: { loanGuard, collateralGuard } }: World): Promise<readonly GuardKey[]> {
  const client = connectChain(rpcUrl, false);
  const countOf = (address: Address) =>
    client.readContract({ address, abi: loanGuardAbi, functionName: 'guardCount' }).then(ids);
  const sales = collateralGuard ? await countOf(collateralGuard) : [];
  return [...(await countOf(loanGuard)), ...sales.map((id) => `collateral-${id}` as const)];
}

const ids = (count: bigint): bigint[] =>
  Array.from({ length: Number(count > 20n ? 20n : count) }, (_, at) => BigInt(at + 1));

/** On a chain of the demo a run or a rescue comes by itself. */
async function histories(world: World) {
  const chain = await openChain(world.rpcUrl, world.record);
  const plans = await chain.plans(ids(await planCount(world)));
  const guards = await chain.guards(await guardKeys(world));
  must(plans.unread.length + guards.unread.length === 0, [...plans.unread, ...guards.unread].join(' '));
  return { plans: plans.found, guards: guards.found };
}

const isRun = ({ outcome }: { readonly outcome: number }) => outcome === 1;

export const auditPromise: Promised = {
  that: 'the audit finds every run and rescue as its owner signed it, and every verdict in its evidence',
  keep: async (world) => {
    const { plans, guards } = await histories(world);
    const odd = [...plans.flatMap(planIrregularities), ...guards.flatMap(guardIrregularities)];
    must(odd.length === 0, odd.join(' '));
    const [first] = plans;
    if (first === undefined) throw new Absent('There is no plan yet.');
    const lines = await evidenceLines(first, agentAt(world.agentUrl));
    // What differs is set further in than what is counted and summed.
    const differing = lines.filter((line) => line.startsWith('    ')).map((line) => line.trim());
    must(differing.length === 0, `plan ${first.id}: ${differing.join(' ')}`);
    return `${plans.length} plans, ${guards.length} guards`;
  },
};

export const jobPromise: Promised = {
  that: 'a job is sold: offer, escrow, notice, delivery with the hash that is on chain, payment',
  keep: async ({ chainId, record: { escrow }, rpcUrl, agentUrl }) => {
    if (chainId === 56) throw new Absent('Not played here: the buyer would pay with real money.');
    if (chainId !== localChainId) throw new Absent('Not played here: the rehearsal has no escrow to buy through.');
    must(escrow, 'the record has no escrow');
    const task = 'Is BTCB fairly priced to buy for 5,000 USD?';
    const { id, url, content } = await buy({ rpcUrl, agentUrl, escrow, task, report: () => {} });
    must(content.includes('BTCB'), `delivers something else at ${url}`);
    return `job ${id}`;
  },
};

export const chainPromises: readonly Promised[] = [
  {
    that: 'a plan runs: the record is on chain, and its owner got at least the floor',
    keep: async (world) => {
      if ((await planCount(world)) === 0n) throw new Absent('There is no plan yet.');
      return awaited(
        world,
        async () => {
          const ran = (await histories(world)).plans.filter(({ runs }) => runs.some(isRun));
          const [plan] = ran;
          return plan && `plan ${plan.id}, ${plan.runs.filter(isRun).length} runs`;
        },
        'no plan has run',
      );
    },
  },
  {
    that: 'a plan whose verdict is not GO is deferred, with the reason on chain',
    keep: async (world) => {
      const deferred = async () => {
        const found = (await histories(world)).plans.flatMap(({ id, runs }) =>
          runs.filter((run) => !isRun(run)).map(({ reason }) => ({ id, reason })),
        );
        return found[0] && `plan ${found[0].id}, ${reasonOf(found[0].reason) ?? found[0].reason}`;
      };
      if (world.chainId === localChainId) return awaited(world, deferred, 'no plan was deferred');
      const found = await deferred();
      if (found === undefined) throw new Absent('No plan has been deferred yet.');
      return found;
    },
  },
  {
    that: 'a loan below its trigger is rescued by its guard',
    keep: async (world) => {
      if ((await guardKeys(world)).length === 0) throw new Absent('There is no guard yet.');
      const rescued = async () => {
        const [guard] = (await histories(world)).guards.filter(({ rescues }) => rescues.length > 0);
        return (
          guard &&
          `guard ${guardKey(guard)}, ${guard.rescues.length} ${guard.rescues.length === 1 ? 'rescue' : 'rescues'}`
        );
      };
      if (world.chainId !== 56) return awaited(world, rescued, 'no loan was rescued');
      const found = await rescued();
      if (found === undefined) throw new Absent('No guarded loan has been in danger yet.');
      return found;
    },
  },
  auditPromise,
  jobPromise,
];
