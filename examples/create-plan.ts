import { approveCall, createCall, draftPlan, planRegistryAbi } from '@bowline/sdk';
import { erc20Abi, parseEventLogs } from 'viem';
import { account, client, deployment, mined, wallet } from './settings.ts';

// Buys BTCB for 25 USDT every day for 30 days, never more than 1 % above Chainlink's price.

const plan = draftPlan(deployment, {
  owner: account.address,
  pay: 'USDT',
  buy: 'BTCB',
  amountPerRun: '25',
  periodSeconds: 86_400,
  maxRuns: 30,
});
const approved = { address: plan.tokenIn, abi: erc20Abi, functionName: 'allowance' } as const;
const others = await client.readContract({ ...approved, args: [account.address, deployment.contracts.planRegistry] });
await mined(wallet.sendTransaction(approveCall(deployment, [plan], others)));
const { logs } = await mined(wallet.sendTransaction(createCall(deployment, plan)));
const [created] = parseEventLogs({ abi: planRegistryAbi, logs, eventName: 'PlanCreated' });
console.log(`Plan ${created?.args.planId} buys BTCB for ${account.address}, from now on.`);
