import { writeFileSync } from 'node:fs';
import { connectAgent, verifyTicket } from '@bowline/sdk';
import { payingFetch } from '@bowline/sdk/payment';
import { parseUnits } from 'viem';
import { account, agentUrl, deployment, record } from './settings.ts';

// Asks whether BTCB is fairly priced, pays what the agent asks for (nothing, if it is free), and believes no word of the answer.
// `node pay-for-verdict.ts answer.json` keeps the answer, for replay-in-browser.

const { token } = record.escrow;
const fetch = payingFetch({
  account,
  chainId: deployment.chainId,
  token: token.address,
  maxAmount: parseUnits('0.05', token.decimals),
});
const answer = await connectAgent(agentUrl, fetch).verdict({ asset: 'BTCB', side: 'buy', amountUsd: '1000' });
const { verdict, problems, signer } = await verifyTicket(deployment, answer);
if (problems.length > 0) throw new Error(`The ticket is not to be trusted: ${problems.join(', ')}.`);
console.log(`${verdict}, signed by ${signer}, and it follows from its evidence.`);
if (process.argv[2] !== undefined) writeFileSync(process.argv[2], JSON.stringify(answer));
