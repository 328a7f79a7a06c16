import { type Address, encodeFunctionData, parseAbi, parseEther } from 'viem';
import { faucetAbi } from './abis.ts';
import { tokens } from './addresses.ts';
import type { Artifact } from './artifacts.ts';
import type { Chain, EncodedCall } from './chain.ts';
import { compile } from './compile.ts';
import { type Compilation, compiledOf } from './compiled.ts';
import { maker } from './market/maker.ts';

const fortune = parseEther('1000000000');

export const shareAbi = parseAbi([
  'function multiplier() view returns (uint256 wad, uint256 beforeWad, uint256 changedAt, bool isHalted)',
  'function setMultiplier(uint256 wad)',
  'function takeBackMultiplier()',
  'function setHalted(bool isHalted)',
  'error NotIssuer(address caller)',
  'error TradingHalted()',
  'error MultiplierZero()',
  'error MultiplierUnchanged(uint256 wad)',
]);

export const share: Compilation<Artifact> = {
  name: 'share',
  sources: ['script/local/StandInShare.sol', 'tools/compile.mjs'],
  build: () => compile(new URL('StandInShare.sol', import.meta.url)),
};

/** Deploys the share at its address, with the maker as its issuer, and gives `holder` a large balance. */
export async function deployShare(chain: Chain, deployer: Address, holder: Address): Promise<void> {
  await chain.place(tokens.ACMEX, await compiledOf(share), [maker], deployer);
  const allocate = { abi: faucetAbi, functionName: 'allocateTo', args: [holder, fortune] } as const;
  await chain.send(deployer, tokens.ACMEX, allocate);
}

const ofIssuer = (call: Parameters<typeof encodeFunctionData<typeof shareAbi>>[0]): EncodedCall => ({
  to: tokens.ACMEX,
  data: encodeFunctionData(call),
});

export const setMultiplier = (wad: bigint) => ofIssuer({ abi: shareAbi, functionName: 'setMultiplier', args: [wad] });
export const takeBackMultiplier = () => ofIssuer({ abi: shareAbi, functionName: 'takeBackMultiplier' });
export const setHalted = (isHalted: boolean) =>
  ofIssuer({ abi: shareAbi, functionName: 'setHalted', args: [isHalted] });
