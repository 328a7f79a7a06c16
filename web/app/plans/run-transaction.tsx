import type { BarePlan as Plan } from '@bowline/core/domain/permissions';
import { useMutation } from '@tanstack/react-query';
import type { Hex } from 'viem';
import { useChain } from '../chain/client.ts';
import { findTransaction } from '../chain/find-transaction.ts';
import { TransactionLink } from '../parts/transaction-link.tsx';
import { useSettings } from '../settings.tsx';
import { planWords } from '../words/en/plans.ts';
import type { Run } from './use-runs.ts';

interface Props {
  readonly plan: Plan;
  readonly run: Run;
  readonly hash: Hex | undefined;
  readonly onFound: (hash: Hex) => void;
}

/** A record’s transaction. The chain’s state does not name it, so it is looked for when asked. */
export function RunTransaction({ plan, run, hash, onFound }: Props) {
  const client = useChain();
  const { planRegistry: registry } = useSettings().contracts;
  const search = useMutation({
    mutationFn: () =>
      findTransaction(client, { registry, planId: plan.id, record: run.record, time: BigInt(run.time) }),
    onSuccess: (found) => found && onFound(found),
  });
  if (hash) return <TransactionLink hash={hash} />;
  if (search.isError) return <span className="faint">{planWords.blockGone}</span>;
  if (search.isSuccess) return <span className="faint">{planWords.notFound}</span>;
  return (
    <button type="button" className="button link" disabled={search.isPending} onClick={() => search.mutate()}>
      {search.isPending ? planWords.looking : planWords.find}
      <span className="unseen">{planWords.findMore(run.record)}</span>
    </button>
  );
}
