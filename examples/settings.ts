import { readFileSync } from 'node:fs';
import { bowlineActions, connectAgent, deploymentOf, findAgent } from '@bowline/sdk';
import { payingFetch } from '@bowline/sdk/pay';
import { type Address, createPublicClient, createWalletClient, type Hex, http, parseUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { localhost } from 'viem/chains';

// What every example needs. Without settings of its own it uses a running `npm start`, whose well-known key and whose money are
// worth nothing.

const { env } = process;
export const rpcUrl = env.RPC_URL ?? 'http://127.0.0.1:8545';
const transport = http(rpcUrl);
const { REGISTRY: registry, AGENT_ID: agentId = '0', DEPLOYMENT: record } = env;
const url = env.AGENT_URL ?? 'http://127.0.0.1:4020';

/** By its entry in ERC-8004's registry, or by its address. */
const found =
  registry === undefined
    ? { url, deployment: await connectAgent(url).deployment() }
    : await findAgent(createPublicClient({ transport }), registry as Address, BigInt(agentId));
/** As the agent states it, unless DEPLOYMENT is a file with its record: money that is sent there trusts whoever stated it. */
export const deployment = record === undefined ? found.deployment : recorded(record);

const demoOwner: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
export const privateKey = (env.PRIVATE_KEY as Hex | undefined) ?? demoOwner;
export const account = privateKeyToAccount(privateKey);

const { chainId: id, escrow } = deployment;
const chain = { ...localhost, id };
export const client = createPublicClient({ chain, transport }).extend(bowlineActions(deployment));
export const wallet = createWalletClient({ account, chain, transport });

export async function mined(sent: Promise<Hex>) {
  const receipt = await client.waitForTransactionReceipt({ hash: await sent });
  if (receipt.status !== 'success') throw new Error(`Transaction ${receipt.transactionHash} reverted.`);
  return receipt;
}

if (escrow === undefined) throw new Error('This deployment has no escrow, whose token these examples pay in.');
export const { commerce, router, policy, token } = escrow;
/** Pays what the agent asks for, up to a maximum; a free agent asks for nothing. */
const maxAmount = parseUnits('0.05', token.decimals);
const fetch = payingFetch({ account, chainId: id, token: token.address, maxAmount });
export const agent = connectAgent(found.url, fetch);

function recorded(file: string) {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  return deploymentOf(content.chainId, content);
}
