import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Address, createPublicClient, type Hex, http, pad } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DeployedChain, startDeployedChain } from '../../agent/test/chain/deployed-chain.ts';
import { build } from '../../script/bytecode/build.ts';
import { verify } from '../../script/bytecode/verify.ts';
import type { Deployment } from '../../script/bytecode/wiring.ts';
import { pancake } from '../../script/local/addresses.ts';
import { localChainId } from '../../script/local/fork.ts';
import { bob } from './accounts.ts';

// DP-4, DP-36, on contracts deployed by Deploy.s.sol.

let world: DeployedChain;
let own: Deployment;
let built: Awaited<ReturnType<typeof build>>;
let before: Hex;
beforeAll(async () => {
  built = await build();
  world = await startDeployedChain();
  own = { chainId: localChainId, ...world.book.own } as Deployment;
});
afterAll(() => world?.stop());
beforeEach(async () => {
  before = await world.chain.snapshot();
});
afterEach(() => world.chain.revert({ id: before }));

const client = () => createPublicClient({ transport: http(world.url) });
const codeOf = async (address: Address) => (await client().getCode({ address })) as Hex;

async function problems(record = own): Promise<Record<string, readonly string[]>> {
  const findings = await verify(client(), record, built);
  return Object.fromEntries(
    findings.filter((finding) => finding.problems.length > 0).map((finding) => [finding.contract, finding.problems]),
  );
}

it('finds nothing wrong with what was deployed, and says whose choice stands in it', async () => {
  const findings = await verify(client(), own, built);
  expect(findings).toHaveLength(8);
  expect(findings.flatMap(({ contract, problems }) => problems.map((problem) => [contract, problem]))).toEqual([]);
  const executor = findings.find(({ contract }) => contract === 'SwapExecutor');
  expect(executor?.values.rotator).toBe(pad(bob).toLowerCase());
});

it('names the contract of which one byte is another', async () => {
  const { planRegistry: address } = own;
  await world.chain.setCode({ address, bytecode: withByte(await codeOf(address), 1_000) });
  expect(await problems()).toEqual({ PlanRegistry: ['the code differs from byte 1000 on'] });
});

it('names the immutable that is another', async () => {
  const { swapExecutor: address } = own;
  const [deployer, other] = [pancake.poolDeployer.slice(2).toLowerCase(), bob.slice(2).toLowerCase()];
  const code = await codeOf(address);
  expect(code).toContain(deployer);
  await world.chain.setCode({ address, bytecode: code.replaceAll(deployer, other) as Hex });
  expect(await problems()).toEqual({
    SwapExecutor: [`poolDeployer is ${pad(`0x${other}`)}, but should be ${pad(`0x${deployer}`)}`],
  });
  await world.chain.setCode({ address, bytecode: code.replace(deployer, other) as Hex });
  expect(await problems()).toEqual({ SwapExecutor: ['poolDeployer has several values in the code'] });
});

it('sees by the address what a constructor wrote into storage', async () => {
  const elsewhere = '0x00000000000000000000000000000000000000f1';
  await world.chain.setCode({ address: elsewhere, bytecode: await codeOf(own.chainlinkPriceSource) });
  const found = await problems({ ...own, chainlinkPriceSource: elsewhere });
  // Guard and registry too, because they were deployed with another source.
  expect(Object.keys(found).toSorted()).toEqual(['ChainlinkPriceSource', 'LoanGuard', 'PlanRegistry']);
  expect(found.ChainlinkPriceSource?.[0]).toContain('was not deployed by script/Deploy.s.sol');
});

it('names what is not there, and does not take one chain for another', async () => {
  await world.chain.setCode({ address: own.loanGuard, bytecode: '0x' });
  expect(await problems()).toEqual({ LoanGuard: ['no code at this address'] });
  const { planRegistry: _, ...less } = own;
  await expect(problems(less as Deployment)).rejects.toThrow('The record has no planRegistry.');
  await expect(problems({ ...own, chainId: 56 })).rejects.toThrow('The record is for chain 56');
});

it('ends the command with 0 when nothing is wrong', async () => {
  const { stdout } = await command();
  expect(stdout.match(/^ok /gm)).toHaveLength(8);
});

it('ends the command with 1 and the name', async () => {
  const { venusMarket: address } = own;
  await world.chain.setCode({ address, bytecode: withByte(await codeOf(address), 50) });
  await expect(command()).rejects.toMatchObject({ code: 1, stderr: 'Does not match this checkout: VenusMarket\n' });
});

async function command(): Promise<{ stdout: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'bowline-record-'));
  const record = join(folder, 'record.json');
  writeFileSync(record, JSON.stringify(own));
  const args = ['--import', 'tsx', 'script/verify-bytecode.ts', '--rpc', world.url, '--deployment', record];
  try {
    return await promisify(execFile)(process.execPath, args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The code with one bit flipped. */
function withByte(code: Hex, at: number): Hex {
  const start = 2 + 2 * at;
  const flipped = (Number.parseInt(code.slice(start, start + 2), 16) ^ 1).toString(16).padStart(2, '0');
  return `${code.slice(0, start)}${flipped}${code.slice(start + 2)}` as Hex;
}
