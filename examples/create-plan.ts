import { planRegistryAbi } from '@bowline/sdk';
import { parseEventLogs } from 'viem';
import { account, client, mined, wallet } from './settings.ts';

// Buys BTCB for 25 USDT every day for 30 days, never more than 1 % above Chainlink's price.

const plan = client.draftPlan({
  owner: account.address,
  pay: 'USDT',
  buy: 'BTCB',
  amountPerRun: '25',
  periodSeconds: 86_400,
  maxRuns: 30,
});
await mined(wallet.sendTransaction(await client.approvePlansCall([plan])));
const { logs } = await mined(wallet.sendTransaction(client.createCall(plan)));
const [created] = parseEventLogs({ abi: planRegistryAbi, logs, eventName: 'PlanCreated' });
console.log(`Plan ${created?.args.planId} buys BTCB for ${account.address}, from now on.`);
