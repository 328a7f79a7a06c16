import { averagePrice, hasEnded, sumsOf } from '@bowline/core/audit/figures';
import type { PlanHistory, Terms, Token } from '@bowline/core/audit/history';
import { planIrregularities } from '@bowline/core/audit/irregularities';
import { grouped } from '@bowline/core/domain/readable';
import { useQuery } from '@tanstack/react-query';
import { zeroAddress } from 'viem';
import { useChain } from '../chain/client.ts';
import { readPlanHistory, Unknown } from '../chain/read-history.ts';
import { useTokenReading } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount } from '../words/amounts.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { duration, every, exactly } from '../words/times.ts';
import { Evidence } from './evidence.tsx';
import { AuditFrame, Irregularities } from './frame.tsx';
import { namedToken } from './named-token.ts';
import { Records } from './records.tsx';
import { useEvidence } from './use-evidence.ts';

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

/** @param now unix seconds: the block's time, which the report is of. */
function Report({ plan, now }: { readonly plan: PlanHistory; readonly now: bigint }) {
  const evidence = useEvidence(plan);
  const [first] = plan.versions;
  const { assets } = useSettings();
  const [paid, bought] = [useTokenReading(first?.tokenIn), useTokenReading(first?.tokenOut)];
  const [{ token: pay }, { token: buy }] = [paid, bought];
  if (first === undefined || pay === undefined || buy === undefined) {
    const failed = [paid, bought].find(({ token, error }) => token === undefined && error !== null);
    if (failed) return <ReadFailed what={auditWords.tokens} error={failed.error} retry={failed.retry} />;
    return <Skeleton lines={3} label={auditWords.readingTokens} />;
  }
  const { executed, deferred, paid: paidIn, received } = sumsOf(plan);
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
            [partWords.averagePrice, averagePrice(paidIn, received, pay, buy)],
            [auditWords.owner, first.owner],
            [auditWords.paysWith, namedToken(assets, pay, first.tokenIn)],
            [auditWords.buys, namedToken(assets, buy, first.tokenOut)],
          ]}
        />
        {[...plan.versions.entries()].map(([at, terms]) => (
          <TermsOf
            key={at}
            version={at + 1}
            terms={terms}
            pay={pay}
            buy={buy}
            isNewest={at + 1 === plan.versions.length}
          />
        ))}
      </section>
      {plan.runs.length > 0 && <Evidence plan={plan} evidence={evidence} />}
      <Records plan={plan} pay={pay} buy={buy} evidence={evidence.byRecord} />
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
  readonly pay: Token;
  readonly buy: Token;
  readonly isNewest: boolean;
}

const TermsOf = ({ version, terms, pay, buy, isNewest }: TermsProps) => (
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
        [partWords.limitPrice, priceOf(terms.limitPriceWad, pay, buy)],
        ...(terms.farLimit ? [[partWords.anyPrice, auditWords.anyPriceAllowed] as const] : []),
        ...(terms.triggerPriceWad === 0n
          ? []
          : [[partWords.triggerPrice, priceOf(terms.triggerPriceWad, pay, buy)] as const]),
        [auditWords.recipient, terms.recipient],
        [auditWords.executor, terms.executor],
        [auditWords.signedBy, terms.verdictSigner === zeroAddress ? auditWords.nobody : terms.verdictSigner],
      ]}
    />
  </details>
);

const floorOf = ({ priceSource, maxSlippageBps }: Terms): string =>
  priceSource === zeroAddress
    ? auditWords.noSource
    : auditWords.belowSource(exactAmount(BigInt(maxSlippageBps), 2), priceSource);

function priceOf(priceWad: bigint, pay: Token, buy: Token): string {
  if (priceWad === 0n) return auditWords.none;
  const wad = (priceWad * 10n ** BigInt(buy.decimals)) / 10n ** BigInt(pay.decimals);
  return `${exactAmount(wad, 18)} ${pay.symbol}/${buy.symbol}`;
}
