import { isRun, notedOf } from '@bowline/core/audit/figures';
import type { PlanHistory, Run } from '@bowline/core/audit/history';
import { repeatedReason } from '@bowline/core/domain/deferrals';
import { reasonOf } from '@bowline/core/domain/reasons';
import { type Sided, tradedOf } from '@bowline/core/domain/sided';
import { averageText, perAsset } from '@bowline/core/texts/amounts';
import { useState } from 'react';
import { Table } from '../parts/table.tsx';
import { exactAmount, gainUsd, shortAmount } from '../words/amounts.ts';
import { inWords } from '../words/core-words.ts';
import { auditWords } from '../words/en/audit.ts';
import { partWords } from '../words/en/parts.ts';
import { exactly } from '../words/times.ts';
import { gainOf, type Held } from './held.ts';

interface Props {
  readonly plan: PlanHistory;
  readonly sided: Sided;
  readonly evidence: ReadonlyMap<number, Held>;
}

const verdicts = ['NO_DATA', 'NO_GO', 'CAUTION', 'GO'] as const;
/** Records shown at first, newest first. */
const SHOWN = 50;

/** Every record of a plan, numbered as the chain does, with what its evidence says. */
export function Records({ plan: { runs }, sided, evidence }: Props) {
  const { pay, buy } = tradedOf(sided);
  const [shown, setShown] = useState(SHOWN);
  if (runs.length === 0) return <p className="faint">{auditWords.noRecords}</p>;
  const isRepeating = repeatedReason(runs.map(notedOf)) !== undefined;
  const newest = [...runs.entries()].toReversed().slice(0, shown);
  return (
    <section className="card" aria-labelledby="audit-records">
      <h2 id="audit-records">{auditWords.records}</h2>
      {isRepeating && <p className="faint">{auditWords.repeated}</p>}
      <Table
        label={auditWords.records}
        rows={newest}
        keyOf={([record]) => String(record)}
        idOf={([record]) => `record-${record}`}
        columns={[
          { name: auditWords.record, of: ([record]) => record },
          { name: partWords.when, kind: 'time', of: ([, run]) => exactly(BigInt(run.time)) },
          {
            name: partWords.what,
            of: ([, run]) =>
              isRun(run) ? (
                <span className="badge word good">{sided.isSale ? partWords.sold : partWords.bought}</span>
              ) : (
                <span className="badge word caution">{auditWords.deferral}</span>
              ),
          },
          {
            name: partWords.paid,
            of: ([, run]) =>
              isRun(run)
                ? `${shortAmount(run.amountIn, pay.decimals)} ${pay.symbol}`
                : { columns: 2, shown: deferralWords(run) },
            title: ([, run]) => `${exactAmount(run.amountIn, pay.decimals)} ${pay.symbol}`,
          },
          {
            name: auditWords.receivedAndFloor,
            of: ([, run]) => <Received {...{ run, sided }} />,
            title: ([, run]) => `${exactAmount(run.amountOut, buy.decimals)} ${buy.symbol}`,
          },
          {
            name: partWords.evidence,
            of: ([record, run]) => <EvidenceOf run={run} held={evidence.get(record)} />,
          },
        ]}
      />
      {runs.length > shown && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setShown(shown + 10 * SHOWN)}>
            {auditWords.olderRecords(runs.length - shown)}
          </button>
        </div>
      )}
    </section>
  );
}

function Received({ run, sided }: { readonly run: Run; readonly sided: Sided }) {
  const { buy } = tradedOf(sided);
  const price = perAsset(averageText(run.amountIn, run.amountOut, sided), sided);
  return (
    <span>
      {shortAmount(run.amountOut, buy.decimals)} {buy.symbol}{' '}
      <span className="faint">{auditWords.floorAndPrice(shortAmount(run.floor, buy.decimals), price)}</span>
    </span>
  );
}

const deferralWords = (run: Run): string =>
  (run.isAttested ? auditWords.signedDeferral : auditWords.claimedDeferral)(
    verdicts[run.verdict] ?? auditWords.unknownVerdict,
    inWords(reasonOf(run.reason) ?? partWords.unknownReason(run.reason)),
  );

function EvidenceOf({ run, held }: { readonly run: Run; readonly held: Held | undefined }) {
  const gain = gainOf(run, held);
  return (
    <span className="stack small">
      {gain && (
        <span className="full faint">
          {auditWords.gain(gainUsd(gain.referenceUsdWad))}
          {gain.poolUsdWad !== undefined && auditWords.gainBesidePool(gainUsd(gain.poolUsdWad))}
        </span>
      )}
      {held === undefined && <span className="faint">{auditWords.notAtHand}</span>}
      {held?.state === 'follows' && (
        <span className={`badge word ${held.looser.length + held.unchecked.length === 0 ? 'good' : 'caution'}`}>
          {auditWords.follows}
        </span>
      )}
      {held?.state === 'follows' && held.unchecked.map((why) => <span key={why}>{why}</span>)}
      {held?.state === 'follows' && held.looser.length > 0 && (
        <span className="full">
          {auditWords.looser}{' '}
          {held.looser
            .map(({ limit, own, usual }) => auditWords.looserThan(limit, own.toString(), usual.toString()))
            .join('; ')}
        </span>
      )}
      {held?.state === 'earlier' && <span className="full">{auditWords.earlierRules(held.version, held.release)}</span>}
      {held?.state === 'differs' && <span className="badge word bad">{auditWords.doesNotFollow}</span>}
      {held?.state === 'changed' && <span className="badge word bad">{auditWords.documentChanged}</span>}
      {held?.state === 'differs' && <span className="full">{held.what.join('; ') || auditWords.cannotBeJudged}</span>}
      <code title={run.evidencePrefix}>{run.evidencePrefix.slice(0, 10)}…</code>
    </span>
  );
}
