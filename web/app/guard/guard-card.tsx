import { protocolName } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { encodeFunctionData } from 'viem';
import { useConnection } from 'wagmi';
import { Link } from 'wouter';
import { loanGuardAbi } from '../../../abis/index.ts';
import { assetAt } from '../api/settings.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount } from '../words/amounts.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import type { Coverage } from './coverage.ts';
import { coverageWords } from './coverage-words.ts';
import { cooldownException, sourceWords } from './price-source.ts';
import { Rescues } from './rescues.tsx';

interface Props {
  readonly guard: Guard;
  /** Undefined if it could not be read. */
  readonly loan: Loan | undefined;
  readonly coverage: Coverage;
}

export function GuardCard({ guard, loan, coverage }: Props) {
  const settings = useSettings();
  const { chainId } = useConnection();
  const { progress, isBusy, run } = useSteps();
  const market = loan?.markets.find((each) => each.market.toLowerCase() === guard.market.toLowerCase());
  const symbol = assetAt(settings, guard.repayToken)?.symbol ?? market?.symbol ?? shortAddress(guard.repayToken);
  const decimals = assetAt(settings, guard.repayToken)?.decimals ?? market?.decimals ?? 0;
  const amount = (base: bigint) => `${shortAmount(base, decimals)} ${symbol}`;
  const protocol = protocolName(settings.lending, guard.adapter);
  const { badge, tone, more } = coverageWords(coverage, protocol, amount, when);
  const isOwn = guard.funder.toLowerCase() === guard.borrower.toLowerCase();
  const ofMeans = (base: bigint | undefined) => (base === undefined ? 'not known' : amount(base));
  const source = sourceWords(guard, settings);
  const cancel = () =>
    run([
      {
        label: 'Cancel the guard for good',
        to: settings.contracts.loanGuard,
        data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [guard.id] }),
      },
    ]);
  return (
    <article className="card" aria-labelledby={`guard-${guard.id}`}>
      <div className="card-head">
        <div>
          <h2 id={`guard-${guard.id}`}>
            Below {health(guard.triggerWad)}, repay {symbol} up to {health(guard.targetWad)}
          </h2>
          <p className="faint">Guard {String(guard.id)}</p>
        </div>
        <span className={`badge word ${tone}`}>{badge}</span>
      </div>
      {more && <p className="faint">{more}</p>}
      <dl className="facts">
        <div>
          <dt>Most in one rescue</dt>
          <dd>{amount(guard.capPerRescue)}</dd>
        </div>
        <div>
          <dt>Most in a day</dt>
          <dd>{amount(guard.capPerDay)}</dd>
        </div>
        <div>
          <dt>Cooldown</dt>
          <dd>
            {duration(guard.cooldownSeconds)}
            {source && `; ${cooldownException(protocol, source)}`}
          </dd>
        </div>
        {guard.status === 'active' && (
          <>
            <div>
              <dt>{isOwn ? 'You approve' : `${shortAddress(guard.funder)} approves`}</dt>
              <dd>{ofMeans(guard.means?.allowance)}</dd>
            </div>
            <div>
              <dt>{isOwn ? 'You hold' : `${shortAddress(guard.funder)} holds`}</dt>
              <dd>{ofMeans(guard.means?.balance)}</dd>
            </div>
          </>
        )}
        {source && (
          <div>
            <dt>Also triggered by</dt>
            <dd>{source}</dd>
          </div>
        )}
        <div>
          <dt>Expires</dt>
          <dd>{when(guard.expiresAt)}</dd>
        </div>
      </dl>
      <Rescues guard={guard} source={source} amount={amount} />
      {guard.status === 'active' && (
        <div className="buttons">
          <button
            type="button"
            className="button danger"
            disabled={isBusy || chainId !== settings.chainId}
            onClick={() => void cancel()}
          >
            Cancel for good
          </button>
        </div>
      )}
      <Signing progress={progress} done="Done: the guard is cancelled." />
      <Link href={`/audit/guard/${guard.id}`}>Audit of this guard</Link>
    </article>
  );
}
