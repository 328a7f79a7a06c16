import type { NetworkCost } from '@bowline/chain/network-cost';
import { WRAPPED_BNB } from '@bowline/core/domain/assets';
import { useToldPrice } from '../api/quote.ts';
import type { RunSimulation } from '../chain/simulate-run.ts';
import { Amount } from '../parts/amount.tsx';
import { Fact } from '../parts/facts.tsx';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { TradeFacts } from '../parts/trade-facts.tsx';
import { reasonIn } from '../words/contract-errors.ts';
import { words } from '../words/en/frame.ts';
import { partWords } from '../words/en/parts.ts';
import { planWords } from '../words/en/plans.ts';
import { exactAsOf } from '../words/times.ts';
import type { PlanDraft } from './draft-plan.ts';
import type { useRunSimulation } from './readings.ts';

interface Props {
  readonly draft: Pick<PlanDraft, 'pay' | 'buy'>;
  readonly simulation: ReturnType<typeof useRunSimulation>;
  /** Why no buy is due now, in words; undefined if one is. */
  readonly notDue: string | undefined;
}

/** The plan's next run, simulated now. */
export function SimulatedRun({ simulation: { data, isError }, ...props }: Props) {
  return (
    <section className="stack" aria-labelledby="simulation">
      <h3 id="simulation">{planWords.simulated}</h3>
      {isError && <p className="faint">{partWords.notTried}</p>}
      {!isError && data === undefined && <p className="faint">{planWords.simulating}</p>}
      {!isError && data && (
        <>
          <Outcome {...props} {...data} />
          <p className="faint">{planWords.simulatedAt(exactAsOf(data.readAt.wall))}</p>
        </>
      )}
    </section>
  );
}

interface OutcomeProps extends Omit<Props, 'simulation'> {
  readonly run: RunSimulation;
  readonly cost: NetworkCost | undefined;
}

function Outcome({ draft: { pay, buy }, run, cost, notDue }: OutcomeProps) {
  const bnbUsdWad = useToldPrice(WRAPPED_BNB);
  if (run.state === 'refused') {
    return <Notice kind="bad" title={words.signing.ended.refused} more={reasonIn(run.failure)} />;
  }
  if (run.state === 'no_run') {
    if (run.failure === 'needs_verdict') {
      return <p className="faint">{planWords.needsVerdict}</p>;
    }
    if (notDue !== undefined) return <p className="faint">{notDue}</p>;
    return (
      <Notice kind="caution" title={planWords.wouldSkip}>
        <p>
          {run.failure === 'no_pool' ? planWords.noPool(pay.symbol, buy.symbol) : reasonIn(run.failure)}{' '}
          {planWords.skipsAreFree}
        </p>
      </Notice>
    );
  }
  const { amountIn, amountOut, floor, route, unmoved } = run;
  return (
    <>
      <dl className="ledger">
        <Fact name={partWords.youPay} className="out number">
          -<Amount base={amountIn} token={pay} isPaid />
        </Fact>
        <Fact name={planWords.youReceive} className="in number">
          +<Amount base={amountOut} token={buy} />
        </Fact>
      </dl>
      <Folded summary={planWords.simulatedDetails}>
        <div className="stack">
          <dl className="ledger">
            <TradeFacts
              {...{ pay, receive: buy, amountIn, amountOut, unmoved, minOut: floor, route, cost, bnbUsdWad }}
            />
          </dl>
          <p className="faint">{planWords.simulatedMore}</p>
        </div>
      </Folded>
    </>
  );
}
