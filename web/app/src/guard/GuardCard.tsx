import { encodeFunctionData } from 'viem';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { assetAt, useConfig } from '../config.tsx';
import { amount, clock, health, span, when } from '../format.ts';
import { Calls } from '../parts/Calls.tsx';
import { useCalls } from '../useCalls.ts';
import type { OwnGuard } from './useLoan.ts';

const statuses = ['', 'Active', 'Cancelled'] as const;
const noDebt = 2n ** 128n - 1n;

export function GuardCard({ guard: { id, terms, repayToken, state, rescues } }: { guard: OwnGuard }) {
  const config = useConfig();
  const { state: calls, run, isReady } = useCalls();
  const token = assetAt(config, repayToken);
  const isOver = Math.floor(Date.now() / 1000) >= terms.expiresAt;
  const status = state.status === 1 && isOver ? 'Ended' : (statuses[state.status] ?? '');
  const cancel = () => {
    const data = encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [id] });
    return run(
      [{ label: `Cancel guard ${id}`, to: config.contracts.loanGuard, data }],
      `Guard ${id} is cancelled for good.`,
    );
  };
  return (
    <article className="card" aria-label={`Guard ${id}`}>
      <div className="card-head">
        <h3>
          Below {health(terms.triggerHealthWad)} up to {health(terms.targetHealthWad)}
        </h3>
        <span className={`badge ${status.toLowerCase()}`}>{status}</span>
      </div>
      <p className="muted">
        Guard {String(id)} · at most {amount(terms.capPerRescue, token.decimals)} {token.symbol} at once and{' '}
        {amount(terms.capPerDay, token.decimals)} a day · not twice within a {span(terms.cooldownSeconds || 1)} · until{' '}
        {when(terms.expiresAt)}
      </p>
      {rescues.length === 0 ? (
        <p className="muted">No rescue yet.</p>
      ) : (
        <ul className="runs">
          {rescues.map(({ time, repaid, healthBeforeWad, healthAfterWad }) => (
            <li key={`${time}-${repaid}`} className="run">
              <span className="num muted">{clock(time)}</span>
              <span className="num">
                Rescued: health {health(healthBeforeWad)} →{' '}
                {healthAfterWad === noDebt ? 'no debt' : health(healthAfterWad)}, repaid{' '}
                {amount(repaid, token.decimals)} {token.symbol}
              </span>
            </li>
          ))}
        </ul>
      )}
      {state.status === 1 && !isOver && (
        <div className="actions">
          <button type="button" className="danger" disabled={!isReady} onClick={() => void cancel()}>
            Cancel
          </button>
        </div>
      )}
      <Calls state={calls} />
    </article>
  );
}
