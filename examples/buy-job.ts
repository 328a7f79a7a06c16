import { buildJobDescription, DeliverableManifest, ERC8183Client, JobStatus } from '@bnbagent/sdk/erc8183';
import { EVMWalletProvider } from '@bnbagent/sdk/wallets';
import { type Hex, recoverMessageAddress } from 'viem';
import { account, agentUrl, deployment, privateKey, record, rpcUrl } from './settings.ts';

// Buys a verdict report as a job of the escrow (ERC-8183): asks for an offer over A2A, funds a job with it, and takes the report
// only if its hash is the one on chain.

const { commerce, router, policy, token } = record.escrow;
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

const offer = await ask<Offer>({
  skill: 'negotiate',
  task_description: 'Is BTCB fairly priced to buy for 5,000 USD?',
  terms: { deliverables: 'a verdict report in Markdown', quality_standards: 'every check with its measure' },
  client: account.address, // Without it, whoever copies the offer may fund a job with it first.
});
const { accepted, reason, terms } = offer.response;
if (!accepted) throw new Error(`The agent makes no offer: ${reason}`);
const provider = await recoverMessageAddress({ message: offer.negotiation_hash, signature: offer.provider_sig });
const verified = await escrow.verifyNegotiationQuote(offer, { expectedProvider: provider });
if (!verified.valid) throw new Error(`The offer is not what it seems: ${verified.reason}`);

const { timestamp } = await escrow.publicClient.getBlock();
const expiredAt = timestamp + BigInt(await escrow.policy.disputeWindow()) + 900n;
const { jobId } = await escrow.createJob({ provider, expiredAt, description: buildJobDescription(offer) });
if (jobId === null) throw new Error('The escrow created no job.');
await escrow.registerJob(jobId);
await escrow.setBudget(jobId, BigInt(terms.price));
await escrow.fund(jobId, BigInt(terms.price), { expectedToken: token.address });
const notice = await ask<Reply>({ skill: 'notify_funded', job_id: jobId.toString() });
if (notice.status !== 'accepted') throw new Error(`The agent refuses the job: ${notice.reason ?? notice.error}`);

while ((await escrow.getJobStatus(jobId)) < JobStatus.SUBMITTED) await new Promise((wait) => setTimeout(wait, 500));
const report = await fetch((await escrow.getDeliverableUrl(jobId)) ?? '');
const manifest = DeliverableManifest.fromDict((await report.json()) as Record<string, unknown>);
const { deliverable } = await escrow.getJob(jobId);
if (!manifest.verify(deliverable as Hex)) throw new Error('The report is not the one that was submitted.');
console.log(manifest.response.content);

interface Reply {
  readonly status?: string;
  readonly reason?: string;
  readonly error?: string;
}

/** A signed offer: what the description of its job is made from. */
interface Offer extends Record<string, unknown> {
  readonly negotiation_hash: string;
  readonly provider_sig: Hex;
  readonly response: {
    readonly accepted: boolean;
    readonly reason?: string;
    readonly terms: { readonly price: string };
  };
}

interface Answer<Data> {
  readonly result?: { readonly message: { readonly parts: readonly [{ readonly data: Data }] } };
  readonly error?: { readonly message: string };
}

/** Sends data to the agent over A2A 1.0 and returns the data of its reply. */
async function ask<Data>(data: object): Promise<Data> {
  const response = await fetch(`${agentUrl}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ data }] } },
    }),
  });
  const { result, error } = (await response.json()) as Answer<Data>;
  if (result === undefined) throw new Error(`The agent answers with an error: ${error?.message}`);
  return result.message.parts[0].data;
}
