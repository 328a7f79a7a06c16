import { readFileSync } from 'node:fs';
import { type Abi, erc20Abi, type Hex, parseUnits } from 'viem';
import { account, agent, client, deployment, mined, wallet } from '../settings.ts';

// Deploys FairBuyer and buys BTCB for 1,000 USDT through it, with the agent's ticket. Run it with the compiled contract:
// `node buy-with-ticket.ts FairBuyer.json`, an artifact of Foundry or Hardhat.

const artifact = JSON.parse(readFileSync(process.argv[2] ?? 'FairBuyer.json', 'utf8'));
const abi: Abi = artifact.abi;
const bytecode: Hex = artifact.bytecode.object ?? artifact.bytecode;
/** PancakeSwap v3's router, on BNB Chain and on its local copy. */
const router = '0x1b81D678ffb9C0263b24A97847620C99d213eB14';

const { contracts, verdictSigners } = deployment;
const args = [contracts.planRegistry, verdictSigners[0], router];
const { contractAddress: address } = await mined(wallet.deployContract({ abi, bytecode, args }));
if (!address) throw new Error('FairBuyer was not deployed.');

const trade = { tokenIn: client.assetOf('USDT').address, tokenOut: client.assetOf('BTCB').address };
const answer = await agent.verdict({ asset: 'BTCB', side: 'buy', amountUsd: '1000' });
const { ticket, signature, verdict, problems } = await client.verifyTicket(answer, trade);
if (verdict !== 'GO' || problems.length > 0)
  throw new Error(`No ticket to buy with: ${[verdict, ...problems].join(', ')}.`);

const amountIn = ticket.maxAmountIn < parseUnits('1000', 18) ? ticket.maxAmountIn : parseUnits('1000', 18);
// Rounded up: the contract accepts no worse price than the ticket's.
const minAmountOut = (amountIn * 10n ** 18n + ticket.maxPriceWad - 1n) / ticket.maxPriceWad;
await mined(
  wallet.writeContract({ address: trade.tokenIn, abi: erc20Abi, functionName: 'approve', args: [address, amountIn] }),
);
const { request, result } = await client.simulateContract({
  account,
  address,
  abi,
  functionName: 'buy',
  args: [ticket, signature, trade.tokenIn, amountIn, trade.tokenOut, minAmountOut, 500],
});
await mined(wallet.writeContract(request));
console.log(`FairBuyer at ${address} bought ${result} base units of BTCB for ${amountIn} of USDT.`);
