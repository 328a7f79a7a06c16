import { encodeFunctionData } from 'viem';
import { planRegistryAbi } from '../../../../abis/index.ts';
import { assetAt, useConfig } from '../config.tsx';
import { amount, clock, span, when } from '../format.ts';
import { Calls } from '../parts/Calls.tsx';
import { useCalls } from '../useCalls.ts';
import { RunList } from './RunList.tsx';
import type { OwnPlan } from './usePlans.ts';

const statuses = ['', 'Active', 'Paused', 'Cancelled'] as const;

/** One plan: what it permits, what it has done, and how to stop it. */
export function PlanCard({ plan: { id, terms, state, records } }: { plan: OwnPlan }) {
  const config = useConfig();
  const { state: calls, run, isReady } = useCalls();
  const [pay, buy] = [assetAt(config, terms.tokenIn), assetAt(config, terms.tokenOut)];
  const now = Math.floor(Date.now() / 1000);
  const isOver = now >= terms.expiresAt || state.runs >= terms.maxRuns;
  const status = state.status === 1 && isOver ? 'Ended' : (statuses[state.status] ?? '');

  const change = (functionName: 'pause' | 'cancel', label: string, done: string) =>
    run(
      [
        {
          label,
          to: config.contracts.planRegistry,
          data: encodeFunctionData({ abi: planRegistryAbi, functionName, args: [id] }),
        },
      ],
      done,
    );
  const resume = () => {
    const args = [id, BigInt(state.runs)] as const;
    const data = encodeFunctionData({ abi: planRegistryAbi, functionName: 'resume', args });
    return run([{ label: `Resume plan ${id}`, to: config.contracts.planRegistry, data }], `Plan ${id} goes on.`);
  };

  return (
    <article className="card plan" aria-label={`Plan ${id}`}>
      <div className="card-head">
        <h3>
          {amount(terms.amountPerRun, pay.decimals)} {pay.symbol} → {buy.symbol}
        </h3>
        <span className={`badge ${status.toLowerCase()}`}>{status}</span>
      </div>
      <p className="muted">
        Plan {String(id)} · each {span(terms.periodSeconds)} · at most {terms.maxSlippageBps / 100} % below the fair
        price · until {when(terms.expiresAt)}
      </p>
      <dl className="facts">
        <div>
          <dt>Runs</dt>
          <dd className="num">
            {state.runs} of {terms.maxRuns.toLocaleString()}
          </dd>
        </div>
        <div>
          <dt>Paid so far</dt>
          <dd className="num">
            {amount(terms.amountPerRun * BigInt(state.runs), pay.decimals)} {pay.symbol}
          </dd>
        </div>
        <div>
          <dt>Next slot</dt>
          <dd className="num">{state.status === 1 && !isOver ? nextSlot(terms, state.cursor, now) : '–'}</dd>
        </div>
      </dl>
      <RunList records={records} pay={pay} buy={buy} />
      {state.status !== 3 && !isOver && (
        <div className="actions">
          {state.status === 1 ? (
            <button
              type="button"
              disabled={!isReady}
              onClick={() => void change('pause', `Pause plan ${id}`, `Plan ${id} is paused.`)}
            >
              Pause
            </button>
          ) : (
            <button type="button" disabled={!isReady} onClick={() => void resume()}>
              Resume
            </button>
          )}
          <button
            type="button"
            className="danger"
            disabled={!isReady}
            onClick={() => void change('cancel', `Cancel plan ${id}`, `Plan ${id} is cancelled for good.`)}
          >
            Cancel
          </button>
        </div>
      )}
      <Calls state={calls} />
    </article>
  );
}

function nextSlot({ startAt, periodSeconds }: OwnPlan['terms'], cursor: number, now: number): string {
  const passed = Math.max(0, Math.floor((now - startAt) / periodSeconds));
  const current = startAt + passed * periodSeconds;
  if (now < startAt) return when(startAt);
  if (current >= cursor) return 'open now';
  const next = current + periodSeconds;
  return periodSeconds < 86_400 ? clock(next) : when(next);
}
