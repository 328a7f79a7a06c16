import { writeFileSync } from 'node:fs';
import { agent, client } from './settings.ts';

// Asks whether BTCB is fairly priced, pays what the agent asks for (settings.ts says how much it may), and believes no word of the answer.
// `node pay-for-verdict.ts answer.json` keeps the answer, for replay-in-browser.

const answer = await agent.verdict({ asset: 'BTCB', side: 'buy', amountUsd: '1000' });
const trade = { tokenIn: client.assetOf('USDT').address, tokenOut: client.assetOf('BTCB').address };
const { verdict, problems, signer } = await client.verifyTicket(answer, trade);
if (problems.length > 0) throw new Error(`The ticket is not to be trusted: ${problems.join(', ')}.`);
console.log(`${verdict}, signed by ${signer}, and it follows from its evidence.`);
if (process.argv[2] !== undefined) writeFileSync(process.argv[2], JSON.stringify(answer));
