import type { Escrow, Job, JobHead } from '@bowline/core/domain/jobs';
import type { Call } from '@bowline/core/domain/sending';
import type { Hex } from '@bowline/core/domain/units';
import { numberToHex } from 'viem';
import { job, terms } from './jobs.ts';

/** The escrow's kernel as simple state. Tests make its jobs and its time; it counts what is asked of it. */
export function kernel({ keepsLogs = true } = {}) {
  const jobs = new Map<bigint, Job>();
  const funded = new Map<bigint, { readonly block: bigint; readonly at: bigint | undefined }>();
  const asked = { heads: 0, whole: 0, rounds: 0, logs: 0, counts: 0, blocks: 0 };
  let block = 1_000n;
  let now = 2_000n;
  let fork = 0n;
  let count = 0n;
  const callOf = (label: string): Call => ({ label, to: terms.contracts.commerce, data: '0x', value: 0n, gas: 1n });
  const submissions: { readonly id: bigint; readonly hash: Hex }[] = [];
  const settlements: bigint[] = [];
  const hashOf = (number: bigint): Hex => numberToHex(fork * 2n ** 64n + number, { size: 32 });
  const head = (): { number: bigint; timestamp: bigint; hash: Hex } => {
    return { number: block, timestamp: now, hash: hashOf(block) };
  };

  const escrow: Escrow = {
    contracts: terms.contracts,
    disputeWindowSeconds: terms.disputeWindowSeconds,
    newestBlock: async () => {
      asked.blocks += 1;
      return head();
    },
    jobCount: async () => {
      asked.counts += 1;
      return count;
    },
    job: async (id) => {
      const found = jobs.get(id);
      return found && { block: head(), job: found };
    },
    heads: async (ids, provider) => {
      asked.heads += ids.length;
      asked.rounds += 1;
      const known = ids.filter((id) => jobs.has(id));
      const found = known.flatMap((id): JobHead[] => {
        const { evaluator, hook, provider: named, status, budget, expiresAt, submittedAt } = jobs.get(id) as Job;
        const isRouted = evaluator === terms.contracts.router && hook === terms.contracts.router;
        const one = { id, status, isRouted, budget, expiresAt, submittedAt };
        if (named === nobody) return [one];
        return named === provider ? [{ ...one, provider }] : [];
      });
      return { jobs: new Map(found.map((one) => [one.id, one])), unread: ids.filter((id) => !jobs.has(id)) };
    },
    jobs: async (ids) => {
      asked.whole += ids.length;
      const found = ids.flatMap((id) => jobs.get(id) ?? []);
      return { block: head(), jobs: new Map(found.map((one) => [one.id, one])), unread: [] };
    },
    fundedIn: async (_provider, from, to) => {
      asked.logs += 1;
      if (!keepsLogs) return undefined;
      return [...funded].filter(([, { block: at }]) => at >= from && at <= to).map(([id]) => id);
    },
    blockHash: async (number) => (number <= block ? hashOf(number) : undefined),
    fundedAt: async (id) => funded.get(id)?.at,
    submit: (id, hash) => {
      submissions.push({ id, hash });
      return callOf('submit');
    },
    settle: (id) => {
      settlements.push(id);
      return callOf('settle');
    },
  };

  return {
    escrow,
    asked,
    submissions,
    settlements,
    /** Adds a job with the next number, or with `changes.id`. Skipped numbers become other sellers' jobs. */
    add(changes: Partial<Job> = {}): bigint {
      const id = changes.id ?? count + 1n;
      for (let other = count + 1n; other < id; other++) jobs.set(other, { ...job, id: other, provider: stranger });
      jobs.set(id, { ...job, ...changes, id });
      if (id > count) count = id;
      return id;
    },
    change: (id: bigint, changes: Partial<Job>) => void jobs.set(id, { ...job, ...jobs.get(id), ...changes, id }),
    fund(id: bigint, at: bigint | undefined = now) {
      jobs.set(id, { ...(jobs.get(id) as Job), status: 'funded' });
      funded.set(id, { block, at });
    },
    fundedAt: (id: bigint, at: bigint | undefined) => void funded.set(id, { block, at }),
    pass(seconds: bigint) {
      now += seconds;
      block += seconds * 2n;
    },
    /** Switches to another chain, which has these jobs, too. */
    replace: () => void fork++,
  };
}

const stranger = '0x9999999999999999999999999999999999999999';
const nobody = '0x0000000000000000000000000000000000000000';
