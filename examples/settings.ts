import { readFileSync } from 'node:fs';
import { connectAgent, deploymentOf } from '@bowline/sdk';
import { payingFetch } from '@bowline/sdk/payment';
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

// What every example needs. Without settings of its own it uses a running `npm start`, whose well-known key and whose money are
// worth nothing.

const { env } = process;
export const agentUrl = env.AGENT_URL ?? 'http://127.0.0.1:4020';
export const rpcUrl = env.RPC_URL ?? 'http://127.0.0.1:8545';
const recordFile = env.DEPLOYMENT ?? new URL('../script/deployments/31337.json', import.meta.url);
const demoOwner: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

/** The local chain's deployment is another one at each start. Of BNB Chain `deploymentOf(56)` is enough. */
export const record = JSON.parse(readFileSync(recordFile, 'utf8'));
export const deployment = deploymentOf(record.chainId, record);

export const privateKey = (env.PRIVATE_KEY as Hex | undefined) ?? demoOwner;
export const account = privateKeyToAccount(privateKey);

const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 };
const chain = defineChain({
  id: record.chainId,
  name: 'BNB Chain',
  nativeCurrency,
  rpcUrls: { default: { http: [rpcUrl] } },
});
export const client = createPublicClient({ chain, transport: http(rpcUrl) });
export const wallet = createWalletClient({ account, chain, transport: http(rpcUrl) });

/** Pays what the agent asks for, up to a maximum; a free agent asks for nothing. */
const { token } = record.escrow;
const maxAmount = parseUnits('0.05', token.decimals);
const fetch = payingFetch({ account, chainId: deployment.chainId, token: token.address, maxAmount });
export const agent = connectAgent(agentUrl, fetch);
