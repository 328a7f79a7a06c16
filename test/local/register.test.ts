import { readFileSync } from 'node:fs';
import { ERC8004Agent } from '@bnbagent/sdk/erc8004';
import { EVMWalletProvider } from '@bnbagent/sdk/wallets';
import { connectChain } from '@bowline/chain/chain-client';
import { faultOf } from '@bowline/chain/errors';
import { type Abi, type Address, parseAbi, toFunctionSelector } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startSigner } from '../../agent/test/sending/signer-stand-in.ts';
import { type RegisterOptions, register } from '../../cli/register.ts';
import { accountsOf } from '../../cli/sending/keys.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, localChainId, startLocalChain } from '../../lab/world/fork.ts';
import { deployIdentity } from '../../lab/world/identity.ts';
import { treasurer } from '../../lab/world/replica.ts';
import { type RpcProxy, refuse, startRpcProxy } from '../../packages/chain/test/rpc-proxy.ts';

// On the stand-in of ERC-8004's registry.

let local: LocalChain;
let node: RpcProxy;
let chain: Chain;
let registry: Address;

beforeAll(async () => {
  local = await startLocalChain();
  node = await startRpcProxy(local.url);
  chain = connect(local.url);
  registry = await deployIdentity(chain);
  // Agent 0 is somebody else's.
  await chain.send(treasurer, registry, {
    abi: parseAbi(['function register() returns (uint256)']),
    functionName: 'register',
  });
}, 60_000);
afterAll(async () => {
  await node?.stop();
  await local?.stop();
});
afterEach(() => {
  node.tell = () => {};
});

const abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function tokenURI(uint256 agentId) view returns (string)',
  'function getAgentWallet(uint256 agentId) view returns (address)',
  'function transferFrom(address from, address to, uint256 agentId)',
]);
const read = <name extends 'balanceOf' | 'tokenURI' | 'getAgentWallet'>(
  functionName: name,
  argument: Address | bigint,
) => chain.readContract({ address: registry, abi, functionName, args: [argument] } as never) as Promise<unknown>;

/** A new seller with gas money. */
async function seller(changes: Partial<RegisterOptions> = {}) {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const { address } = account;
  await chain.setBalance({ address, value: 10n ** 18n });
  const options: RegisterOptions = {
    client: connectChain(node.url),
    bounds: { chainId: localChainId, maxGasPriceWei: 5n * 10n ** 9n },
    registry,
    seller: account,
    publicUrl: 'https://agent.example',
    known: undefined,
    ...changes,
  };
  return { address, account, options };
}

test('the agent is registered once, however often it is asked for, and found again without what was written', async () => {
  const { address, options } = await seller();
  const first = await register(options);
  expect(first.done).toBe('registered');
  const again = await register({ ...options, known: first.registration });
  const forgotten = await register(options);
  expect([again, forgotten]).toEqual([first, first].map(({ registration }) => ({ registration, done: 'nothing' })));
  expect(await read('balanceOf', address)).toBe(1n);
  const id = BigInt(first.registration.agentId);
  expect(first.registration.agentRegistry).toBe(`eip155:${localChainId}:${registry}`);
  expect(await read('tokenURI', id)).toBe('https://agent.example/.well-known/agent-registration.json');
  expect(await read('getAgentWallet', id)).toBe(address);
  // The ecosystem's own client reads it.
  const client = await ERC8004Agent.create({
    walletProvider: new EVMWalletProvider({ password: 'local', privateKey: generatePrivateKey(), persist: false }),
    network: {
      name: 'local',
      chainId: localChainId,
      rpcUrl: local.url,
      usePaymaster: false,
      registryContract: registry,
      commerceContract: registry,
      routerContract: registry,
      policyContract: registry,
    },
  });
  expect(await client.getAgentInfo(Number(id))).toMatchObject({ owner: address });
});

test('DP-19: the seller’s key may be at a remote signer, which signs one transaction', async () => {
  const { address, account, options } = await seller();
  const signer = await startSigner([account], localChainId);
  const settings = { SIGNER_URL: signer.url, SELLER_PRIVATE_KEY: `signer:${address}` };
  const remote = accountsOf(['SELLER_PRIVATE_KEY'], settings, localChainId)('SELLER_PRIVATE_KEY');
  if (remote === undefined) throw new Error('There is no account.');
  const { done, registration } = await register({ ...options, seller: remote });
  expect(done).toBe('registered');
  expect(await read('getAgentWallet', BigInt(registration.agentId))).toBe(address);
  expect(signer.asked.map(({ method }) => method)).toEqual(['eth_signTransaction']);
});

test('DP-20: nothing is registered at a gas price above the bound, nor on another chain', async () => {
  const { address, options } = await seller();
  const within = (bounds: Partial<RegisterOptions['bounds']>) =>
    register({ ...options, bounds: { ...options.bounds, ...bounds } });
  await expect(within({ maxGasPriceWei: 1n })).rejects.toThrow('MAX_GAS_PRICE_GWEI');
  await expect(within({ chainId: 56 })).rejects.toThrow(
    `serves chain ${localChainId}, not chain 56: nothing was sent.`,
  );
  expect(await read('balanceOf', address)).toBe(0n);
});

test('another public address changes the entry and adds none', async () => {
  const { address, options } = await seller();
  const { registration } = await register(options);
  const moved = { ...options, publicUrl: 'https://elsewhere.example', known: registration };
  expect(await register(moved)).toEqual({ registration, done: 'updated' });
  expect(await read('tokenURI', BigInt(registration.agentId))).toBe(
    'https://elsewhere.example/.well-known/agent-registration.json',
  );
  expect(await read('balanceOf', address)).toBe(1n);
});

test('what is known of another registry, or of somebody else’s entry, is not believed', async () => {
  const { options } = await seller();
  const { registration } = await register({
    ...options,
    known: { agentId: '0', agentRegistry: `eip155:${localChainId}:${registry}` },
  });
  expect(registration.agentId).not.toBe('0');
  const elsewhere = { agentId: '12', agentRegistry: `eip155:56:${registry}` };
  expect(await register({ ...options, known: elsewhere })).toEqual({ registration, done: 'nothing' });
  expect(await register({ ...options, known: { ...registration, agentId: '99999' } })).toEqual({
    registration,
    done: 'nothing',
  });
});

test('where the node refuses logs, nothing is registered a second time', async () => {
  const { address, options } = await seller();
  const { registration } = await register(options);
  node.tell = ({ method }, answer) => {
    if (method === 'eth_getLogs') refuse(answer, -32_005, 'limit exceeded');
  };
  await expect(register(options)).rejects.toThrow('already has an entry, but the node does not return its ID');
  expect((await register({ ...options, known: registration })).done).toBe('nothing');
  expect(await read('balanceOf', address)).toBe(1n);
  // An entry that was given away is no longer ours.
  const id = BigInt(registration.agentId);
  await chain.impersonateAccount({ address });
  await chain.send(address, registry, { abi, functionName: 'transferFrom', args: [address, treasurer, id] });
  expect(await read('getAgentWallet', id)).toBe('0x0000000000000000000000000000000000000000');
  expect((await register({ ...options, known: registration })).done).toBe('registered');
});

test('a node that fails is not told as an entry that is nobody’s', async () => {
  const { options } = await seller();
  const { registration } = await register(options);
  const ownerOf = toFunctionSelector('ownerOf(uint256)');
  node.tell = ({ method, params }, answer) => {
    if (method === 'eth_call' && (params[0] as { data: string }).data.startsWith(ownerOf)) {
      refuse(answer, -32_603, 'database is locked');
    }
  };
  const failed = await register({ ...options, known: registration }).catch((error: unknown) => error);
  expect(faultOf(failed)).toBe('node');
});

test('a chain without the registry is named', async () => {
  const { options } = await seller({ registry: '0x00000000000000000000000000000000000004d4' });
  await expect(register(options)).rejects.toThrow(
    'The chain has no registry at 0x00000000000000000000000000000000000004d4.',
  );
});

test('the stand-in’s interface is the one that the ecosystem’s library calls', async () => {
  const walletProvider = new EVMWalletProvider({ password: 'local', privateKey: generatePrivateKey(), persist: false });
  const network = {
    name: 'local',
    chainId: localChainId,
    rpcUrl: local.url,
    usePaymaster: false,
    registryContract: registry,
  };
  const none = { commerceContract: registry, routerContract: registry, policyContract: registry };
  const agent = await ERC8004Agent.create({ walletProvider, network: { ...network, ...none } });
  const { abi: theirs } = (agent as unknown as { contractInterface: { abi: Abi } }).contractInterface;
  const ours = JSON.parse(
    readFileSync(new URL('../../out/IdentityRegistry.sol/IdentityRegistry.json', import.meta.url), 'utf8'),
  ).abi as Abi;
  const shapes = (of: Abi) =>
    new Set(
      of.flatMap((item) =>
        item.type === 'function' || item.type === 'event'
          ? [`${item.type} ${item.name}(${item.inputs.map(({ type }) => type)})`]
          : [],
      ),
    );
  // Parts of a proxy, which the stand-in is not.
  const proxy = /initialize|Initialized|UPGRADE_INTERFACE_VERSION|proxiableUUID|upgradeToAndCall|Upgraded/i;
  const missing = [...shapes(theirs)].filter((shape) => !shapes(ours).has(shape) && !proxy.test(shape));
  expect(missing).toEqual([]);
});
