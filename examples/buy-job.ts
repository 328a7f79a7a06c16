import { buildJobDescription, DeliverableManifest, ERC8183Client, JobStatus } from '@bnbagent/sdk/erc8183';
import { EVMWalletProvider } from '@bnbagent/sdk/wallets';
import { type Hex, recoverMessageAddress } from 'viem';
import { account, agent, commerce, deployment, policy, privateKey, router, rpcUrl, token } from './settings.ts';

// Buys a verdict report as a job of the escrow (ERC-8183): asks for an offer, funds a job with it, and takes the report only if its
// hash is the one on chain. The escrow is spoken to by the ecosystem's library: `npm install @bnbagent/sdk@0.6.0`.

const escrow = await ERC8183Client.create({
  // Without `persist: false` the library would store the key in the home folder.
  walletProvider: new EVMWalletProvider({ password: 'local', privateKey, persist: false }),
  network: {
    name: 'of this example',
    chainId: deployment.chainId,
    rpcUrl,
    usePaymaster: false,
    registryContract: commerce,
    commerceContract: commerce,
    routerContract: router,
    policyContract: policy,
  },
});

const offer = await agent.offer('Is BTCB fairly priced to buy for 5,000 USD?', account.address);
const { price } = offer.response.terms;
const provider = await recoverMessageAddress({ message: offer.negotiation_hash, signature: offer.provider_sig });
const verified = await escrow.verifyNegotiationQuote(offer, { expectedProvider: provider });
if (!verified.valid) throw new Error(`The offer is not what it seems: ${verified.reason}`);

const { timestamp } = await escrow.publicClient.getBlock();
const expiredAt = timestamp + BigInt(await escrow.policy.disputeWindow()) + 900n;
const { jobId } = await escrow.createJob({ provider, expiredAt, description: buildJobDescription(offer) });
if (jobId === null) throw new Error('The escrow created no job.');
await escrow.registerJob(jobId);
await escrow.setBudget(jobId, BigInt(price));
await escrow.fund(jobId, BigInt(price), { expectedToken: token.address });
await agent.notifyFunded(jobId);

while ((await escrow.getJobStatus(jobId)) < JobStatus.SUBMITTED) await new Promise((wait) => setTimeout(wait, 500));
const report = await fetch((await escrow.getDeliverableUrl(jobId)) ?? '');
const manifest = DeliverableManifest.fromDict((await report.json()) as Record<string, unknown>);
const { deliverable } = await escrow.getJob(jobId);
if (!manifest.verify(deliverable as Hex)) throw new Error('The report is not the one that was submitted.');
console.log(manifest.response.content);
