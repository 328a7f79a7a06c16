import { type Address, encodeFunctionData, erc20Abi } from 'viem';
import { loanGuardAbi, planRegistryAbi } from '../../../../abis/index.ts';
import { useConfig } from '../config.tsx';
import { Calls } from '../parts/Calls.tsx';
import { usePlans } from '../plans/usePlans.ts';
import { type UserCall, useCalls } from '../useCalls.ts';
import { useGuards } from './useLoan.ts';

/** Takes back every permission that an account has given: cancels plans and guards, and ends their allowances. */
export function StopEverything({ account }: { account: Address }) {
  const { contracts } = useConfig();
  const plans = usePlans(account);
  const guards = useGuards(account);
  const { state, run, isReady } = useCalls();

  const openPlans = plans.data?.filter(({ state: { status } }) => status === 1 || status === 2) ?? [];
  const openGuards = guards.data?.filter(({ state: { status } }) => status === 1) ?? [];
  if (openPlans.length + openGuards.length === 0) return null;

  const end = (spender: Address, token: Address, name: string): UserCall => ({
    label: `End the allowance of ${name}`,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 0n] }),
  });
  const unique = (tokens: readonly Address[]) => [...new Set(tokens)];
  const calls = (): UserCall[] => [
    // First what stops everything of a kind at once.
    ...unique(openGuards.map(({ repayToken }) => repayToken)).map((token) =>
      end(contracts.loanGuard, token, 'the guard'),
    ),
    ...unique(openPlans.map(({ terms }) => terms.tokenIn)).map((token) =>
      end(contracts.planRegistry, token, 'the plans'),
    ),
    ...openGuards.map(({ id }) => ({
      label: `Cancel guard ${id}`,
      to: contracts.loanGuard,
      data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'cancel', args: [id] }),
    })),
    ...openPlans.map(({ id }) => ({
      label: `Cancel plan ${id}`,
      to: contracts.planRegistry,
      data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'cancel', args: [id] }),
    })),
  ];
  return (
    <div className="stop">
      <button
        type="button"
        className="danger"
        disabled={!isReady || state.state === 'busy'}
        onClick={() => void run(calls(), 'Everything is stopped: no plan, no guard, no allowance.')}
      >
        Stop everything
      </button>
      <p className="hint">
        Ends the allowances, then cancels {counted(openPlans.length, 'plan')} and {counted(openGuards.length, 'guard')}.
      </p>
      <Calls state={state} />
    </div>
  );
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
