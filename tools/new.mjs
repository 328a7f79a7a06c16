// `npm run new check NAME` (or `tool`, `market`): writes the new files, and a line in every place that lists the kind.
// Each value that only a person can decide is an undefined name that starts with FILL_IN, so compilers reject it. With
// --check it writes nothing, and every remaining FILL_IN is an error.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {Map<string, string>} Files to write, by path. */
const files = new Map();

/** @param {string} path */
const read = (path) => files.get(path) ?? readFileSync(join(root, path), 'utf8');

/** @param {string} path @param {string} text */
function create(path, text) {
  if (existsSync(join(root, path))) throw new Error(`${path} already exists.`);
  files.set(path, text);
}

/**
 * @param {string} path
 * @param {string | RegExp} place the text to replace; it must exist
 * @param {string} text may refer to groups of the place: $1
 */
function replace(path, place, text) {
  const before = read(path);
  const isThere = typeof place === 'string' ? before.includes(place) : place.test(before);
  if (!isThere) throw new Error(`${path} no longer contains ${place}. Update tools/new.mjs.`);
  files.set(path, before.replace(place, text));
}

/**
 * Appends a row to the table of docs/reasons.md that starts with these columns.
 * @param {readonly string[]} columns
 * @param {(rows: readonly string[], names: readonly string[]) => readonly string[]} cells
 */
function addRow(columns, cells) {
  const path = 'docs/reasons.md';
  const lines = read(path).split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${columns.join(' | ')} |`));
  if (head < 0) return false;
  const length = lines.slice(head).findIndex((line) => !line.startsWith('|'));
  const end = length < 0 ? lines.length : head + length;
  const names = (lines[head] ?? '').split('|').slice(1, -1);
  const row = cells(
    lines.slice(head + 2, end),
    names.map((name) => name.trim()),
  );
  lines.splice(end, 0, `| ${row.join(' | ')} |`);
  files.set(path, lines.join('\n'));
  return true;
}

/** @param {readonly string[]} words */
const camel = (words) =>
  words.map((word, at) => (at === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('');

/**
 * Adds a check of verdicts. Recorded rules never change: if verdicts of the newest version are recorded, the check
 * starts a new version.
 * @param {string} name
 */
function newCheck(name) {
  const words = wordsOf(name, 1);
  const [id, file, variable] = [words.join('_'), words.join('-'), camel(words)];
  const blank = `FILL_IN_${id.toUpperCase()}`;
  create(
    `packages/core/verdict/checks/${file}.ts`,
    `import { type Check, judge, missing } from '../check.ts';

export const ${variable}: Check = {
  id: '${id}',
  question: ${blank}_QUESTION,
  rests: ${blank}_RESTS,
  run(proposal) {
    const band = proposal.limits.${blank}_LIMIT;
    const measured = ${blank}_MEASURE(proposal);
    const detail = ${blank}_DETAIL;
    if (measured === undefined) return missing('${blank}_MISSING', band.noGo, 'bps', detail);
    return judge(measured, band, '${blank}_REASON', detail);
  },
};
`,
  );

  const index = 'packages/core/verdict/checks/index.ts';
  const rules = 'packages/core/verdict/rules.ts';
  const evidence = 'packages/core/replay/evidence.ts';
  const version = Number(/rulesVersion = (\d+);/.exec(read(rules))?.[1]);
  const isRecorded = existsSync(join(root, `test/corpus/rules-${version}.jsonl.gz`));
  insertImport(index, variable, `./${file}.ts`);
  if (isRecorded) {
    const [next, old] = [version + 1, `checksOfRules${version}`];
    replace(index, /export const checks: readonly Check\[\] =/, `export const ${old}: readonly Check[] =`);
    const added = `/** Of version ${next} of the rules. Move the new one to stand before what follows from it. */
export const checks: readonly Check[] = [...${old}, ${variable}];
`;
    files.set(index, `${read(index)}\n${added}`);
    replace(rules, `rulesVersion = ${version};`, `rulesVersion = ${next};`);
    replace(rules, /import \{ checks\b/, `import { checks, ${old}`);
    replace(
      rules,
      new RegExp(`  ${version}: \\{ judge: judgeProposal, ticket: ticketOf \\},\n`),
      `  ${version}: { judge: judgeWithAges(${old}), ticket: ticketOf },\n  ${next}: { judge: judgeProposal, ticket: ticketOf },\n`,
    );
    replace(
      evidence,
      new RegExp(`(  z\\.strictObject\\(\\{ rules: z\\.literal\\()${version}(\\), .*\n)(\\]\\);)`),
      `$1${version}$2$1${next}$2$3`,
    );
  } else replace(index, /(export const checks: readonly Check\[\] = \[[^\]]*?)(,?\s*)\];/, `$1, ${variable}$2];`);

  replace(
    'packages/core/test/verdict/checks.test.ts',
    /(const cases: Record<string, Case\[\]> = \{\n[\s\S]*?)\n\};/,
    `$1\n  ${id}: ${blank}_CASES,\n};`,
  );

  /** @type {(reason: string) => void} */
  const addReason = (reason) => {
    const isThere = addRow(['number', 'reason'], (rows, names) =>
      names.map((column, at) => {
        if (at === 0) return `${rows.length + 1}`;
        if (at === 1) return reason;
        return column.startsWith('check') ? id : `${reason}_TEXT`;
      }),
    );
    if (!isThere) throw new Error('docs/reasons.md no longer has a table of reasons. Update tools/new.mjs.');
  };
  addReason(`${blank}_MISSING`);
  addReason(`${blank}_REASON`);
  addRow(['check', 'name'], (_rows, names) =>
    names.map((column, at) => (at === 0 ? id : `${blank}_${column.toUpperCase().replaceAll(' ', '_')}`)),
  );
  return [
    isRecorded
      ? `Verdicts of rules ${version} are recorded, so this check starts rules ${version + 1}: ${index} freezes the checks of ${version}.`
      : `No verdicts of rules ${version} are recorded yet, so this check joins them.`,
    'To use an existing reason instead of a new one, delete the new row. Then run npm run reasons.',
    'To add a limit: Limits in packages/core/domain/facts.ts, verdict/limits.ts and the evidence of this version.',
    'To add a fact: Proposal, agent/src/chain or agent/src/sources, and the same evidence. Do not change the older version.',
    'If the check reads only one service that the operator chooses: packages/core/verdict/silence.ts.',
    'Add an attack that it stops: bench/verdict-quality/attacks. Finally record verdicts: npm run record, npm run record:simulated (test/corpus).',
  ];
}

/**
 * Adds a tool, which answers one kind of question.
 * @param {string} name
 */
function newTool(name) {
  const words = wordsOf(name, 2);
  const [id, file, variable] = [words.join('_'), words.join('-'), camel(words)];
  const blank = `FILL_IN_${id.toUpperCase()}`;
  create(
    `agent/src/tools/${file}.ts`,
    `import { z } from 'zod';
import { defineTool, integer } from './schemas.ts';

export const ${variable} = defineTool({
  name: '${id}',
  title: ${blank}_TITLE,
  description: ${blank}_DESCRIPTION,
  effect: 'read',
  input: z.strictObject(${blank}_INPUT),
  output: z.object({ ...${blank}_OUTPUT, block: integer }),
  async run(input, context) {
    return await ${blank}_ANSWER(input, context);
  },
});
`,
  );
  const index = 'agent/src/tools/index.ts';
  insertImport(index, variable, `./${file}.ts`);
  replace(
    index,
    /\n\] as const satisfies readonly Tool\[\];/,
    `\n  ${variable},\n] as const satisfies readonly Tool[];`,
  );
  replace(
    'agent/test/tools/registry.test.ts',
    /(const examples: Record<string, unknown> = \{\n[\s\S]*?)\n\};/,
    `$1\n  ${id}: ${blank}_EXAMPLE,\n};`,
  );
  create(
    `agent/test/tools/${file}.test.ts`,
    `import { expect, test } from 'vitest';
import { ask } from './world.ts';

test(${blank}_REQUIREMENT, async () => {
  expect(await ask('${id}', ${blank}_EXAMPLE)).toEqual(${blank}_EXPECTED);
});
`,
  );
  return [
    'MCP, A2A and the model find it in the list. For plain HTTP, add it to agent/src/api/http/endpoints.ts.',
    'To answer questions in words without a model: agent/src/ask/intent and a sentence in agent/src/ask/reply/sentences.ts.',
  ];
}

/**
 * Adds a lending market: a protocol whose loans the guard can repay.
 * @param {string} name
 */
function newMarket(name) {
  const protocol = name.replace(/Market$/, '');
  if (!/^[A-Z][a-z0-9]+([A-Z][a-z0-9]+)*$/.test(protocol)) throw new Error(`"${name}" is not a name like Acme.`);
  const contract = `${protocol}Market`;
  const variable = `${protocol[0]?.toLowerCase()}${contract.slice(1)}`;
  const blank = `FILL_IN_${protocol.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase()}`;
  create(
    `contracts/lending/${contract}.sol`,
    `// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {ILendingMarket} from "../interfaces/ILendingMarket.sol";

/// @title ${contract}
/// @notice ${blank}_NOTICE
contract ${contract} is ILendingMarket, ReentrancyGuardTransient {
  using SafeERC20 for IERC20;

  /// @inheritdoc ILendingMarket
  function repayToken(bytes32 market) public view returns (address) {
    return ${blank}_REPAY_TOKEN(market);
  }

  /// @inheritdoc ILendingMarket
  function numeraire(bytes32 market) external view returns (address) {
    return ${blank}_NUMERAIRE(market);
  }

  /// @inheritdoc ILendingMarket
  function accrueAndRead(address borrower, bytes32 market) external returns (Position memory position) {
    position = ${blank}_POSITION(borrower, market);
  }

  /// @inheritdoc ILendingMarket
  function weightedCollateralBy(address source, address borrower, bytes32 market) external view returns (uint256) {
    return ${blank}_WEIGHTED_COLLATERAL(source, borrower, market);
  }

  /// @inheritdoc ILendingMarket
  function storedDebt(address borrower, bytes32 market) external view returns (uint256) {
    return ${blank}_STORED_DEBT(borrower, market);
  }

  /// @inheritdoc ILendingMarket
  function forcedMarkets(address borrower) external view returns (bytes32[] memory) {
    return ${blank}_FORCED_MARKETS(borrower);
  }

  /// @inheritdoc ILendingMarket
  function repay(address borrower, bytes32 market, uint256 amount, address leftoverTo) external nonReentrant {
    IERC20 token = IERC20(repayToken(market));
    uint256 balanceBefore = token.balanceOf(address(this));
    ${blank}_REPAY(borrower, market, amount);
    // Measures what the market left instead of sweeping the balance: a donation to this address must neither pay for a
    // rescue nor distort its accounting.
    uint256 leftover = token.balanceOf(address(this)) + amount - balanceBefore;
    if (leftover != 0) token.safeTransfer(leftoverTo, leftover);
  }
}
`,
  );
  create(
    `test/base/${contract}Base.sol`,
    `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Test} from "forge-std/Test.sol";

import {${contract}} from "../../contracts/lending/${contract}.sol";
import {Product} from "./Product.sol";

/// ${blank}_LOAN: the borrower's debts and collateral, in numbers that a reader can check.
abstract contract ${contract}Base is Test {
  address internal immutable borrower = makeAddr("borrower");

  bytes32 internal market;
  ${contract} internal adapter;

  function setUp() public virtual {
    market = ${blank}_STAND_IN();
    adapter = ${contract}(Product.create("${contract}", abi.encode(${blank}_ARGUMENTS)));
  }
}
`,
  );
  for (const [method, claim] of Object.entries({
    repayToken: 'isWhatTheProtocolNames',
    numeraire: 'isTheUnitOfItsValues',
    accrueAndRead: 'isTheLoanAtThisBlock',
    weightedCollateralBy: 'countsEachCollateralAtTheSourcesPrice',
    storedDebt: 'isWhatTheMarketHasStored',
    forcedMarkets: 'areThoseThatCanBeLiquidatedAtAnyHealth',
    repay: 'givesBackWhatTheMarketDidNotTake',
  })) {
    create(
      `test/unit/${contract}/${method}.t.sol`,
      `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {${contract}Base} from "../../base/${contract}Base.sol";

contract ${contract}${method[0]?.toUpperCase()}${method.slice(1)}Test is ${contract}Base {
  function test_${method}_${claim}() public {
    ${blank}_${method.toUpperCase()}_TEST();
  }
}
`,
    );
  }

  replace('wagmi.config.ts', "  'VenusMarket',\n", `  'VenusMarket',\n  '${contract}',\n`);
  const deploy = 'script/Deploy.s.sol';
  const imported = (/** @type {string} */ market) => `import {${market}} from "../contracts/lending/${market}.sol";\n`;
  replace(deploy, imported('VenusMarket'), [imported(contract), imported('VenusMarket')].sort().join(''));
  const struct = 'script/Contracts.sol';
  replace(struct, imported('VenusMarket'), [imported(contract), imported('VenusMarket')].sort().join(''));
  replace(struct, '  VenusMarket venusMarket;\n', `  VenusMarket venusMarket;\n  ${contract} ${variable};\n`);
  const count = Number(/address\[\] memory adapters = new address\[\]\((\d+)\);/.exec(read(deploy))?.[1]);
  replace(
    deploy,
    /( {4}address\[\] memory adapters = new address\[\]\()\d+(\);\n(?: {4}adapters\[\d+\] = .*\n)+)/,
    `    c.${variable} =
      ${contract}(_at("${contract}", type(${contract}).creationCode, abi.encode(${blank}_ARGUMENTS)));
$1${count + 1}$2    adapters[${count}] = address(c.${variable});
`,
  );
  replace(
    deploy,
    '    _require(c.loanGuard.isAdapter(address(c.venusMarket)), "LoanGuard.isAdapter");\n',
    `    _require(${blank}_READ_BACK(c.${variable}), "${contract}");
    _require(c.loanGuard.isAdapter(address(c.venusMarket)), "LoanGuard.isAdapter");
    _require(c.loanGuard.isAdapter(address(c.${variable})), "LoanGuard.isAdapter");
`,
  );
  replace(
    deploy,
    '    vm.serializeAddress(json, "venusMarket", address(c.venusMarket));\n',
    `    vm.serializeAddress(json, "venusMarket", address(c.venusMarket));
    vm.serializeAddress(json, "${variable}", address(c.${variable}));
`,
  );
  const wiring = 'script/bytecode/wiring.ts';
  replace(
    wiring,
    '  readonly venusMarket: Address;\n',
    `  readonly venusMarket: Address;\n  readonly ${variable}: Address;\n`,
  );
  replace(wiring, "  'venusMarket',\n", `  'venusMarket',\n  '${variable}',\n`);
  replace(wiring, /( {4}venusMarket: \[.*\],\n)/, `$1    ${variable}: ${blank}_ARGUMENTS,\n`);
  replace(wiring, /\[own\.venusMarket/, `[own.venusMarket, own.${variable}`);
  const book = 'packages/core/registry/address-book.ts';
  replace(book, '    venusMarket: address,\n', `    venusMarket: address,\n    ${variable}: address,\n`);
  replace('script/local/deployment.ts', "  'venusMarket',\n", `  'venusMarket',\n  '${variable}',\n`);
  const own = variable.slice(0, -'Market'.length);
  const registry = 'packages/core/registry/lending.ts';
  replace(
    registry,
    /(const venus = \{.*\} as const;\n)/,
    `$1const ${own} = { name: '${protocol}', scope: ${blank}_SCOPE, url: ${blank}_URL } as const;\n`,
  );
  replace(registry, '[venus.name', `[venus.name, ${own}.name`);
  replace(registry, 'readonly venusMarket: Address', `readonly venusMarket: Address; readonly ${variable}: Address`);
  replace(
    registry,
    /( {2}\{ \.\.\.venus, .*\},\n)/,
    `$1  { ...${own}, adapter: own.${variable}, core: ${blank}_CORE, anyMarket: ${blank}_ANY_MARKET },\n`,
  );
  const readers = 'web/app/chain/lending';
  const reader = protocol.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
  create(
    `${readers}/${reader}.ts`,
    `import type { LendingReader } from './reader.ts';

export const ${own}: LendingReader = {
  name: '${protocol}',
  held: async (client, protocol, account) => ${blank}_HELD(client, protocol, account),
  isRepayPaused: async (client, protocol, market) => ${blank}_PAUSED(client, protocol, market),

  parts: async (client, protocol, account, owed) => ${blank}_PARTS(client, protocol, account, owed),

  supposing: async (client, protocol, prices) => ${blank}_ORACLE(client, protocol, prices),
};
`,
  );
  replace(`${readers}/readers.ts`, 'import { venus }', `import { ${own} } from './${reader}.ts';\nimport { venus }`);
  replace(`${readers}/readers.ts`, '= [venus', `= [venus, ${own}`);
  return [
    'The local LoanGuard gets the adapter. Where LoanGuard is deployed already, deploy a second one beside it (decision 0020).',
    'Once it compiles, run npm run abis. Put the protocol on the local chain in script/local, one module per protocol.',
    'Agent and page print values as US dollars: an adapter whose numeraire is another unit needs words for it first.',
    'Add requirements to LG in docs/specs.md, and the protocol’s risks to docs/threat-model.md.',
  ];
}

/**
 * Inserts an import of a variable from a neighbouring file, in order of the paths.
 * @param {string} path
 * @param {string} variable
 * @param {string} from
 */
function insertImport(path, variable, from) {
  const lines = read(path).split('\n');
  const line = `import { ${variable} } from '${from}';`;
  const pathOf = (/** @type {string} */ each) => /^import \{ \w+ \} from '(\.\/.*)';$/.exec(each)?.[1];
  const after = lines.findIndex((each) => (pathOf(each) ?? '') > from);
  const last = lines.findLastIndex((each) => pathOf(each) !== undefined);
  lines.splice(after < 0 ? last + 1 : after, 0, line);
  files.set(path, lines.join('\n'));
}

/** @param {string} name @param {number} count minimum number of words */
function wordsOf(name, count) {
  const words = name.split(/[-_]/);
  if (words.length < count || words.some((word) => !/^[a-z]+$/.test(word))) {
    throw new Error(`"${name}" is not a name like ${count === 1 ? 'oracle-lag' : 'get-loan (a verb, then a noun)'}.`);
  }
  return words;
}

/** Every FILL_IN of the checkout, as file:line: name. Only files written by this tool, and its test, contain one. */
function left() {
  const asked = [
    'grep',
    '--untracked',
    '-noE',
    'FILL_IN_[A-Z0-9_]+',
    '--',
    '.',
    ':!tools/new.mjs',
    ':!test/tools/new.test.ts',
  ];
  const { status, stdout, stderr } = spawnSync('git', asked, { cwd: root, encoding: 'utf8' });
  // 1: no match.
  if (status !== 0 && status !== 1) throw new Error(`git cannot search the checkout: ${stderr}`);
  return stdout.split('\n').filter(Boolean);
}

const kinds = new Map([
  ['check', newCheck],
  ['tool', newTool],
  ['market', newMarket],
]);

try {
  const [kind = '', name = ''] = process.argv.slice(2);
  if (kind === '--check') {
    const found = left();
    if (found.length > 0) throw new Error(found.join('\n'));
  } else {
    const write = kinds.get(kind);
    if (write === undefined || name === '') throw new Error('usage: npm run new check|tool|market NAME');
    const next = write(name);
    // Writes all files or none.
    for (const [path, text] of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const blanks = [...files].map(
      ([path, text]) => `  ${path}: ${new Set(text.match(/FILL_IN_[A-Z0-9_]+/g)).size} to fill in`,
    );
    console.log(['Written:', ...blanks, ...next].join('\n'));
  }
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}
