import { hasEnded, sumsOf } from '@bowline/core/audit/figures';
import type { PlanHistory, Terms } from '@bowline/core/audit/history';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { grouped } from '@bowline/core/domain/readable';
import { priceOf, type Sided, sidedOf, tradedOf } from '@bowline/core/domain/sided';
import { averageText, perAsset } from '@bowline/core/texts/amounts';
import { useQuery } from '@tanstack/react-query';
import { zeroAddress } from 'viem';
import { isSale } from '../api/settings.ts';
import { useChain } from '../chain/client.ts';
import { readPlanHistory, Unknown } from '../chain/read-history.ts';
import { useTokenReading } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { namedToken } from '../words/amount-of.ts';
import { exactAmount } from '../words/amounts.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { duration, every, exactly } from '../words/times.ts';
import { Evidence, useEvidence } from './evidence.tsx';
import { AuditFrame, Irregularities } from './frame.tsx';
import { Records } from './records.tsx';

export function PlanAudit({ id }: { readonly id: bigint }) {
  const client = useChain();
  const { contracts } = useSettings();
  const query = useQuery({
    queryKey: ['chain', 'audit', 'plan', String(id)],
    queryFn: () => readPlanHistory(client, contracts.planRegistry, id),
    retry: (failures, error) => !(error instanceof Unknown) && failures < 1,
    // A report must not change while somebody reads it.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AuditFrame title={auditWords.planTitle(id)} query={query}>
      {({ history, timestamp }) => <Report plan={history} now={timestamp} />}
    </AuditFrame>
  );
}

/** @param now unix seconds: the time of the block that the report is for. */
function Report({ plan, now }: { readonly plan: PlanHistory; readonly now: bigint }) {
  const evidence = useEvidence(plan);
  const [first] = plan.versions;
  const settings = useSettings();
  const [paid, got] = [useTokenReading(first?.tokenIn), useTokenReading(first?.tokenOut)];
  const [{ token: pay }, { token: buy }] = [paid, got];
  if (first === undefined || pay === undefined || buy === undefined) {
    const failed = [paid, got].find(({ token, error }) => token === undefined && error !== null);
    if (failed) return <ReadFailed what={auditWords.tokens} error={failed.error} retry={failed.retry} />;
    return <Skeleton lines={3} label={auditWords.readingTokens} />;
  }
  const { executed, deferred, paid: paidIn, received } = sumsOf(plan);
  const sided = sidedOf(isSale(settings, first), pay, buy);
  return (
    <>
      <Irregularities found={planIrregularities(plan)} />
      <section className="card" aria-labelledby="audit-sums">
        <h2 id="audit-sums">{auditWords.whatItDid}</h2>
        <Facts
          rows={[
            [partWords.status, statusOf(plan, now)],
            [partWords.runs, grouped(executed)],
            [auditWords.deferrals, grouped(deferred)],
            [partWords.paid, `${exactAmount(paidIn, pay.decimals)} ${pay.symbol}`],
            [partWords.received, `${exactAmount(received, buy.decimals)} ${buy.symbol}`],
            [partWords.averagePrice, perAsset(averageText(paidIn, received, sided), sided)],
            [auditWords.owner, first.owner],
            [auditWords.paysWith, namedToken(settings.assets, pay, first.tokenIn)],
            [auditWords.receives, namedToken(settings.assets, buy, first.tokenOut)],
          ]}
        />
        {[...plan.versions.entries()].map(([at, terms]) => (
          <TermsOf key={at} version={at + 1} {...{ terms, sided }} isNewest={at + 1 === plan.versions.length} />
        ))}
      </section>
      {plan.runs.length > 0 && <Evidence plan={plan} evidence={evidence} />}
      <Records {...{ plan, sided }} evidence={evidence.byRecord} />
    </>
  );
}

function statusOf(plan: PlanHistory, now: bigint): string {
  if (plan.isRevoked) return auditWords.revoked;
  if (hasEnded(plan, now)) return auditWords.ended;
  return auditWords.planStatus[plan.state.status] ?? partWords.notKnown;
}

interface TermsProps {
  readonly version: number;
  readonly terms: Terms;
  readonly sided: Sided;
  readonly isNewest: boolean;
}

function TermsOf({ version, terms, sided, isNewest }: TermsProps) {
  const { pay, buy } = tradedOf(sided);
  const { triggerPriceWad } = terms;
  return (
    <details className="more" open={isNewest}>
      <summary>{isNewest ? auditWords.terms(version) : auditWords.replacedTerms(version)}</summary>
      <Facts
        rows={[
          [
            auditWords.eachRun,
            auditWords.into(`${exactAmount(terms.amountPerRun, pay.decimals)} ${pay.symbol}`, buy.symbol),
          ],
          [
            auditWords.slots,
            auditWords.slotsOpen(every(BigInt(terms.periodSeconds)), duration(BigInt(terms.windowSeconds))),
          ],
          [auditWords.atMost, auditWords.atMostRuns(terms.maxRuns)],
          [auditWords.from, exactly(BigInt(terms.startAt))],
          [auditWords.until, exactly(BigInt(terms.expiresAt))],
          [partWords.floor, floorOf(terms)],
          [partWords.limitPrice, boundOf(terms.limitPriceWad, sided, false)],
          ...(terms.farLimit ? [[partWords.anyPrice, auditWords.anyPriceAllowed] as const] : []),
          ...(triggerPriceWad === 0n ? [] : [[partWords.triggerPrice, boundOf(triggerPriceWad, sided, true)] as const]),
          [auditWords.recipient, terms.recipient],
          [auditWords.executor, terms.executor],
          [auditWords.signedBy, terms.verdictSigner === zeroAddress ? auditWords.nobody : terms.verdictSigner],
        ]}
      />
    </details>
  );
}

const floorOf = ({ priceSource, maxSlippageBps }: Terms): string =>
  priceSource === zeroAddress
    ? auditWords.noSource
    : auditWords.belowSource(exactAmount(BigInt(maxSlippageBps), 2), priceSource);

function boundOf(priceWad: bigint, sided: Sided, isTrigger: boolean): string {
  if (priceWad === 0n) return auditWords.none;
  const { decimals, symbol } = sided.quote;
  return perAsset(`${exactAmount(priceOf(priceWad, sided, isTrigger), decimals)} ${symbol}`, sided);
}
