import { readGuardRescues } from '@bowline/chain/records';
import { guardKey } from '@bowline/core/domain/guard-key';
import { protocolName } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { assetAt } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import { Folded } from '../parts/folded.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Table } from '../parts/table.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { CSV_NAME, csvOfRescues, type Told, type Total, totalsOf } from './rescue-totals.ts';
import { penaltyWad } from './use-loan.ts';

/** What all guards of an account have done, also as a file. Read only once unfolded. */
export function AllRescues({ guards }: { readonly guards: readonly Guard[] }) {
  const rescues = guards.reduce((sum, guard) => sum + guard.rescues, 0);
  if (rescues === 0) return null;
  return (
    <Folded summary={guardWords.allRescues(rescues)}>
      <Totals guards={guards.filter((guard) => guard.rescues > 0)} />
    </Folded>
  );
}

function Totals({ guards }: { readonly guards: readonly Guard[] }) {
  const { data, error, refetch } = useAll(guards);
  if (data === undefined) {
    if (!error) return <Skeleton label={guardWords.theRescues} />;
    return <ReadFailed what={guardWords.theRescues} error={error} retry={() => void refetch()} />;
  }
  const amount = (base: bigint | undefined, total: Total) =>
    base === undefined ? partWords.notKnown : moneyOf(total).amount(base);
  return (
    <div className="stack">
      <Table
        label={partWords.rescues}
        rows={totalsOf(data)}
        keyOf={({ symbol }) => symbol}
        columns={[
          { name: partWords.rescues, kind: 'row', of: (total) => guardWords.rescued(total.rescues) },
          { name: partWords.repaid, kind: 'figure', of: (total) => amount(total.repaid, total) },
          { name: guardWords.avoided, kind: 'figure', of: (total) => amount(total.saved, total) },
        ]}
      />
      <div className="buttons">
        <a
          className="button quiet compact"
          download={CSV_NAME}
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOfRescues(data))}`}
        >
          {guardWords.csv}
        </a>
      </div>
    </div>
  );
}

function useAll(guards: readonly Guard[]) {
  const client = useChain();
  const settings = useSettings();
  const { contracts, lending } = settings;
  return useQuery({
    queryKey: ['chain', 'all-rescues', guards.map((guard) => [String(guardKey(guard)), guard.rescues])],
    queryFn: () =>
      Promise.all(
        guards.map(async (guard): Promise<Told> => {
          const asset = assetAt(settings, guard.repayToken);
          return {
            guard,
            protocol: protocolName(lending, guard),
            symbol: asset?.symbol ?? shortAddress(guard.repayToken),
            decimals: asset?.decimals,
            rescues: await readGuardRescues(client, contracts, guard, 0),
            penaltyWad: await penaltyWad(client, lending, guard).catch(() => undefined),
          };
        }),
      ),
  });
}
