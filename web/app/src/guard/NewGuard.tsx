import { useState } from 'react';
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import { useAccount, usePublicClient } from 'wagmi';
import { loanGuardAbi } from '../../../../abis/index.ts';
import { baseUnitsOf, parseAmount, problemsOf } from '../amount.ts';
import { assetOf, useConfig } from '../config.tsx';
import { amount, health } from '../format.ts';
import { Calls } from '../parts/Calls.tsx';
import { Choice, Field } from '../parts/Field.tsx';
import { useBalances } from '../useBalances.ts';
import { useCalls } from '../useCalls.ts';
import { type Loan, repayFor } from './useLoan.ts';

const year = 365 * 86_400;
const cooldowns = [
  ['60', 'a minute'],
  ['3600', 'an hour'],
  ['86400', 'a day'],
] as const;

/** A form for the terms of a guard, with what they come to in this loan's numbers. */
export function NewGuard({ loan }: { loan: Loan | undefined }) {
  const config = useConfig();
  const { address } = useAccount();
  const node = usePublicClient();
  const balances = useBalances(address);
  const { state, run, isReady } = useCalls();
  const [trigger, setTrigger] = useState('1.1');
  const [target, setTarget] = useState('1.25');
  const [cap, setCap] = useState('5000');
  const [day, setDay] = useState('10000');
  const [cooldown, setCooldown] = useState('3600');
  const market = config.markets[0];
  const token = assetOf(config, market?.symbol ?? 'USDT');

  const parsed = {
    trigger: parseAmount(trigger, 18, 'The trigger'),
    target: parseAmount(target, 18, 'The target'),
    cap: parseAmount(cap, token.decimals, 'The most of one rescue'),
    day: parseAmount(day, token.decimals, 'The most of a day'),
  };
  const problems = problemsOf(Object.values(parsed));
  if (problems.length === 0) {
    if (baseUnitsOf(parsed.trigger) < 10n ** 18n) problems.push('The trigger must be 1 at least.');
    if (baseUnitsOf(parsed.target) * 100n < baseUnitsOf(parsed.trigger) * 102n) {
      problems.push('The target must be at least 2 % above the trigger.');
    }
    if (baseUnitsOf(parsed.target) > 10n ** 19n) problems.push('The target must be 10 at most.');
  }
  const isSound = problems.length === 0;
  const least = 10n ** BigInt(token.decimals);
  const held = balances.data?.[token.symbol];

  async function set(): Promise<void> {
    if (!isSound || address === undefined || node === undefined || market === undefined) return;
    const { loanGuard, venusMarket } = config.contracts;
    const [{ timestamp }, allowed] = await Promise.all([
      node.getBlock(),
      node.readContract({
        address: token.address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [address, loanGuard],
      }),
    ]);
    const capPerDay = baseUnitsOf(parsed.day);
    const capPerRescue = baseUnitsOf(parsed.cap);
    const smallest = capPerRescue < capPerDay ? capPerRescue : capPerDay;
    const terms = {
      borrower: address,
      adapter: venusMarket,
      market: market.market,
      keeper: zeroAddress,
      triggerHealthWad: baseUnitsOf(parsed.trigger),
      targetHealthWad: baseUnitsOf(parsed.target),
      capPerRescue,
      capPerDay,
      minRepay: least * 10n < smallest ? least * 10n : smallest,
      cooldownSeconds: Number(cooldown),
      expiresAt: Number(timestamp) + year,
    };
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [loanGuard, allowed + capPerDay],
    });
    await run(
      [
        {
          label: `Allow ${amount(capPerDay, token.decimals)} ${token.symbol} more to the loan guard`,
          to: token.address,
          data: approve,
        },
        {
          label: 'Set the guard',
          to: loanGuard,
          data: encodeFunctionData({ abi: loanGuardAbi, functionName: 'register', args: [terms] }),
        },
      ],
      'Your guard is on chain. The agent looks at your loan at every block.',
    );
  }

  return (
    <form
      className="card form"
      aria-labelledby="new-guard"
      onSubmit={(event) => {
        event.preventDefault();
        void set();
      }}
    >
      <h2 id="new-guard">New guard</h2>
      <div className="pair">
        <Field label="Trigger: act below health" value={trigger} onChange={setTrigger} />
        <Field label="Target: bring it up to" value={target} onChange={setTarget} />
      </div>
      <div className="pair">
        <Field label="Most of one rescue" value={cap} onChange={setCap} unit={token.symbol} />
        <Field label="Most of a day" value={day} onChange={setDay} unit={token.symbol} />
      </div>
      <Choice label="Between two rescues, at least" value={cooldown} onChange={setCooldown} options={cooldowns} />
      <div className="summary" aria-live="polite">
        <h3>What you permit</h3>
        {isSound ? (
          <ul>
            <li>
              When health is below {health(baseUnitsOf(parsed.trigger))}, your {token.symbol} repays your own Venus loan
              until health is {health(baseUnitsOf(parsed.target))}. Nothing else can be done with it.
            </li>
            <li>
              At most {amount(baseUnitsOf(parsed.cap), token.decimals)} {token.symbol} at once and{' '}
              {amount(baseUnitsOf(parsed.day), token.decimals)} in a UTC day; the allowance is for that much.
            </li>
            {loan !== undefined && loan.debtUsdWad > 0n && (
              <li>
                To stand at {health(baseUnitsOf(parsed.target))} now, your loan would need{' '}
                {amount(repayFor(loan, baseUnitsOf(parsed.target)), token.decimals)} {token.symbol}
                {held === undefined ? '' : `; you hold ${amount(held, token.decimals)}`}.
              </li>
            )}
            <li>It ends in a year, or when you cancel it.</li>
          </ul>
        ) : (
          <ul className="problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
      </div>
      <button type="submit" className="primary wide" disabled={!isSound || !isReady || state.state === 'busy'}>
        Allow and set
      </button>
      <Calls state={state} />
    </form>
  );
}
