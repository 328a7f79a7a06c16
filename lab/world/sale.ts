import { setTimeout as sleep } from 'node:timers/promises';
import { buildJobDescription, DeliverableManifest, ERC8183Client, JobStatus } from '@bnbagent/sdk/erc8183';
import { EVMWalletProvider } from '@bnbagent/sdk/wallets';
import { A2AClient } from 'a2a-sdk-03/client';
import { type Address, erc20Abi, formatEther, type Hex, recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Deployment } from '../../cli/record.ts';
import { call, connect } from './chain.ts';
import { localChainId } from './fork.ts';
import { treasurer } from './replica.ts';

// The buyer's side of a job. Only on the local chain: the buyer's key is public, and the price is a gift.

type Escrow = NonNullable<Deployment['escrow']>;

/** Anvil's eighth account, the buyer. Its key is public. */
const buyerKey: Hex = '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356';

export interface SalePlan {
  readonly rpcUrl: string;
  readonly agentUrl: string;
  readonly escrow: Escrow;
  readonly task: string;
  /** Called with a sentence for each step. */
  readonly report: (step: string) => void;
  /** How to reach the agent's public address if it does not exist; by default like any other. */
  readonly fetch?: typeof fetch;
}

/** A job, and the data needed to continue with it. */
export type FundedJob = Awaited<ReturnType<typeof makeJob>>;

/** Longer than the buyer's dispute window plus the time to work. */
const spareSeconds = 900n;
const patienceMs = 60_000;

/** A verified offer of the agent, and the agent that made it. Prices are in base units of the escrow's token. */
export type TakenOffer = Awaited<ReturnType<typeof takeOffer>>;

/**
 * Accepts an offer of the agent and funds a job with it, as any other agent would: with the ecosystem's own library for
 * the escrow, and an A2A client of version 0.3, which is what its buyers use. Verifies everything against the chain
 * that the chain can show.
 * @throws one line with the cause.
 */
export async function fundJob(plan: SalePlan): Promise<FundedJob> {
  const offer = await takeOffer(plan, privateKeyToAccount(buyerKey).address);
  const job = await makeJob(plan, offer);
  await payJob(plan, job, job.price);
  plan.report(`Job ${job.id} is funded.`);
  return job;
}

/**
 * @param buyer the only account for whose job the offer is valid; any account if omitted.
 * @throws one line with the cause.
 */
export async function takeOffer({ agentUrl, rpcUrl, escrow, task, report, ...by }: SalePlan, buyer?: Address) {
  const client = await escrowClient(rpcUrl, escrow, buyerKey);
  const agent = await A2AClient.fromCardUrl(`${agentUrl}/.well-known/agent-card.json`, {
    ...(by.fetch && { fetchImpl: by.fetch }),
  });
  const { skills } = await agent.getAgentCard();
  report(`The card at ${agentUrl} offers: ${skills.map(({ id }) => id).join(', ')}.`);

  const terms = { deliverables: 'a verdict report in Markdown', quality_standards: 'every check with its measure' };
  const envelope = await ask(agent, { skill: 'negotiate', task_description: task, terms, client: buyer });
  const { accepted, reason, terms: agreed } = envelope.response as Record<string, unknown>;
  if (accepted !== true) throw new Error(`The agent made no offer: ${reason}`);
  const { price: asked, currency } = agreed as { price: string; currency: Address };
  const price = BigInt(asked);
  const provider = await recoverMessageAddress({
    message: envelope.negotiation_hash as string,
    signature: envelope.provider_sig as Hex,
  });
  const verified = await client.verifyNegotiationQuote(envelope, { expectedProvider: provider });
  if (!verified.valid) throw new Error(`The offer failed verification: ${verified.reason}`);
  report(`Offer signed by ${provider}: ${formatEther(price)} tokens of ${currency}, verified.`);
  // Anyone who reads the envelope on chain, as a job's description, can create another job with it.
  return { envelope, provider, price, agent };
}

/** Creates an open job from an offer. @param key the buyer's. */
export async function makeJob(
  { rpcUrl, escrow }: Pick<SalePlan, 'rpcUrl' | 'escrow'>,
  { envelope, provider, price, agent }: TakenOffer,
  key: Hex = buyerKey,
) {
  const client = await escrowClient(rpcUrl, escrow, key);
  const { timestamp } = await client.publicClient.getBlock();
  const expiredAt = timestamp + BigInt(await client.policy.disputeWindow()) + spareSeconds;
  const { jobId: id } = await client.createJob({ provider, expiredAt, description: buildJobDescription(envelope) });
  if (id === null) throw new Error('The job was not created.');
  await client.registerJob(id);
  return { id, provider, price, agent, escrow: client };
}

/** Funds an open job, after giving the buyer the budget. Base units of the escrow's token. */
export async function payJob(
  { rpcUrl, escrow }: Pick<SalePlan, 'rpcUrl' | 'escrow'>,
  { id, escrow: client }: FundedJob,
  budget: bigint,
): Promise<void> {
  await provide(rpcUrl, escrow, (await client.getJob(id)).client as Address, budget);
  await client.setBudget(id, budget);
  await client.fund(id, budget, { expectedToken: escrow.token.address });
}

const escrowClient = (rpcUrl: string, escrow: Escrow, privateKey: Hex): Promise<ERC8183Client> =>
  ERC8183Client.create({
    // Without `persist: false` the library would store the key in the home folder.
    walletProvider: new EVMWalletProvider({ password: 'local', privateKey, persist: false }),
    network: {
      name: 'local',
      chainId: localChainId,
      rpcUrl,
      usePaymaster: false,
      registryContract: escrow.commerce,
      commerceContract: escrow.commerce,
      routerContract: escrow.router,
      policyContract: escrow.policy,
    },
  });

/** Notifies the agent of the job. @throws the agent's reason if it refuses. */
export async function notify({ agent, id }: FundedJob): Promise<string> {
  const { status, note, reason, error } = await ask(agent, { skill: 'notify_funded', job_id: id.toString() });
  if (status !== 'accepted') throw new Error(`The agent refused the job: ${reason ?? error}`);
  return String(note);
}

/** Waits for the deliverable, a report in Markdown. @throws if it does not arrive, or if its hash differs from the one on chain. */
export async function delivery({ id, escrow }: FundedJob, by: typeof fetch = fetch) {
  await reaches(escrow, id, JobStatus.SUBMITTED);
  const url = await escrow.getDeliverableUrl(id);
  if (url === null) throw new Error('The submission has no URL of the deliverable.');
  const manifest = DeliverableManifest.fromDict((await (await by(url)).json()) as Record<string, unknown>);
  const { deliverable } = await escrow.getJob(id);
  if (!manifest.verify(deliverable as Hex)) {
    throw new Error('The deliverable does not match its hash on chain.');
  }
  return { url, content: manifest.response.content };
}

/** A whole sale, from the agent card to the payment, with what was paid to the provider in base units. */
export async function buy(plan: SalePlan) {
  const { report } = plan;
  const job = await fundJob(plan);
  const before = await job.escrow.tokenBalance(job.provider);
  report(`The agent says: ${await notify(job)}.`);
  const delivered = await delivery(job, plan.fetch);
  report(`Delivered at ${delivered.url}, with the hash that is on chain.`);
  await reaches(job.escrow, job.id, JobStatus.COMPLETED);
  const paid = (await job.escrow.tokenBalance(job.provider)) - before;
  report(`Nobody objected: the agent has claimed ${formatEther(paid)} tokens.`);
  return { ...job, ...delivered, paid };
}

/** Makes sure that the buyer holds the price. */
async function provide(rpcUrl: string, { token }: Escrow, buyer: Address, price: bigint): Promise<void> {
  const [chain, { address }] = [connect(rpcUrl), token];
  const held = await chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [buyer] });
  if (held < price) await chain.sendAll(treasurer, [call(address, erc20Abi, 'transfer', [buyer, price])]);
}

/** Sends data to the agent and returns the data of its one reply Message. */
async function ask(agent: A2AClient, data: Record<string, unknown>): Promise<Record<string, unknown>> {
  const message = {
    kind: 'message',
    messageId: crypto.randomUUID(),
    role: 'user',
    parts: [{ kind: 'data', data }],
  } as const;
  const answered = await agent.sendMessage({ message: { ...message, parts: [...message.parts] } });
  if ('error' in answered) throw new Error(`The agent answered with an error: ${answered.error.message}`);
  const part = answered.result.kind === 'message' ? answered.result.parts[0] : undefined;
  if (part?.kind !== 'data') throw new Error('The agent answered without data.');
  return part.data;
}

async function reaches(client: ERC8183Client, jobId: bigint, wanted: JobStatus): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while ((await client.getJobStatus(jobId)) < wanted) {
    if (performance.now() > deadline)
      throw new Error(`Job ${jobId} did not reach status ${wanted} within ${patienceMs / 1000} s.`);
    await sleep(250);
  }
}
