import type { GuardHistory } from '@bowline/core/audit/history';
import { guardIrregularities } from '@bowline/core/audit/irregularities';
import { guardReport } from '@bowline/core/audit/report';
import { protocolName } from '@bowline/core/domain/lending';
import { sentence, textOf } from '@bowline/core/texts/words';
import { useQuery } from '@tanstack/react-query';
import { zeroAddress } from 'viem';
import { useChain } from '../chain/client.ts';
import { readGuardHistory, Unknown } from '../chain/read-history.ts';
import { useToken } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { health } from '../words/health.ts';
import { duration, exactly } from '../words/times.ts';
import { AsText, AuditFrame, Irregularities } from './frame.tsx';

const statuses = ['none', 'active', 'cancelled'] as const;
/** The recorded health when no debt is left. */
const noDebt = 2n ** 128n - 1n;
const full = 1;

export function GuardAudit({ id }: { readonly id: bigint }) {
  const client = useChain();
  const { contracts } = useSettings();
  const query = useQuery({
    queryKey: ['chain', 'audit', 'guard', String(id)],
    queryFn: () => readGuardHistory(client, contracts.loanGuard, id),
    retry: (failures, error) => !(error instanceof Unknown) && failures < 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AuditFrame title={`Audit of guard ${id}`} query={query}>
      {({ history }) => <Report guard={history} />}
    </AuditFrame>
  );
}

function Report({ guard }: { readonly guard: GuardHistory }) {
  const { lending } = useSettings();
  const token = useToken(guard.repayToken);
  if (token === undefined) return <Skeleton lines={3} label="Reading the token" />;
  const { terms, state, rescues, forcedMarkets } = guard;
  const amount = (base: bigint) => `${exactAmount(base, token.decimals)} ${token.symbol}`;
  const facts: readonly (readonly [string, string])[] = [
    ['Status', guard.isRevoked ? 'revoked' : (statuses[state.status] ?? 'not known')],
    ['Rescues', rescues.length.toLocaleString('en')],
    ['Repaid', amount(rescues.reduce((sum, { repaid }) => sum + repaid, 0n))],
    ['Trigger', health(terms.triggerHealthWad)],
    ['Target', health(terms.targetHealthWad)],
    ['Per rescue', `${amount(terms.minRepay)} to ${amount(terms.capPerRescue)}`],
    ['Per UTC day', `at most ${amount(terms.capPerDay)}`],
    ['Cooldown', duration(BigInt(terms.cooldownSeconds))],
    ['Expires', exactly(BigInt(terms.expiresAt))],
    ['Protocol', protocolName(lending, terms.adapter)],
    ['Borrower', terms.borrower],
    ['Funder', terms.funder],
    ['May rescue', terms.keeper === zeroAddress ? 'anyone' : terms.keeper],
    ['Also watches', terms.priceSource === zeroAddress ? 'nothing' : terms.priceSource],
  ];
  return (
    <>
      <Irregularities found={guardIrregularities(guard)} />
      {forcedMarkets === undefined && (
        <Notice kind="caution" title="Whether the loan can be liquidated at any health could not be read." />
      )}
      {forcedMarkets !== undefined && forcedMarkets.length > 0 && (
        <Notice kind="bad" title={sentence(textOf('forced_liquidation'))} />
      )}
      <section className="card" aria-labelledby="audit-guard">
        <h2 id="audit-guard">Terms, and what it did</h2>
        <Facts rows={facts} />
      </section>
      {rescues.length === 0 ? (
        <p className="faint">No rescue yet.</p>
      ) : (
        <section className="card" aria-labelledby="audit-rescues">
          <h2 id="audit-rescues">Rescues</h2>
          <div className="scroll">
            <table className="rows">
              <thead>
                <tr>
                  {['Rescue', 'When', 'Repaid', 'Health before', 'Health after', 'Target'].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {[...rescues.entries()].toReversed().map(([number, rescue]) => (
                  <tr key={number}>
                    <td data-label="Rescue">{number}</td>
                    <td data-label="When">{exactly(BigInt(rescue.time))}</td>
                    <td data-label="Repaid">{amount(rescue.repaid)}</td>
                    <td data-label="Health before">{health(rescue.healthBeforeWad)}</td>
                    <td data-label="Health after">
                      {rescue.healthAfterWad === noDebt ? 'no debt left' : health(rescue.healthAfterWad)}
                    </td>
                    <td data-label="Target">
                      <span className={`badge word ${rescue.outcome === full ? 'good' : 'caution'}`}>
                        {rescue.outcome === full ? 'reached' : 'in part'}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      <AsText text={guardReport(guard, token)} />
    </>
  );
}
