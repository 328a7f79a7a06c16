import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Address, createPublicClient, type Hex, http, keccak256, pad, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type DeployedChain, startDeployedChain } from '../../agent/test/chain/deployed-chain.ts';
import { build } from '../../script/bytecode/build.ts';
import { verify } from '../../script/bytecode/verify.ts';
import { argumentsOf, type Deployment } from '../../script/bytecode/wiring.ts';
import { pancake } from '../../script/local/addresses.ts';
import { localChainId } from '../../script/local/fork.ts';
import { differenceOf, identifierOf, standardJsonOf } from '../../script/publish/standard-json.ts';
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
  const args = ['script/verify-bytecode.ts', '--rpc', world.url, '--deployment', record];
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

// DP-35, with the smallest contract: what is compared is the same for all.
it('publishes JSON that alone gives the deployed code', () => {
  const made = built('Revocations');
  const input = standardJsonOf(made.metadata);
  expect(identifierOf(made.metadata)).toBe('contracts/Revocations.sol:Revocations');
  expect(Object.keys(input.sources)).toContain('contracts/Revocations.sol');
  const output = compiled(input);
  expect(differenceOf(output, made, made.runtime)).toBeUndefined();
  const flipped = `${made.runtime.slice(0, -2)}${made.runtime.endsWith('00') ? '01' : '00'}` as const;
  expect(differenceOf(output, made, flipped as `0x${string}`)).toMatch(
    /other code than the deployed, from byte \d+ on/,
  );
  expect(differenceOf(output, made, '0x')).toMatch(/deployed are 0/);
  const failed = JSON.stringify({ errors: [{ severity: 'error', formattedMessage: 'ParserError: no\n  there' }] });
  expect(differenceOf(failed, made, made.runtime)).toBe('The JSON does not compile: ParserError: no');
  expect(differenceOf('{}', made, made.runtime)).toMatch(/made nothing/);
});

it('publishes no source that was changed since', () => {
  expect(() => standardJsonOf(built('Revocations').metadata, () => '// nothing')).toThrow(
    /has changed since it was compiled/,
  );
});

// DP-37
it('expects the arguments of the chain of the record', () => {
  const nobody = toHex(0, { size: 20 });
  const chosen = { operator: nobody, rotator: nobody, maker: nobody };
  const of = (chainId: number) => argumentsOf('chainlinkPriceSource', { chainId } as Deployment, chosen)[0];
  const [testnet, mainnet] = [of(97), of(56)] as { token: string; feed: string; maxAgeSeconds: number }[][];
  expect(mainnet?.map(({ maxAgeSeconds }) => maxAgeSeconds)).toEqual([1_800, 1_800, 180, 180, 120]);
  expect(testnet?.map(({ maxAgeSeconds }) => maxAgeSeconds)).toEqual([86_400, 86_400, 86_400, 86_400, 86_400]);
  for (const [at, { token, feed }] of (testnet ?? []).entries()) {
    expect(token).toMatch(/^0x/);
    expect([token, feed]).not.toEqual([mainnet?.[at]?.token, mainnet?.[at]?.feed]);
  }
  expect(keccak256(toHex(JSON.stringify(of(31_337))))).toBe(keccak256(toHex(JSON.stringify(of(56)))));
});

const compiled = (input: unknown): string =>
  spawnSync(process.execPath, ['tools/solc.mjs', '--standard-json'], { input: JSON.stringify(input), encoding: 'utf8' })
    .stdout;
