import { shortAddress } from '@bowline/core/domain/readable';
import { encodeFunctionData } from 'viem';
import { useConnection } from 'wagmi';
import { Link } from 'wouter';
import { planRegistryAbi } from '../../../abis/index.ts';
import { isReadingOld, type Timed } from '../api/freshness.ts';
import { assetAt } from '../api/settings.ts';
import { useMoment } from '../api/use-moment.ts';
import type { OwnedPlans, Plan } from '../chain/read-plans.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useSteps } from '../chain/use-steps.ts';
import { AssetMark } from '../parts/asset-mark.tsx';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { exactAmount, shortAmount } from '../words/amounts.ts';
import { every, when } from '../words/times.ts';
import { Outlook } from './outlook.tsx';
import { Runs } from './runs.tsx';
import { shownStatus } from './shown-status.ts';

interface Props {
  readonly plan: Plan;
  readonly owned: Timed<OwnedPlans>;
}

const badges = {
  none: { tone: 'plain', word: 'none' },
  active: { tone: 'good', word: 'active' },
  paused: { tone: 'caution', word: 'paused' },
  cancelled: { tone: 'plain', word: 'cancelled' },
  revoked: { tone: 'plain', word: 'revoked' },
  over: { tone: 'plain', word: 'over' },
  unknown: { tone: 'caution', word: 'not known' },
} as const;

export function PlanCard({ plan, owned }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const now = useChainTime();
  const { progress, isBusy, run } = useSteps(`plan-${plan.id}`);
  const buy = assetAt(settings, plan.tokenOut);
  const pay = assetAt(settings, plan.tokenIn);
  const status = shownStatus(plan, owned, now, isReadingOld(owned, useMoment()));
  const { tone, word } = badges[status];
  const amount = (base: bigint) =>
    pay ? `${shortAmount(base, pay.decimals)} ${pay.symbol}` : `${base} units of ${shortAddress(plan.tokenIn)}`;

  const send = (label: string, name: 'pause' | 'cancel') =>
    run([
      {
        label,
        to: settings.contracts.planRegistry,
        data: encodeFunctionData({ abi: planRegistryAbi, functionName: name, args: [plan.id] }),
      },
    ]);
  const resume = () =>
    run([
      {
        label: 'Resume the plan',
        to: settings.contracts.planRegistry,
        data: encodeFunctionData({
          abi: planRegistryAbi,
          functionName: 'resume',
          args: [plan.id, BigInt(plan.version), BigInt(plan.runs)],
        }),
      },
    ]);
  const isStopped = isBusy || chainId !== settings.chainId;
  return (
    <article className="card" aria-labelledby={`plan-${plan.id}`}>
      <div className="card-head">
        <div className="plan-title">
          <AssetMark symbol={buy?.symbol ?? '?'} />
          <div>
            <h2 id={`plan-${plan.id}`}>
              {buy?.symbol ?? shortAddress(plan.tokenOut)} for {amount(plan.amountPerRun)} {every(plan.periodSeconds)}
            </h2>
            <p className="faint">
              <Link href={`/plans/${plan.id}`}>Plan {String(plan.id)}</Link>
            </p>
          </div>
        </div>
        <span className={`badge word ${tone}`}>{word}</span>
      </div>
      {status === 'unknown' && (
        <p className="faint">This plan could not be read just now. It was {plan.status} when it was last read.</p>
      )}
      <dl className="facts">
        <div>
          <dt>Runs</dt>
          <dd>
            {plan.runs.toLocaleString('en')} of {plan.maxRuns.toLocaleString('en')}
          </dd>
        </div>
        <div>
          <dt>Spent</dt>
          <dd title={pay && `${exactAmount(plan.amountPerRun * BigInt(plan.runs), pay.decimals)} ${pay.symbol}`}>
            {amount(plan.amountPerRun * BigInt(plan.runs))}
          </dd>
        </div>
        <div>
          <dt>Worst price</dt>
          <dd>{exactAmount(BigInt(plan.maxSlippageBps), 2)} % below Chainlink’s</dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>{when(plan.expiresAt)}</dd>
        </div>
      </dl>
      <svg className="progress" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="1000" height="6" />
        <rect width={Math.min(1_000, Math.ceil((plan.runs / plan.maxRuns) * 1_000))} height="6" />
      </svg>
      {now !== undefined && status === 'active' && <Outlook plan={plan} owned={owned} now={now} amount={amount} />}
      <Runs plan={plan} buy={buy} pay={pay} />
      {(status === 'active' || status === 'paused' || status === 'unknown') && (
        <div className="buttons">
          {plan.status === 'active' ? (
            <button
              type="button"
              className="button"
              disabled={isStopped}
              onClick={() => void send('Pause the plan', 'pause')}
            >
              Pause
            </button>
          ) : (
            <button type="button" className="button primary" disabled={isStopped} onClick={() => void resume()}>
              Resume
            </button>
          )}
          <button
            type="button"
            className="button danger"
            disabled={isStopped}
            onClick={() => void send('Cancel the plan for good', 'cancel')}
          >
            Cancel for good
          </button>
        </div>
      )}
      <Signing progress={progress} done="Done: the chain has it." />
      <Link href={`/audit/plan/${plan.id}`}>Audit of this plan</Link>
    </article>
  );
}
