import { type Address, type Hex, parseAbi, parseEther } from 'viem';
import { alice, approve, carol } from '../../../test/local/accounts.ts';
import { feeds, pancake, tokens } from '../../world/addresses.ts';
import { loadPackage } from '../../world/artifacts.ts';
import type { Chain } from '../../world/chain.ts';
import { compile } from '../../world/compile.ts';
import { meanCore } from '../../world/packages.ts';
import { type Gas, measure } from './measure.ts';

const hubAbi = parseAbi([
  'struct PermissionSet { address operator; uint8[] permissions; }',
  'struct PairIndexes { uint8 indexTokenA; uint8 indexTokenB; }',
  'function setAllowedTokens(address[] tokens, bool[] allowed)',
  'function addSwapIntervalsToAllowedList(uint32[] swapIntervals)',
  'function deposit(address from, address to, uint256 amount, uint32 amountOfSwaps, uint32 swapInterval, address owner, PermissionSet[] permissions) returns (uint256)',
  'function swap(address[] tokens, PairIndexes[] pairs, address rewardRecipient, address callbackHandler, uint256[] borrow, bytes callbackData, bytes oracleData)',
  'function withdrawSwapped(uint256 positionId, address recipient) returns (uint256)',
]);

const permissionsAbi = parseAbi(['function setHub(address hub)']);

const hub: Address = '0x00000000000000000000000000000000000d0001';
const permissions: Address = '0x00000000000000000000000000000000000d0002';
const peer: Address = '0x00000000000000000000000000000000000d0003';
/** Short, so that the next slot comes before the feeds are stale. */
export const intervalSeconds = 300;

/** Deploys the hub, its permissions and their dependencies; carol may deposit. */
export async function deployMean(chain: Chain): Promise<void> {
  const { Hub, Permissions } = loadPackage(meanCore);
  // The second argument renders a position's picture, which is not needed here.
  await chain.place(permissions, Permissions, [alice, peer], alice);
  const around = await compile(new URL('./MeanPeer.sol', import.meta.url));
  const pair = [tokens.USDT, tokens.BTCB];
  await chain.place(peer, around, [pancake.router, pair, [feeds.USDT, feeds.BTCB]], alice);
  await chain.place(hub, Hub, [alice, alice, peer, permissions], alice);
  await chain.send(alice, permissions, { abi: permissionsAbi, functionName: 'setHub', args: [hub] });
  await chain.send(alice, hub, { abi: hubAbi, functionName: 'setAllowedTokens', args: [pair, [true, true]] });
  const args = [[intervalSeconds]] as const;
  await chain.send(alice, hub, { abi: hubAbi, functionName: 'addSwapIntervalsToAllowedList', args });
  await approve(chain, carol, 'USDT', hub, parseEther('10000'));
}

/** Carol's deposit: 100 USDT for BTCB every five minutes, ten times. */
export function deposit(chain: Chain): Promise<Gas> {
  const args = [tokens.USDT, tokens.BTCB, parseEther('1000'), 10, intervalSeconds, carol, []] as const;
  return measure(chain, carol, hub, { abi: hubAbi, functionName: 'deposit', args });
}

/** Executes one slot of all positions of the pair, through the pool of `path`. */
export function swap(chain: Chain, path: Hex): Promise<Gas> {
  const pairs = [{ indexTokenA: 0, indexTokenB: 1 }];
  const args = [[tokens.USDT, tokens.BTCB], pairs, peer, peer, [0n, 0n], path, '0x'] as const;
  return measure(chain, alice, hub, { abi: hubAbi, functionName: 'swap', args });
}

/** Withdraws what the position has bought to its owner. */
export function withdrawSwapped(chain: Chain, positionId: bigint): Promise<Gas> {
  const args = [positionId, carol] as const;
  return measure(chain, carol, hub, { abi: hubAbi, functionName: 'withdrawSwapped', args });
}
