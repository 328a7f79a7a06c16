import { spawnSync } from 'node:child_process';
import { keccak256, toHex } from 'viem';
import { beforeAll, expect, test } from 'vitest';
import { type Build, build } from '../../script/bytecode/build.ts';
import { argumentsOf, type Deployment } from '../../script/bytecode/wiring.ts';
import { differenceOf, identifierOf, standardJsonOf } from '../../script/publish/standard-json.ts';

// DP-35, with the smallest contract: what is compared is the same for all.

let made: Build;
beforeAll(async () => {
  made = (await build())('Revocations');
});

const compiled = (input: unknown): string =>
  spawnSync(process.execPath, ['tools/solc.mjs', '--standard-json'], { input: JSON.stringify(input), encoding: 'utf8' })
    .stdout;

test('the JSON alone gives the deployed code', () => {
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
  // Other settings make other code.
  const unoptimized = { ...input, settings: { ...input.settings, optimizer: { enabled: false } } };
  expect(differenceOf(compiled(unoptimized), made, made.runtime)).toMatch(/^It gives/);
  expect(differenceOf(compiled({ ...input, sources: {} }), made, made.runtime)).toMatch(
    /does not compile|made nothing/,
  );
});

test('a source that was changed since is refused', () => {
  expect(() => standardJsonOf(made.metadata, () => '// nothing')).toThrow(/has changed since it was compiled/);
});

// DP-37
test('the expected arguments are those of the chain of the record', () => {
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
