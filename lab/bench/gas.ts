// Gas of our transactions, next to bare calls to the same token, pool and lending market, on one local BNB Chain, with the real code of
// Venus and PancakeSwap v3.
//
//   npm run bench:gas

import { startDeployedChain } from '../../packages/chain/test/deployed-chain.ts';
import { measureLoans } from './gas/loans.ts';
import { execution, type Gas } from './gas/measure.ts';
import { measurePlans } from './gas/plans.ts';
import { measureSales } from './gas/sales.ts';
import { record } from './record.ts';

const contents = `
Gas is the receipt's, after refunds. Aims apply to whole transactions where the table shows one, including 21,000 and calldata.

- create: one transaction by the owner. It moves no tokens.
- run: SwapExecutor.execute for a new plan, over one pool, with the owner as recipient, and a ticket as the agent fills it in,
  with a nonzero evidence hash. "Beyond the swap" subtracts a bare swap of the same amount through the same pool; the rest is
  pull, floor, approvals, delivery and record, with their calldata.
- batch: (a batch of 20 less a batch of one) / 19, of 20 owners' plans, whose balances, allowances and epochs are all cold; the
  same for a multicall of the router, whose swaps have one payer and one recipient.
- the oracle: a cold call of getPrice; a run asks for two prices.
- rescue: of a loan in two markets. Its aim is the sum of the bare repayment of the same amount, which accrues the market's
  interest, one reading of debt and health by the adapter, without that interest and the 21,000, and 130,000.
- rescue out of savings: of such a loan, from another account's vUSDT, in a guard that watches Chainlink's feeds; out of collateral:
  the same, for which BTCB is sold.`;

const world = await startDeployedChain();
try {
  const plans = await measurePlans(world);
  const loans = await measureLoans(world);
  const sales = await measureSales(world);
  const beyondSwap = (run: Gas) => run.total - plans.bareSwap.total;
  const bareRescue = loans.bareRepay.total + loans.read;

  const whole = (action: string, gas: Gas, ...rest: Rest) => row(action, gas.total, gas, ...rest);
  const heads = ['action', 'gas', '21,000 + calldata', 'execution', 'aim', '', 'beside it', 'gas', 'ratio'];
  record(false, 'gas', [
    heads,
    whole('create a plan', plans.create, 185_000n, '', undefined),
    whole('run, limit price', plans.limitRun, undefined, 'bare swap', plans.bareSwap.total),
    row('  beyond the swap', beyondSwap(plans.limitRun), undefined, 105_000n, '', undefined),
    whole('run, two feeds', plans.feedsRun, undefined, 'bare swap', plans.bareSwap.total),
    row('  beyond the swap', beyondSwap(plans.feedsRun), undefined, undefined, '', undefined),
    whole('run, two feeds and a ticket', plans.ticketRun, undefined, 'bare swap', plans.bareSwap.total),
    row('  beyond the swap', beyondSwap(plans.ticketRun), undefined, undefined, '', undefined),
    whole('run, ResilientOracle', plans.oracleRun, undefined, 'bare swap', plans.bareSwap.total),
    row('  of which the oracle, for a price', loans.oraclePrice, undefined, undefined, '', undefined),
    row(
      ...(['one more run in a batch of 20', plans.oneMoreRun, undefined, undefined] as const),
      ...(['one more bare swap', plans.oneMoreSwap] as const),
    ),
    row('  beyond the swap', plans.oneMoreRun - plans.oneMoreSwap, undefined, 118_000n, '', undefined),
    whole('deferral', plans.deferral, 85_000n, 'bare transferFrom', plans.bareTransfer.total),
    whole('register a guard', loans.register, 200_000n, '', undefined),
    whole('rescue', loans.rescue, bareRescue + 130_000n, 'bare repayBorrowBehalf', loans.bareRepay.total),
    row('  beyond repayment and reading', loans.rescue.total - bareRescue, undefined, 130_000n, '', undefined),
    row('  of which the reading', loans.read, undefined, undefined, '', undefined),
    whole(
      'register a guard that sells collateral',
      sales.register,
      undefined,
      'register a guard',
      loans.register.total,
    ),
    whole('rescue out of savings', sales.savings, undefined, 'rescue', loans.rescue.total),
    ...sales.pools.map((gas, at) =>
      whole(
        `rescue out of collateral, ${at === 0 ? '1 pool' : `${at + 1} pools`}`,
        gas,
        undefined,
        'rescue',
        loans.rescue.total,
      ),
    ),
  ]);
  console.log(contents);
} finally {
  await world.stop();
}

type Rest = [aim: bigint | undefined, beside: string, itsGas: bigint | undefined];

function row(action: string, gas: bigint, parts: Gas | undefined, ...[aim, beside, itsGas]: Rest): string[] {
  return [
    action,
    number(gas),
    number(parts?.intrinsic),
    number(parts && execution(parts)),
    number(aim),
    aim === undefined ? '' : gas <= aim ? 'met' : `over by ${number(gas - aim)}`,
    beside,
    number(itsGas),
    itsGas === undefined ? '' : (Number(gas) / Number(itsGas)).toFixed(2),
  ];
}

function number(value: bigint | undefined): string {
  return value === undefined ? '' : value.toLocaleString('en');
}
