import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Abi, AbiFunction, AbiParameter } from 'viem';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  collateralGuardAbi,
  loanGuardAbi,
  planRegistryAbi,
  quoteDeskAbi,
  revocationsAbi,
  swapExecutorAbi,
} from '../../abis/index.ts';
import { filled, templates } from '../../cli/descriptors.ts';
import { tokens, venus } from '../../lab/world/addresses.ts';
import { own } from './wallet.ts';

// CS-2: the descriptors against the contracts that they describe.

const root = new URL('../../', import.meta.url);

// The part of ERC-7730 (version 2) that the descriptors use, without anything that it calls deprecated.
const path = z.string().regex(/^\w+(\.(\w+|\[\]))*$/);
const label = z.string().min(2).max(45);
const addressName = z.strictObject({
  label,
  format: z.literal('addressName'),
  params: z.strictObject({ types: z.tuple([z.literal('contract')]) }).optional(),
});
const tokenAmount = z.strictObject({
  label,
  format: z.literal('tokenAmount'),
  params: z.strictObject({
    tokenPath: path.optional(),
    token: z
      .strictObject({ map: z.literal('$.metadata.maps.repayToken'), keyPath: z.enum(['market', 'debtMarket']) })
      .optional(),
    threshold: z
      .string()
      .regex(/^0x(f{32}|f{64})$/)
      .optional(),
    message: z.literal('Unlimited').optional(),
  }),
});
const formatted = [
  addressName,
  tokenAmount,
  z.strictObject({ label, format: z.enum(['raw', 'duration', 'tokenTicker']) }),
  z.strictObject({
    label,
    format: z.literal('date'),
    params: z.strictObject({ encoding: z.literal('timestamp') }),
  }),
  z.strictObject({
    label,
    format: z.literal('unit'),
    params: z.strictObject({ base: z.enum(['%', 'health']), decimals: z.number() }),
  }),
  z.strictObject({
    label,
    format: z.literal('enum'),
    params: z.strictObject({ $ref: z.literal('$.metadata.enums.verdict') }),
  }),
] as const;
const shown = z.union([
  ...formatted.map((each) => each.extend({ path })),
  z.strictObject({ path, $ref: z.string().startsWith('$.display.definitions.') }),
  z.strictObject({ path, visible: z.literal('never') }),
]);
const group = z.strictObject({ path, iteration: z.literal('bundled').optional(), fields: z.array(shown) });
const format = z.strictObject({
  intent: z.string().min(10),
  interpolatedIntent: z.string().optional(),
  fields: z.array(z.union([group, shown])),
});
const deployments = z.tuple([]);
const descriptorSchema = z.strictObject({
  $schema: z.literal('https://eips.ethereum.org/assets/eip-7730/erc7730-v2.schema.json'),
  includes: z.string().optional(),
  context: z
    .union([
      z.strictObject({ $id: z.string(), contract: z.strictObject({ deployments }) }),
      z.strictObject({
        $id: z.string(),
        eip712: z.strictObject({ domain: z.strictObject({ name: z.string(), version: z.string() }), deployments }),
      }),
    ])
    .optional(),
  metadata: z
    .strictObject({
      owner: z.literal('Bowline').optional(),
      contractName: z.string().optional(),
      enums: z.strictObject({ verdict: z.record(z.string(), z.string()) }).optional(),
      maps: z
        .strictObject({
          repayToken: z.strictObject({ $keyType: z.string(), values: z.record(z.string(), z.string()) }),
        })
        .optional(),
    })
    .optional(),
  display: z.strictObject({
    definitions: z.record(z.string(), z.union(formatted)).optional(),
    formats: z.record(z.string(), format),
  }),
});

const files = Object.entries(templates());
const descriptors = new Map(files.map(([name, file]) => [name, descriptorSchema.parse(file)]));
const formatsOf = (name: string) => descriptors.get(name)?.display.formats ?? {};

/** Fields that a format may leave out, and why. */
const unsaid = {
  signature: 'its bytes tell a person nothing, and the contract checks whose it is',
};

/** Functions that change state and are not described, because no person calls them with a wallet. */
const byOthers: Readonly<Record<string, readonly string[]>> = {
  PlanRegistry: ['payTo', 'pullFunds', 'recordDeferral', 'recordRun'],
  LoanGuard: ['rescueFor', 'rescueMany'],
  CollateralGuard: ['pancakeV3SwapCallback', 'rescueFor', 'rescueMany'],
  Revocations: [],
  QuoteDesk: [],
  SwapExecutor: ['defer', 'execute', 'executeBatch', 'onRunOpened', 'pancakeV3SwapCallback'],
};

const abis: Readonly<Record<string, Abi>> = {
  PlanRegistry: planRegistryAbi,
  LoanGuard: loanGuardAbi,
  CollateralGuard: collateralGuardAbi,
  Revocations: revocationsAbi,
  QuoteDesk: quoteDeskAbi,
  SwapExecutor: swapExecutorAbi,
};

const componentsOf = (parameter: AbiParameter) => ('components' in parameter ? parameter.components : []);

const fragment = (parameter: AbiParameter): string => {
  const { type, name } = parameter;
  if (!type.startsWith('tuple')) return `${type} ${name}`;
  return `(${componentsOf(parameter).map(fragment).join(',')})${type.slice('tuple'.length)} ${name}`;
};

const leaves = (parameters: readonly AbiParameter[], base = ''): string[] =>
  parameters.flatMap((parameter) => {
    const at = `${base}${parameter.name}${parameter.type.endsWith('[]') ? '.[]' : ''}`;
    return parameter.type.startsWith('tuple') ? leaves(componentsOf(parameter), `${at}.`) : [at];
  });

const changing = (contract: string): AbiFunction[] =>
  (abis[contract] ?? []).filter(
    (item) => item.type === 'function' && !['view', 'pure'].includes(item.stateMutability),
  ) as AbiFunction[];

const covered = (fields: z.infer<typeof format>['fields'], visible: boolean): string[] =>
  fields.flatMap((field) => {
    if ('fields' in field) return covered(field.fields, visible).map((inner) => `${field.path}.${inner}`);
    return 'visible' in field === visible ? [] : [field.path];
  });

describe('CS-2: the descriptors follow ERC-7730', () => {
  it.each([...descriptors])('%s refers to what exists', (name, { includes, display, context }) => {
    const definitions = { ...display.definitions, ...descriptors.get(includes ?? '')?.display.definitions };
    const references = JSON.stringify(display).matchAll(/\$\.display\.definitions\.(\w+)/g);
    expect([...references].map(([, found]) => found).filter((found) => !((found as string) in definitions))).toEqual(
      [],
    );
    expect(includes === undefined || descriptors.has(includes)).toBe(true);
    expect(context === undefined).toBe(name.startsWith('common-'));
  });

  it('a sentence, which a wallet may show alone, names everything that the rows would', () => {
    for (const { display } of descriptors.values()) {
      for (const { interpolatedIntent, fields } of Object.values(display.formats)) {
        if (interpolatedIntent === undefined) continue;
        const named = [...interpolatedIntent.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
        expect(named.sort()).toEqual(covered(fields, true).sort());
      }
    }
  });
});

describe('CS-2: everything that a person calls or signs is described', () => {
  it.each(Object.keys(abis))('%s: its functions, as abis/ has them', (contract) => {
    const described = changing(contract).filter(({ name }) => !byOthers[contract]?.includes(name));
    const keys = described.map(({ name, inputs }) => `${name}(${inputs.map(fragment).join(',')})`);
    expect(Object.keys(formatsOf(`calldata-${contract}.json`)).sort()).toEqual(keys.sort());
    const names = changing(contract).map(({ name }) => name);
    expect(byOthers[contract]?.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('the typed messages, as the contracts hash them', () => {
    const sources = ['libraries/SignedTypes.sol', 'libraries/SignedSale.sol', 'QuoteDesk.sol'].map((source) =>
      contractSource(source),
    );
    // Solidity joins adjacent literals.
    const literals = sources.flatMap((source) => [...source.replace(/"\s+"/g, '').matchAll(/"(\w+\([^")]+\))"/g)]);
    const hashed = literals.map(([, type]) => type as string);
    const keys = [...descriptors.keys()]
      .filter((name) => name.startsWith('eip712-'))
      .flatMap((name) => Object.keys(formatsOf(name)).flatMap((key) => key.match(/\w+\([^)]*\)/g) ?? []));
    expect(keys.sort()).toEqual(hashed.sort());
    expect(keys).toHaveLength(9);
  });

  it.each([
    ['PlanRegistry', 'createBySignature', 'creation', 'Creation', 'plans'],
    ['LoanGuard', 'registerFunded', 'consent', 'Consent', 'terms'],
    ['CollateralGuard', 'registerFunded', 'consent', 'Consent', 'terms'],
    ['QuoteDesk', 'redeem', 'quote', 'Quote', undefined],
  ])('%s: what %s takes is what is signed', (contract, functionName, argument, message, nested) => {
    const struct = changing(contract)
      .find(({ name }) => name === functionName)
      ?.inputs.find(({ name }) => name === argument) as AbiParameter;
    const spelled = (name: string, of: AbiParameter): string =>
      `${name}(${componentsOf(of)
        .map(({ type, name: member }) => `${type.replace('tuple', member === 'route' ? 'Route' : 'Terms')} ${member}`)
        .join(',')})`;
    const terms = componentsOf(struct).find(({ name }) => name === nested);
    const route = terms && componentsOf(terms).find(({ name }) => name === 'route');
    // EIP-712: the types that a type refers to follow it in alphabetical order.
    const referred = [route && spelled('Route', route), terms && spelled('Terms', terms)];
    const expected = [spelled(message, struct), ...referred].join('');
    expect(Object.keys(formatsOf(`eip712-${contract}.json`))).toContain(expected);
  });

  it('the domains, as the contracts construct them', () => {
    for (const [name, { context, metadata }] of descriptors) {
      if (context === undefined || !('eip712' in context)) continue;
      const { domain } = context.eip712;
      const source = contractSource(`${metadata?.contractName}.sol`);
      expect(source, name).toContain(`EIP712("${domain.name}", "${domain.version}")`);
    }
  });

  it('the verdicts, by their numbers on chain', () => {
    const verdicts = descriptors.get('eip712-PlanRegistry.json')?.metadata?.enums?.verdict ?? {};
    const [, members = ''] = /enum Verdict \{([^}]*)\}/.exec(contractSource('interfaces/IPlanRegistry.sol')) ?? [];
    expect(members.split(',').map((word) => word.trim())).toEqual(Object.values(verdicts));
    expect(Object.keys(verdicts)).toEqual(['0', '1', '2', '3']);
  });
});

describe('CS-2: nothing of a call or a message is left unsaid without a reason', () => {
  const formats = [...descriptors].flatMap(([name, { display }]) =>
    Object.entries(display.formats).map(([key, each]) => [name, key, each] as const),
  );
  it.each(formats)('%s %s', (name, key, { fields }) => {
    const contract = /-(\w+)\./.exec(name)?.[1] as string;
    const members = name.startsWith('calldata-')
      ? leaves(changing(contract).find((each) => each.name === key.split('(')[0])?.inputs ?? [])
      : membersOf(key);
    const said = covered(fields, true);
    const hidden = covered(fields, false);
    expect([...said, ...hidden].sort()).toEqual(members.sort());
    expect(hidden.filter((each) => !(each in unsaid))).toEqual([]);
  });
});

describe('a descriptor is bound to one deployment', () => {
  const bindings = (all: ReturnType<typeof filled>) =>
    Object.entries(all).flatMap(([name, { context }]) => {
      const binding = context?.contract ?? context?.eip712;
      return binding === undefined ? [] : binding.deployments.map((each) => [name, each.chainId, each.address]);
    });

  it('names no deployment in the repository, and its contract once it is filled in', () => {
    expect(bindings(templates())).toEqual([]);
    expect(bindings(filled(own))).toEqual([
      ['calldata-CollateralGuard.json', 31337, own.collateralGuard],
      ['calldata-LoanGuard.json', 31337, own.loanGuard],
      ['calldata-PlanRegistry.json', 31337, own.planRegistry],
      ['calldata-QuoteDesk.json', 31337, own.quoteDesk],
      ['calldata-Revocations.json', 31337, own.revocations],
      ['calldata-SwapExecutor.json', 31337, own.swapExecutor],
      ['eip712-CollateralGuard.json', 31337, own.collateralGuard],
      ['eip712-LoanGuard.json', 31337, own.loanGuard],
      ['eip712-PlanRegistry.json', 31337, own.planRegistry],
      ['eip712-QuoteDesk.json', 31337, own.quoteDesk],
    ]);
  });

  it('is written for a deployment record, and not without one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bowline-clear-signing-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const record = join(folder, 'record.json');
    const out = join(folder, 'out');
    const run = () =>
      spawnSync(process.execPath, ['cli/main.ts', 'descriptors', '--deployment', record, '--out', out], {
        cwd: fileURLToPath(root),
        encoding: 'utf8',
      });
    const without = run();
    expect(without.stderr).toBe(`No deployment record at ${record}. Name one with --deployment.\n`);
    expect(without.status).toBe(1);
    writeFileSync(record, '{"chainId": 56');
    expect(run()).toMatchObject({ stderr: `${record} is not JSON.\n`, status: 1 });
    writeFileSync(record, JSON.stringify(own));
    expect(run().status).toBe(0);
    const written = readdirSync(out).map((name) => [name, JSON.parse(readFileSync(join(out, name), 'utf8'))]);
    expect(Object.fromEntries(written)).toEqual(filled(own));
  });

  it.each(['quoteDesk', 'collateralGuard'])('leaves out %s where none is deployed', (which) => {
    const names = Object.keys(filled({ ...own, chainId: 56, [which]: undefined }));
    expect(names.filter((name) => name.toLowerCase().includes(`-${which.toLowerCase()}`))).toEqual([]);
    expect(names).toHaveLength(files.length - 2);
  });

  it('is refused for a record that lacks its chain, or a contract that every deployment has', () => {
    const { chainId: _, ...nowhere } = own;
    expect(() => filled(nowhere as typeof own)).toThrow('The deployment record has no chainId.');
    for (const name of ['planRegistry', 'loanGuard', 'revocations', 'swapExecutor']) {
      expect(() => filled({ ...own, [name]: undefined })).toThrow(`The deployment record has no ${name}.`);
    }
  });

  it("knows the tokens of Venus's markets that the address book has", () => {
    const { markets, vaiController } = venus;
    const repaid = [
      [markets.vUSDT, tokens.USDT],
      [markets.vUSDC, tokens.USDC],
      [markets.vBTC, tokens.BTCB],
      [markets.vETH, tokens.ETH],
      [markets.vWBNB, tokens.WBNB],
      [markets.vBNB, tokens.WBNB],
      [vaiController, tokens.VAI],
    ].map(([market, token]) => [`0x${'0'.repeat(24)}${market?.slice(2).toLowerCase()}`, token]);
    for (const common of ['common-GuardTerms.json', 'common-CollateralTerms.json']) {
      expect(descriptors.get(common)?.metadata?.maps?.repayToken.values).toEqual(Object.fromEntries(repaid));
    }
    expect(repaid).toHaveLength(Object.keys(markets).length + 1);
  });
});

function contractSource(file: string): string {
  return readFileSync(new URL(`contracts/${file}`, root), 'utf8');
}

/** The paths of an EIP-712 type string's members, whose nested types are Terms and Route. */
function membersOf(key: string): string[] {
  const types = new Map([...key.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name, list]) => [name, list as string]));
  const paths = (name: string, base: string): string[] =>
    (types.get(name) ?? '').split(',').flatMap((member) => {
      const [type = '', called = ''] = member.split(' ');
      const at = `${base}${called}${type.endsWith('[]') ? '.[]' : ''}`;
      return types.has(type.replace('[]', '')) ? paths(type.replace('[]', ''), `${at}.`) : [at];
    });
  return paths(key.split('(')[0] as string, '');
}
