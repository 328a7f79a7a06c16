/** @module-tag long */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { afterAll, beforeAll, expect, test } from 'vitest';

// `npm run new` in a copy of the checkout, built with the tools of `npm run check`.

const bin = resolve('node_modules/.bin');
let root: string;

function run(command: string, ...args: string[]) {
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
const create = (...args: string[]) => run('node', 'tools/new.mjs', ...args);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

/** The files that compile what `npm run new` writes, and their imports. */
const tsc = () => run('tsc', '-p', 'tsconfig.new.json');
const forge = () => run('node', 'tools/foundry.mjs', 'forge', 'build', 'contracts/lending/AcmeLendMarket.sol');

/** Replaces each placeholder whose name ends like a key. */
function fill(path: string, values: Readonly<Record<string, string>>): void {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replace(new RegExp(`FILL_IN_[A-Z_]*${name}(?:\\([\\w, ]*\\))?`, 'g'), () => value),
    read(path),
  );
  expect(filled).not.toContain('FILL_IN');
  write(path, filled);
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'new-'));
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const path of listed.stdout.split('\0')) {
    // For the recorded verdicts, the file names are enough.
    if (path.endsWith('.jsonl.gz')) {
      mkdirSync(join(root, dirname(path)), { recursive: true });
      write(path, '');
    } else if (path !== '' && !path.startsWith('docs/screens/')) cpSync(path, join(root, path));
  }
  // The workspaces must be the copy's.
  mkdirSync(join(root, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    if (name !== '@bowline') symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  }
  cpSync('node_modules/@bowline', join(root, 'node_modules/@bowline'), { recursive: true, verbatimSymlinks: true });
  const files = ['core/verdict/rules.ts', 'core/replay/evidence.ts', 'core/test/verdict/checks.test.ts'];
  const compiled = [
    ...files.map((path) => `packages/${path}`),
    'agent/src/tools/index.ts',
    'script/bytecode/wiring.ts',
    'packages/core/registry/lending.ts',
    'web/app/chain/lending/readers.ts',
  ];
  write('tsconfig.new.json', JSON.stringify({ extends: './tsconfig.json', include: [], files: compiled }));
  spawnSync('git', ['init', '-q'], { cwd: root });
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('names that do not fit, and names that are taken, are refused, and nothing is written', () => {
  expect(create('--check')).toEqual({ status: 0, output: '' });
  for (const [kind, name, why] of [
    ['check', 'OracleLag', 'is not a name like oracle-lag'],
    ['check', 'way-back', 'packages/core/verdict/checks/way-back.ts already exists'],
    ['tool', 'lag', 'is not a name like get-loan'],
    ['tool', 'get-price', 'agent/src/tools/get-price.ts already exists'],
    ['market', 'acme', 'is not a name like Acme'],
    ['market', 'Venus', 'contracts/lending/VenusMarket.sol already exists'],
    ['adapter', 'acme', 'usage: npm run new'],
    ['check', '', 'usage: npm run new'],
  ] as const) {
    const { status, output } = create(kind, name);
    expect(output).toContain(why);
    expect(status).toBe(1);
  }
  expect(create('--check')).toEqual({ status: 0, output: '' });
});

test('where a place is gone, it is named and nothing is written', () => {
  const path = 'packages/core/replay/evidence.ts';
  const before = read(path);
  write(path, before.replace(`rules: z.literal(${rulesVersion})`, 'rules: z.literal(99)'));
  const { status, output } = create('check', 'oracle-lag');
  expect(output).toContain(`${path} no longer contains`);
  expect(status).toBe(1);
  expect(create('--check')).toEqual({ status: 0, output: '' });
  write(path, before);
});

test('the build fails until every place of a check, a tool and a market is filled in, and names it', () => {
  for (const args of [
    ['check', 'oracle-lag'],
    ['tool', 'get-lag'],
    ['market', 'AcmeLend'],
  ]) {
    expect(create(...args)).toMatchObject({ status: 0 });
  }
  const left = create('--check');
  expect(left.status).toBe(1);
  for (const path of [
    'packages/core/verdict/checks/oracle-lag.ts',
    'packages/core/test/verdict/checks.test.ts',
    'docs/reasons.md',
    'agent/src/tools/get-lag.ts',
    'agent/test/tools/get-lag.test.ts',
    'agent/test/tools/registry.test.ts',
    'contracts/lending/AcmeLendMarket.sol',
    ...['accrueAndRead', 'forcedMarkets', 'numeraire', 'repay', 'repayToken', 'storedDebt'].map(
      (each) => `test/unit/AcmeLendMarket/${each}.t.sol`,
    ),
    'test/base/AcmeLendMarketBase.sol',
    'script/Deploy.s.sol',
    'script/bytecode/wiring.ts',
    'packages/core/registry/lending.ts',
    'web/app/chain/lending/acme-lend.ts',
  ]) {
    expect(left.output).toContain(`${path}:`);
  }
  const reasons = run('node', 'tools/reasons.mjs', '--check');
  expect(reasons.output).toContain('FILL_IN_ORACLE_LAG_');
  expect(reasons.status).not.toBe(0);

  const types = tsc();
  expect(types.status).not.toBe(0);
  for (const name of ['QUESTION', 'RESTS', 'LIMIT', 'MEASURE', 'DETAIL', 'MISSING', 'REASON', 'CASES']) {
    expect(types.output).toContain(`FILL_IN_ORACLE_LAG_${name}`);
  }
  for (const name of ['TITLE', 'DESCRIPTION', 'INPUT', 'OUTPUT', 'ANSWER']) {
    expect(types.output).toContain(`FILL_IN_GET_LAG_${name}`);
  }
  for (const name of ['ARGUMENTS', 'SCOPE', 'URL', 'CORE', 'ANY_MARKET', 'HELD', 'PAUSED', 'PARTS', 'ORACLE']) {
    expect(types.output).toContain(`FILL_IN_ACME_LEND_${name}`);
  }
  const contracts = forge();
  expect(contracts.status).not.toBe(0);
  for (const name of [
    'REPAY_TOKEN',
    'NUMERAIRE',
    'POSITION',
    'WEIGHTED_COLLATERAL',
    'STORED_DEBT',
    'FORCED_MARKETS',
    'REPAY',
  ]) {
    expect(contracts.output).toContain(`FILL_IN_ACME_LEND_${name}(`);
  }
}, 120_000);

test('filled in, it builds, and verdicts of the recorded rules stay as they were', () => {
  fill('packages/core/verdict/checks/oracle-lag.ts', {
    QUESTION: "'Is the oracle on time?'",
    RESTS: "['block']",
    LIMIT: 'pegBps',
    MEASURE: 'proposal.chain.finalBlock',
    DETAIL: "'It is 5 blocks behind'",
    MISSING: 'finality_missing',
    REASON: 'finality_stalled',
  });
  fill('packages/core/test/verdict/checks.test.ts', { CASES: "[['fair', fair, 'no_go', 'finality_stalled', 998n]]" });
  fill('agent/src/tools/get-lag.ts', {
    TITLE: "'Lag'",
    DESCRIPTION: "'How late the oracle is.'",
    INPUT: '{}',
    OUTPUT: '{ lag: integer }',
    ANSWER: '{ lag: String(context.assets.length), block: JSON.stringify(input) }',
  });
  fill('contracts/lending/AcmeLendMarket.sol', {
    NOTICE: 'Loans of Acme.',
    REPAY_TOKEN: 'address(uint160(uint256(market)))',
    NUMERAIRE: 'repayToken(market)',
    POSITION: 'Position(borrower, uint256(market), 0, 0, 0, 0, false)',
    WEIGHTED_COLLATERAL: 'uint160(source) ^ uint160(borrower) ^ uint256(market)',
    STORED_DEBT: 'uint160(borrower) ^ uint256(market)',
    FORCED_MARKETS: 'new bytes32[](uint160(borrower))',
    REPAY: 'token.safeTransfer(borrower, amount)',
  });
  fill('script/bytecode/wiring.ts', { ARGUMENTS: '[]' });
  fill('packages/core/registry/lending.ts', {
    SCOPE: "'Acme'",
    URL: "'https://acme.example/'",
    CORE: 'of.comptroller',
    ANY_MARKET: 'marketAt(of.vUsdt)',
  });
  fill('web/app/chain/lending/acme-lend.ts', {
    HELD: 'client.chain?.id === 56 || account === protocol.core ? [] : []',
    PAUSED: 'client.chain?.name === protocol.name || market.length === 0',
    PARTS: 'client.chain?.id === 56 || account === protocol.core || owed.length === 0 ? [] : []',
    ORACLE: 'client.chain?.id === 56 || protocol.name === "" || prices.length === 0 ? [] : []',
  });
  expect(tsc()).toEqual({ status: 0, output: '' });
  expect(forge()).toMatchObject({ status: 0 });

  const judged = run(
    'node',
    '--input-type=module',
    '-e',
    `const core = '${root}/packages/core';
     const { rulesOf, rulesVersion } = await import(core + '/verdict/rules.ts');
     const { fairProposal } = await import(core + '/test/verdict/proposals.ts');
     const of = (version) => rulesOf[version].judge(fairProposal());
     const [old, now] = [of(rulesVersion - 1), of(rulesVersion)];
     console.log(old.verdict, now.verdict, now.findings.length - old.findings.length, now.findings.at(-1).check);`,
  );
  expect(judged.output.trim()).toBe('GO NO_GO 1 oracle_lag');
}, 120_000);

test('a second check joins rules by which nothing is recorded yet', () => {
  expect(create('check', 'feed-count').output).toContain(`No verdicts of rules ${rulesVersion + 1} are recorded yet`);
  expect(read('packages/core/verdict/checks/index.ts')).toContain(
    `[...checksOfRules${rulesVersion}, oracleLag, feedCount];`,
  );
  expect(read('packages/core/verdict/rules.ts')).toContain(`rulesVersion = ${rulesVersion + 1};`);
});
