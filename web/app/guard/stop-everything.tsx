import { type Address, encodeFunctionData } from 'viem';
import { useConnection } from 'wagmi';
import { revocationsAbi } from '../../../abis/index.ts';
import { assetAt } from '../api/settings.ts';
import { approveStep } from '../chain/approve.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Signing } from '../parts/signing.tsx';
import { usePlans } from '../plans/use-plans.ts';
import { useSettings } from '../settings.tsx';
import { count } from '../words/times.ts';
import type { Guard } from './read-guards.ts';
import type { Loan } from './read-loan.ts';

interface Props {
  readonly owner: Address;
  readonly loan: Loan;
  /** Those that hold now. */
  readonly guards: readonly Guard[];
}

/**
 * One transaction ends every plan, guard and unused signature for good; the others take back what was approved, so that nothing
 * is left lying about.
 */
export function StopEverything({ owner, loan, guards }: Props) {
  const settings = useSettings();
  const { contracts } = settings;
  const { chainId } = useConnection();
  const { data: owned } = usePlans(owner);
  const { progress, isBusy, run } = useSteps();
  const plans = owned?.plans.filter(({ status }) => status === 'active' || status === 'paused') ?? [];
  const name = (token: Address) => assetAt(settings, token)?.symbol ?? token;
  if (owned === undefined || (plans.length === 0 && guards.length === 0 && progress.state === 'idle')) return null;

  const paid = [...new Set(plans.map(({ tokenIn }) => tokenIn.toLowerCase() as Address))];
  const repaid = loan.markets.filter(({ allowance }) => allowance > 0n);
  const steps = [
    {
      label: 'Revoke every plan and every guard',
      to: contracts.revocations,
      data: encodeFunctionData({ abi: revocationsAbi, functionName: 'revokeAll' }),
    },
    ...repaid.map(({ token, symbol }) =>
      approveStep(`Take back ${symbol} from guards`, token, contracts.loanGuard, 0n),
    ),
    ...paid
      .filter((token) => (owned.allowances[token] ?? 0n) > 0n)
      .map((token) => approveStep(`Take back ${name(token)} from plans`, token, contracts.planRegistry, 0n)),
  ];
  return (
    <section className="card" aria-labelledby="stop">
      <h2 id="stop">Stop everything</h2>
      <p>
        The first signature ends {count(plans.length, 'plan')} and {count(guards.length, 'guard')} at once and for good;
        the others take back what you have approved. Your loan is then not guarded. {count(steps.length, 'signature')}.
      </p>
      <div className="buttons">
        <button
          type="button"
          className="button danger"
          disabled={isBusy || steps.length === 0 || chainId !== settings.chainId}
          onClick={() => void run(steps)}
        >
          {isBusy ? 'Signing …' : 'Stop everything'}
        </button>
      </div>
      <Signing progress={progress} done="Everything is stopped: nothing more can be taken." />
    </section>
  );
}
