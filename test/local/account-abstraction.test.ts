import { parseAbi, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountAbstraction } from '../../lab/world/addresses.ts';
import { type Chain, connect } from '../../lab/world/chain.ts';
import { type LocalChain, startLocalChain } from '../../lab/world/fork.ts';
import { alice } from './accounts.ts';

let local: LocalChain;
let chain: Chain;
beforeAll(async () => {
  local = await startLocalChain();
  chain = connect(local.url);
});
afterAll(() => local?.stop());

const factoryAbi = parseAbi([
  'function getAddress(address owner, uint256 salt) view returns (address)',
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function senderCreator() view returns (address)',
]);
const accountAbi = parseAbi([
  'function entryPoint() view returns (address)',
  'function owner() view returns (address)',
]);
const entryPointAbi = parseAbi(['function senderCreator() view returns (address)']);
const entryPoint = { address: accountAbstraction.entryPoint, abi: entryPointAbi } as const;
const factory = { address: accountAbstraction.simpleAccountFactory, abi: factoryAbi } as const;

it('has the EntryPoint and the account factory at their addresses on every chain, wired to each other', async () => {
  const creator = await chain.readContract({ ...entryPoint, functionName: 'senderCreator' });
  expect(creator).not.toBe(zeroAddress);
  expect(await chain.readContract({ ...factory, functionName: 'senderCreator' })).toBe(creator);
});

it('creates the account that the factory foretells', async () => {
  const foretold = await chain.readContract({ ...factory, functionName: 'getAddress', args: [alice, 0n] });
  expect(await chain.getCode({ address: foretold })).toBeUndefined();

  const creator = await chain.readContract({ ...entryPoint, functionName: 'senderCreator' });
  await chain.impersonateAccount({ address: creator });
  await chain.setBalance({ address: creator, value: 10n ** 18n });
  await chain.send(creator, factory.address, { abi: factoryAbi, functionName: 'createAccount', args: [alice, 0n] });
  const account = { address: foretold, abi: accountAbi } as const;
  expect(await chain.readContract({ ...account, functionName: 'entryPoint' })).toBe(entryPoint.address);
  expect(await chain.readContract({ ...account, functionName: 'owner' })).toBe(alice);
});
