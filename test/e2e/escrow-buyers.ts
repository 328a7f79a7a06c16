import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildJobDescription, DeliverableManifest } from '@bnbagent/sdk/erc8183';
import { type Address, encodeFunctionData, getAbiItem, type Hex, maxUint256, parseAbi, parseEventLogs } from 'viem';
import { erc20Abi } from '../../lab/world/abis.ts';
import type { Chain, EncodedCall } from '../../lab/world/chain.ts';
import type { Escrow } from '../../lab/world/escrow.ts';
import { treasurer } from '../../lab/world/replica.ts';

// Buyers of the escrow, honest and not, many jobs to a block.

const jobAbi = parseAbi([
  'struct Job { uint256 id; address client; address provider; address evaluator; string description; uint256 budget; uint256 expiredAt; uint8 status; address hook; uint256 submittedAt; bytes32 deliverable; }',
  'function createJob(address provider, address evaluator, uint256 expiredAt, string description, address hook) returns (uint256)',
  'function createJobWithToken(address provider, address evaluator, uint256 expiredAt, string description, address hook, address token) returns (uint256)',
  'function setBudget(uint256 jobId, uint256 amount, bytes optParams)',
  'function fund(uint256 jobId, uint256 expectedBudget, bytes optParams)',
  'function registerJob(uint256 jobId, address policy)',
  'function setPaymentTokenSupported(address token, bool supported)',
  'function getJob(uint256 jobId) view returns (Job)',
  'event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)',
  'event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable)',
  'event JobInitialised(uint256 indexed jobId, bytes32 deliverable, uint64 submittedAt, bytes optParams)',
]);

const submittedEvent = getAbiItem({ abi: jobAbi, name: 'JobSubmitted' });
const initialisedEvent = getAbiItem({ abi: jobAbi, name: 'JobInitialised' });

export const status = { open: 0, funded: 1, submitted: 2, completed: 3 } as const;

/** What a buyer orders. Absent fields have the value of an honest job. */
export interface Order {
  readonly description: string;
  /** Base units. */
  readonly budget: bigint;
  readonly provider?: Address;
  /** Evaluator and hook. */
  readonly router?: Address;
  readonly token?: Address;
  /** Left open, without a budget. */
  readonly isOpen?: true;
}

/** Seconds until a job expires, which leaves time after the dispute window. */
const spareSeconds = 3_600n;

export function escrowBuyers(chain: Chain, escrow: Escrow, seller: Address) {
  const { commerce, router, policy } = escrow;

  /** Throws unless all succeed. */
  async function together(from: Address, calls: readonly EncodedCall[]) {
    const receipts = [];
    for (let at = 0; at < calls.length; at += 20) {
      receipts.push(...(await chain.sendTogether(from, calls.slice(at, at + 20))));
    }
    if (receipts.some((receipt) => receipt.status !== 'success')) throw new Error('A call to the escrow reverted.');
    return receipts;
  }

  const creation = (order: Order, expiry: bigint): EncodedCall => {
    const by = order.router ?? router;
    const args = [order.provider ?? seller, by, expiry, order.description, by] as const;
    const data = order.token
      ? encodeFunctionData({ abi: jobAbi, functionName: 'createJobWithToken', args: [...args, order.token] })
      : encodeFunctionData({ abi: jobAbi, functionName: 'createJob', args });
    return { to: commerce, data };
  };

  const funding = (order: Order, id: bigint): EncodedCall[] => {
    const { budget } = order;
    if (order.isOpen) return [];
    const [set, fund] = [
      encodeFunctionData({ abi: jobAbi, functionName: 'setBudget', args: [id, budget, '0x'] }),
      encodeFunctionData({ abi: jobAbi, functionName: 'fund', args: [id, budget, '0x'] }),
    ];
    const register = encodeFunctionData({ abi: jobAbi, functionName: 'registerJob', args: [id, policy] });
    return [
      ...(order.router ? [] : [{ to: router, data: register }]),
      { to: commerce, data: set },
      { to: commerce, data: fund },
    ];
  };

  const jobOf = (id: bigint) =>
    chain.readContract({ address: commerce, abi: jobAbi, functionName: 'getJob', args: [id] });

  return {
    commerce,
    jobOf,
    creation,

    /** Gives an account money for its jobs. */
    async equip(account: Address, amount: bigint, token: Address = escrow.token.address): Promise<void> {
      await chain.send(treasurer, token, { abi: erc20Abi, functionName: 'transfer', args: [account, amount] });
      await chain.send(account, token, { abi: erc20Abi, functionName: 'approve', args: [commerce, maxUint256] });
    },

    /** A token of the thief's own making, which the kernel takes. */
    async worthlessToken(): Promise<Address> {
      const address: Address = '0x00000000000000000000000000000000000fa15e';
      const artifact = new URL('../../out/PaymentToken.sol/PaymentToken.json', import.meta.url);
      const { abi, bytecode } = JSON.parse(readFileSync(artifact, 'utf8'));
      await chain.place(address, { abi, bytecode: bytecode.object }, [treasurer], treasurer);
      const call = { abi: jobAbi, functionName: 'setPaymentTokenSupported', args: [address, true] } as const;
      await chain.send(treasurer, commerce, call);
      return address;
    },

    /** A hook and evaluator that the thief controls. */
    async accomplice(): Promise<Address> {
      const artifact = new URL('../../out/Accomplice.sol/Accomplice.json', import.meta.url);
      const { abi, bytecode } = JSON.parse(readFileSync(artifact, 'utf8'));
      const address: Address = '0x000000000000000000000000000000000acc0001';
      await chain.place(address, { abi, bytecode: bytecode.object }, [], treasurer);
      return address;
    },

    /** Creates and funds jobs; returns their numbers in order. */
    async order(from: Address, orders: readonly Order[]): Promise<bigint[]> {
      const expiry = (await chain.getBlock()).timestamp + spareSeconds;
      const receipts = await together(
        from,
        orders.map((order) => creation(order, expiry)),
      );
      const ids = receipts.map(({ logs }) => {
        const [created] = parseEventLogs({ abi: jobAbi, eventName: 'JobCreated', logs });
        if (created === undefined) throw new Error('The escrow made no job.');
        return created.args.jobId;
      });
      await together(
        from,
        orders.flatMap((order, at) => funding(order, ids[at] as bigint)),
      );
      return ids;
    },

    /** Waits for the delivery and checks it as a buyer does: its hash, and its words at the recorded address. */
    async delivered(id: bigint, patienceMs = 90_000): Promise<DeliverableManifest> {
      const deadline = performance.now() + patienceMs;
      for (;;) {
        const job = await jobOf(id);
        if (job.status >= status.submitted) return await manifestOf(id, job.deliverable);
        if (performance.now() > deadline) throw new Error(`Job ${id} was not delivered within ${patienceMs / 1000} s.`);
        await sleep(100);
      }
    },

    /** How often each job was submitted. */
    async submissions(): Promise<Map<bigint, number>> {
      const filter = { address: commerce, event: submittedEvent, fromBlock: 0n };
      const counts = new Map<bigint, number>();
      for (const { args } of await chain.getLogs(filter)) {
        if (args.jobId !== undefined) counts.set(args.jobId, (counts.get(args.jobId) ?? 0) + 1);
      }
      return counts;
    },
  };

  async function manifestOf(id: bigint, hash: Hex): Promise<DeliverableManifest> {
    const filter = { address: policy, event: initialisedEvent, args: { jobId: id }, fromBlock: 0n };
    const [told] = await chain.getLogs(filter);
    const { deliverable_url: url } = JSON.parse(Buffer.from(told?.args.optParams?.slice(2) ?? '', 'hex').toString());
    const manifest = DeliverableManifest.fromDict((await (await fetch(url)).json()) as Record<string, unknown>);
    if (!manifest.verify(hash)) throw new Error(`The report of job ${id} is not the one whose hash is on chain.`);
    return manifest;
  }
}

/** Calls a skill of the agent by A2A 0.3. */
export async function ask(url: string, data: Record<string, unknown>): Promise<Record<string, unknown>> {
  const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts: [{ kind: 'data', data }] };
  const response = await fetch(`${url}/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
  });
  const { result } = (await response.json()) as { result: { parts: [{ data: Record<string, unknown> }] } };
  return result.parts[0].data;
}

/** A job description made from an offer of the agent. */
export const offerOf = async (url: string, task: string, client?: Address): Promise<string> =>
  buildJobDescription(await envelopeOf(url, task, client));

/** A description whose inner offer the SDK verifies, although it reads the fields beside that offer. */
export async function splitOf(url: string, task: string, beside: Record<string, unknown>): Promise<string> {
  const envelope = await envelopeOf(url, task);
  const { negotiated_at, quote_expires_at } = envelope.response as Record<string, unknown>;
  return JSON.stringify({ version: 1, negotiated_at, quote_expires_at, ...envelope, task, ...beside });
}

async function envelopeOf(url: string, task: string, client?: Address): Promise<Record<string, unknown>> {
  const terms = { deliverables: 'a report', quality_standards: 'cites its sources' };
  return await ask(url, { skill: 'negotiate', task_description: task, terms, ...(client && { client }) });
}
