import type { ChainClient } from '@bowline/chain/chain-client';
import { connectEscrow } from '@bowline/chain/escrow';
import { toIsoTime } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { bnb, withSymbol } from '@bowline/core/domain/units';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { type Address, encodeFunctionData, erc20Abi, type LocalAccount, parseAbi } from 'viem';
import { type SendBounds, sendAs } from '../sending/send.ts';

export interface SellerRotation {
  readonly client: ChainClient;
  readonly book: AddressBook;
  readonly bounds: SendBounds;
  readonly from: LocalAccount;
  readonly to: LocalAccount;
  /** Its entry in ERC-8004's registry; absent if it has none. */
  readonly entry?: { readonly registry: Address; readonly agentId: bigint } | undefined;
  /** Leaves paid jobs undelivered, because the key is stolen. */
  readonly abandonsJobs: boolean;
  readonly say: (line: string) => void;
}

const identityAbi = parseAbi([
  'function ownerOf(uint256 agentId) view returns (address)',
  'function getAgentWallet(uint256 agentId) view returns (address)',
  'function transferFrom(address from, address to, uint256 agentId)',
  'function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes signature)',
]);

/** The registry accepts deadlines up to five minutes ahead. */
const walletSeconds = 240n;

/**
 * Hands the seller's role to another key: its entry in the agent registry. Jobs stay bound to the provider that they
 * name, and only that provider's key can deliver them.
 * @returns whether it is done; not while a job waits for the former seller's delivery.
 * @throws one line that names the obstacle.
 */
export async function rotateSeller(rotation: SellerRotation): Promise<boolean> {
  const { client, book, from, to, abandonsJobs, say } = rotation;
  if (book.escrow === undefined) throw new Error('This chain has no escrow: nothing is sold here.');
  if (sameAddress(from.address, to.address)) throw new Error('NEW_SELLER_PRIVATE_KEY is the same key.');
  const escrow = await connectEscrow(client, book.escrow);
  const count = await escrow.jobCount();
  const ids = Array.from({ length: Number(count) }, (_, at) => BigInt(at + 1));
  const { jobs, unread } = await escrow.heads(ids, from.address);
  if (unread.length > 0) throw new Error(`The node gives no answer about ${unread.length} jobs: try another one.`);
  const own = [...jobs.values()].filter(({ provider }) => provider !== undefined);
  const undelivered = own.filter(({ status }) => status === 'funded');
  for (const { id, expiresAt } of undelivered) {
    say(`Job ${id} is paid for and not delivered. It expires at ${toIsoTime(expiresAt)}.`);
  }
  if (undelivered.length > 0 && !abandonsJobs) {
    say('Let the agent deliver them with the former key, then run this again (--jobs abandon if the key is stolen).');
    return false;
  }
  await moveEntry(rotation);
  for (const { id } of own.filter(({ status }) => status === 'submitted')) {
    say(`Job ${id} is delivered and not settled: its payment goes to ${from.address}.`);
  }
  const { token } = book.escrow;
  const [held, left] = await Promise.all([
    client.readContract({ address: token.address, abi: erc20Abi, functionName: 'balanceOf', args: [from.address] }),
    client.getBalance({ address: from.address }),
  ]);
  say(`${from.address} holds ${withSymbol(held, { ...token, symbol: token.name })} and ${bnb(left)}: send them on.`);
  say('Set SELLER_PRIVATE_KEY to the new key and restart the agent.');
  return true;
}

async function moveEntry({ client, bounds, from, to, entry, say }: SellerRotation): Promise<void> {
  if (entry === undefined) return say('No agent registry entry is recorded: none is transferred.');
  const { registry: address, agentId } = entry;
  const contract = { address, abi: identityAbi } as const;
  const owner = await client.readContract({ ...contract, functionName: 'ownerOf', args: [agentId] });
  if (sameAddress(owner, from.address)) {
    const args = [from.address, to.address, agentId] as const;
    const data = encodeFunctionData({ abi: identityAbi, functionName: 'transferFrom', args });
    const { transactionHash } = await sendAs(client, from, { to: address, data }, bounds);
    say(`Agent ${agentId} belongs to ${to.address} now: ${transactionHash}`);
  } else if (!sameAddress(owner, to.address)) {
    throw new Error(`Agent ${agentId} belongs to ${owner}, which is neither seller.`);
  }
  const wallet = await client.readContract({ ...contract, functionName: 'getAgentWallet', args: [agentId] });
  if (sameAddress(wallet, to.address)) return;
  // The transfer has cleared it.
  const { chainId } = bounds;
  const { timestamp } = await client.getBlock();
  const deadline = timestamp + walletSeconds;
  const signature = await to.signTypedData({
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract: address },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: { agentId, newWallet: to.address, owner: to.address, deadline },
  });
  const args = [agentId, to.address, deadline, signature] as const;
  const data = encodeFunctionData({ abi: identityAbi, functionName: 'setAgentWallet', args });
  const { transactionHash } = await sendAs(client, to, { to: address, data }, bounds);
  say(`Its wallet is ${to.address} now: ${transactionHash}`);
}
