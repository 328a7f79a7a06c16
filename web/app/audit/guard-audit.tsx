import { hasExpired } from '@bowline/core/audit/figures';
import type { GuardHistory } from '@bowline/core/audit/history';
import { guardIrregularities } from '@bowline/core/audit/irregularities';
import type { GuardKey } from '@bowline/core/domain/guard-key';
import { protocolName } from '@bowline/core/domain/lending';
import { NO_DEBT_HEALTH_WAD } from '@bowline/core/domain/permissions';
import { grouped } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { zeroAddress } from 'viem';
import { useChain } from '../chain/client.ts';
import { readGuardHistory, Unknown } from '../chain/read-history.ts';
import { useTokenReading } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Table } from '../parts/table.tsx';
import { useSettings } from '../settings.tsx';
import { namedToken } from '../words/amount-of.ts';
import { exactAmount } from '../words/amounts.ts';
import { sentence, textOf } from '../words/core-words.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { health } from '../words/health.ts';
import { duration, exactly } from '../words/times.ts';
import { AuditFrame, Irregularities } from './frame.tsx';

const full = 1;

export function GuardAudit({ id }: { readonly id: GuardKey }) {
  const client = useChain();
  const { contracts } = useSettings();
  const query = useQuery({
    queryKey: ['chain', 'audit', 'guard', String(id)],
    queryFn: () => readGuardHistory(client, contracts, id),
    retry: (failures, error) => !(error instanceof Unknown) && failures < 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AuditFrame title={auditWords.guardTitle(id)} query={query}>
      {({ history, timestamp }) => <Report guard={history} now={timestamp} />}
    </AuditFrame>
  );
}

/** @param now unix seconds: the time of the block that the report is for. */
function Report({ guard, now }: { readonly guard: GuardHistory; readonly now: bigint }) {
  const { lending, assets } = useSettings();
  const { token, error, retry } = useTokenReading(guard.repayToken);
  if (token === undefined && error) return <ReadFailed what={auditWords.theToken} error={error} retry={retry} />;
  if (token === undefined) return <Skeleton lines={3} label={auditWords.readingToken} />;
  const { terms, rescues, forcedMarkets } = guard;
  const amount = (base: bigint) => `${exactAmount(base, token.decimals)} ${token.symbol}`;
  const facts: readonly (readonly [string, string])[] = [
    [partWords.status, statusOf(guard, now)],
    [partWords.rescues, grouped(rescues.length)],
    [partWords.repaid, amount(rescues.reduce((sum, { repaid }) => sum + repaid, 0n))],
    [partWords.trigger, health(terms.triggerHealthWad)],
    [partWords.target, health(terms.targetHealthWad)],
    [auditWords.perRescue, partWords.fromTo(amount(terms.minRepay), amount(terms.capPerRescue))],
    [auditWords.perDay, auditWords.atMostOf(amount(terms.capPerDay))],
    [partWords.cooldown, duration(BigInt(terms.cooldownSeconds))],
    [partWords.expires, exactly(BigInt(terms.expiresAt))],
    [auditWords.repaysWith, namedToken(assets, token, guard.repayToken)],
    [auditWords.protocol, protocolName(lending, terms)],
    [partWords.borrower, terms.borrower],
    [auditWords.funder, terms.funder],
    [partWords.whoCanRescue, terms.keeper === zeroAddress ? partWords.anyone : terms.keeper],
    [partWords.alsoTriggeredBy, terms.priceSource === zeroAddress ? auditWords.nothing : terms.priceSource],
  ];
  return (
    <>
      <Irregularities found={guardIrregularities(guard)} />
      {forcedMarkets === undefined && <Notice kind="caution" title={auditWords.forcedUnread} />}
      {forcedMarkets !== undefined && forcedMarkets.length > 0 && (
        <Notice kind="bad" title={sentence(textOf('forced_liquidation'))} />
      )}
      <section className="card" aria-labelledby="audit-guard">
        <h2 id="audit-guard">{auditWords.guardTerms}</h2>
        <Facts rows={facts} />
      </section>
      {rescues.length === 0 ? (
        <p className="faint">{partWords.noRescue}</p>
      ) : (
        <section className="card" aria-labelledby="audit-rescues">
          <h2 id="audit-rescues">{partWords.rescues}</h2>
          <Table
            label={partWords.rescues}
            rows={[...rescues.entries()].toReversed()}
            keyOf={([number]) => String(number)}
            columns={[
              { name: auditWords.rescue, of: ([number]) => number },
              { name: partWords.when, kind: 'time', of: ([, { time }]) => exactly(BigInt(time)) },
              { name: partWords.repaid, of: ([, { repaid }]) => amount(repaid) },
              { name: partWords.before, of: ([, { healthBeforeWad }]) => health(healthBeforeWad) },
              {
                name: partWords.after,
                of: ([, { healthAfterWad: after }]) =>
                  after === NO_DEBT_HEALTH_WAD ? partWords.noDebtLeft : health(after),
              },
              {
                name: partWords.target,
                of: ([, { outcome }]) => (
                  <span className={`badge word ${outcome === full ? 'good' : 'caution'}`}>
                    {outcome === full ? partWords.reached : partWords.inPart}
                  </span>
                ),
              },
            ]}
          />
        </section>
      )}
    </>
  );
}

function statusOf(guard: GuardHistory, now: bigint): string {
  if (guard.isRevoked) return auditWords.revoked;
  if (hasExpired(guard, now)) return auditWords.expired;
  return auditWords.guardStatus[guard.state.status] ?? partWords.notKnown;
}
