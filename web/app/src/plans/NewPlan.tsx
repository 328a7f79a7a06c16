import { useState } from 'react';
import { encodeFunctionData, erc20Abi } from 'viem';
import { useAccount, usePublicClient } from 'wagmi';
import { planRegistryAbi } from '../../../../abis/index.ts';
import { baseUnitsOf, parseAmount, parseCount, problemsOf } from '../amount.ts';
import { assetOf, useConfig } from '../config.tsx';
import { amount } from '../format.ts';
import { Calls } from '../parts/Calls.tsx';
import { Choice, Field } from '../parts/Field.tsx';
import { useBalances } from '../useBalances.ts';
import { useCalls } from '../useCalls.ts';
import { summaryOf } from './summary.ts';

const periods = [
  ['60', 'minute'],
  ['3600', 'hour'],
  ['86400', 'day'],
  ['604800', 'week'],
  ['2592000', '30 days'],
] as const;

const slippages = [
  ['50', '0.5 %'],
  ['100', '1 %'],
  ['200', '2 %'],
] as const;

/** A form for the terms of a plan, with what they permit in plain words, signed as an allowance and a creation. */
export function NewPlan() {
  const config = useConfig();
  const { address } = useAccount();
  const node = usePublicClient();
  const balances = useBalances(address);
  const { state, run, isReady } = useCalls();
  const buyable = config.assets.filter((asset) => asset.class === 'crypto');
  const [symbol, setSymbol] = useState(buyable[0]?.symbol ?? '');
  const [each, setEach] = useState('100');
  const [period, setPeriod] = useState('86400');
  const [runs, setRuns] = useState('30');
  const [slippage, setSlippage] = useState('100');
  const [limit, setLimit] = useState('');

  const buy = assetOf(config, symbol);
  const pay = assetOf(config, buy.quote);
  const parsedEach = parseAmount(each, pay.decimals, 'The amount of a run');
  const parsedRuns = parseCount(runs, 1, 1_000_000, 'The number of runs');
  const parsedLimit = limit.trim() === '' ? undefined : parseAmount(limit, pay.decimals, 'The limit price');
  const problems = problemsOf([parsedEach, parsedRuns, ...(parsedLimit ? [parsedLimit] : [])]);
  const periodSeconds = Number(period);
  const choice =
    problems.length > 0
      ? undefined
      : {
          payAmount: baseUnitsOf(parsedEach),
          paySymbol: pay.symbol,
          payDecimals: pay.decimals,
          buySymbol: buy.symbol,
          periodSeconds,
          runs: baseUnitsOf(parsedRuns),
          slippageBps: Number(slippage),
          limitPrice: parsedLimit && baseUnitsOf(parsedLimit),
          endsAt: Math.floor(Date.now() / 60_000) * 60 + periodSeconds * (Number(baseUnitsOf(parsedRuns)) + 1),
        };

  async function create(): Promise<void> {
    if (choice === undefined || address === undefined || node === undefined) return;
    const { planRegistry, swapExecutor, priceSource } = config.contracts;
    const [{ timestamp }, allowed] = await Promise.all([
      node.getBlock(),
      node.readContract({
        address: pay.address,
        abi: erc20Abi,
        functionName: 'allowance',
        args: [address, planRegistry],
      }),
    ]);
    const total = choice.payAmount * choice.runs;
    const startAt = Number(timestamp);
    const terms = {
      owner: address,
      recipient: address,
      executor: swapExecutor,
      tokenIn: pay.address,
      tokenOut: buy.address,
      amountPerRun: choice.payAmount,
      startAt,
      periodSeconds,
      windowSeconds: periodSeconds,
      maxRuns: Number(choice.runs),
      expiresAt: startAt + periodSeconds * (Number(choice.runs) + 1),
      priceSource,
      limitPriceWad:
        choice.limitPrice === undefined ? 0n : (choice.limitPrice * 10n ** 18n) / 10n ** BigInt(buy.decimals),
      maxSlippageBps: choice.slippageBps,
    };
    // What other plans were allowed stays allowed.
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [planRegistry, allowed + total],
    });
    await run(
      [
        {
          label: `Allow ${amount(total, pay.decimals)} ${pay.symbol} more to the plan registry`,
          to: pay.address,
          data: approve,
        },
        {
          label: 'Create the plan',
          to: planRegistry,
          data: encodeFunctionData({ abi: planRegistryAbi, functionName: 'create', args: [terms] }),
        },
      ],
      'Your plan is on chain. Its first run comes when the agent next looks.',
    );
  }

  const held = balances.data?.[pay.symbol];
  return (
    <form
      className="card form"
      aria-labelledby="new-plan"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2 id="new-plan">New plan</h2>
      <Choice
        label="Buy"
        value={symbol}
        onChange={setSymbol}
        options={buyable.map((a) => [a.symbol, `${a.symbol} · ${a.name}`])}
      />
      <Field
        label="Amount of a run"
        value={each}
        onChange={setEach}
        unit={pay.symbol}
        {...(held === undefined ? {} : { hint: `You hold ${amount(held, pay.decimals)} ${pay.symbol}.` })}
      />
      <div className="pair">
        <Choice label="Every" value={period} onChange={setPeriod} options={periods} />
        <Field label="Runs" value={runs} onChange={setRuns} />
      </div>
      <div className="pair">
        <Choice label="Tolerance below fair" value={slippage} onChange={setSlippage} options={slippages} />
        <Field label="Limit price (optional)" value={limit} onChange={setLimit} unit={pay.symbol} />
      </div>
      <div className="summary" aria-live="polite">
        <h3>What you permit</h3>
        {choice === undefined ? (
          <ul className="problems">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        ) : (
          <ul>
            {summaryOf(choice).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </div>
      <button
        type="submit"
        className="primary wide"
        disabled={choice === undefined || !isReady || state.state === 'busy'}
      >
        {address === undefined ? 'Connect a wallet to sign' : 'Allow and create'}
      </button>
      <Calls state={state} />
    </form>
  );
}
