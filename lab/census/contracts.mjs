// `npm run lab -- mutants`: makes one mistake at a time in each contract and runs the tests that cover it. If a mistake
// survives all tests, it exits with 1: a test is missing, or the change is not a mistake, and the list must say why.
// `--only P12,S06` tries these; `--sample 25` tries that many, chosen by `--seed`, which defaults to today's date.
// `--check` tries none, and only reports errors in the lists.
// Tests deploy the contracts from out/, so a mutant needs only its own compilation: everything happens in copies of the
// project in the system's temporary folder, whose forge cannot compile. The lists are in test/mutants. A list's tests are
// those at `tests`, without those that match `without`, because `rebuild` is compiled without the optimizer. Lists with
// `fork` run on a local chain, where the protocols have their own code.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { solc } from '../tools/compiler.mjs';
import { binary, hermetic } from '../tools/foundry.mjs';
import { sampleOf } from './sample.ts';

const project = process.cwd();
const compiler = fileURLToPath(new URL('../tools/solc.mjs', import.meta.url));
/** Besides the sources that forge has compiled: what tests read, and the compiled output. */
const COPIED = ['foundry.toml', 'docs', 'packages/core/registry', 'out', 'cache', '.cache/morpho'];
const MAX_COPIES = 4;
/** Mutants per compiler run, which checks everything that they share only once. */
const BATCH = 8;
/** The first mistake shows early; 256 runs would take most of the time. */
const FUZZ_RUNS = '32';

/**
 * @typedef {{ id: string, wrong: string, find: string, replace: string, equivalent?: string }} Mutant
 * @typedef {{ file: string, rebuild: string[], tests: string, without?: string, fork?: true, mutants: Mutant[] }} List
 * @typedef {{ args: string[], env: Record<string, string>, stop(): Promise<void> }} Chain How forge finds the local chain
 * @typedef {{ settings: object, remappings: [string, string][] }} Compilation
 * @typedef {Record<string, { bytecode: object, deployedBytecode: object }>} Code by artifact, from the project's folder
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let scratch = '';
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(1);
  });
}
process.on('exit', () => {
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true });
});

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, input?: string }} options
 * @returns {Promise<{ code: number | null, output: string, errors: string }>}
 */
async function run(command, args, { cwd, env, input = '' }) {
  const child = spawn(command, args, { cwd, env });
  children.add(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  children.delete(child);
  return { code, output, errors };
}

/** @returns {List[]} */
function lists() {
  const files = globSync('test/mutants/*.json', { cwd: project }).sort();
  return files.map((file) => JSON.parse(readFileSync(join(project, file), 'utf8')));
}

/** Contracts that no list covers, and why. */
const UNTRIED = new Map([
  [
    'contracts/lens/RouteSearch.sol',
    "packages/chain/test/routes.test.ts runs it in an eth_call, on PancakeSwap's own code",
  ],
  ['contracts/lens/RouteLens.sol', 'web/test/simulate-run.test.ts runs it in an eth_call, as the page does'],
  [
    'contracts/lens/StatesLens.sol',
    'packages/chain/test runs it in an eth_call, as the agent does; no Foundry test does',
  ],
  ['contracts/lens/ReadLens.sol', 'web/test runs it in an eth_call, as the page does; no Foundry test does'],
  [
    'contracts/lens/VenusLens.sol',
    'packages/chain/test runs it in an eth_call, as the agent does; no Foundry test does',
  ],
]);

/** A function with a body. */
const CODE = /\b(?:function|constructor|receive|fallback)\b[^;{}]*\{/;

/**
 * What is wrong with the lists themselves.
 * @param {List[]} all
 */
function misfits(all) {
  const ids = all.flatMap(({ mutants }) => mutants.map(({ id }) => id));
  const twice = ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: the id occurs twice`);
  const stale = all.flatMap(({ file, mutants }) => {
    const source = readFileSync(join(project, file), 'utf8');
    return mutants.flatMap(({ id, find, replace }) => {
      const times = source.split(find).length - 1;
      if (times !== 1) return [`${id}: "${find}" occurs ${times} times in ${file}, not once`];
      return find === replace ? [`${id}: changes nothing`] : [];
    });
  });
  const named = new Set(all.map(({ file }) => file));
  const missing = globSync('contracts/**/*.sol', { cwd: project })
    .sort()
    .filter((file) => CODE.test(readFileSync(join(project, file), 'utf8').replace(/\/\/.*/g, '')))
    .flatMap((file) => {
      if (named.has(file) === UNTRIED.has(file))
        return [`${file}: ${named.has(file) ? 'is excepted, but has a list' : 'has no list'}`];
      return [];
    });
  return [...twice, ...stale, ...missing];
}

/**
 * The file that an import refers to.
 * @param {string} from
 * @param {string} word
 * @param {[string, string][]} remappings
 */
function imported(from, word, remappings) {
  if (word.startsWith('.')) return posix.join(posix.dirname(from), word);
  const [prefix, folder] = remappings.find(([each]) => word.startsWith(each)) ?? ['', ''];
  return folder + word.slice(prefix.length);
}

const IMPORT = /(\bimport\s+(?:[^;"]*?\bfrom\s+)?")([^"]+)"/g;

/**
 * Compiles each mutant of a file together with what is rebuilt, as copies beside the originals, in one run.
 * @param {List} list
 * @param {Mutant[]} mutants
 * @param {Compilation} compilation
 * @returns {Promise<Map<string, Code | string>>} by the mutant's id; words if it does not compile
 */
async function compile({ file, rebuild }, mutants, { settings, remappings }) {
  /** @type {Record<string, { content: string }>} */
  const sources = {};
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  /** @param {string} path */
  const load = (path) => {
    if (imports.has(path)) return;
    const content = readFileSync(join(scratch, 'copy-0', path), 'utf8');
    const used = [...content.matchAll(IMPORT)].map(([, , word = '']) => imported(path, word, remappings));
    sources[path] = { content };
    imports.set(path, used);
    used.forEach(load);
  };
  rebuild.forEach(load);
  /** @param {string} path @returns {boolean} */
  const isTouched = (path) => path === file || (imports.get(path) ?? []).some(isTouched);

  for (const { id, find, replace } of mutants) {
    for (const path of [...imports.keys()].filter(isTouched)) {
      const { content = '' } = sources[path] ?? {};
      sources[copy(path, id)] = {
        content: (path === file ? content.replace(find, () => replace) : content).replace(IMPORT, (all, head, word) => {
          const used = imported(path, word, remappings);
          return isTouched(used) ? `${head}${copy(used, id)}"` : all;
        }),
      };
    }
  }
  const wanted = { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] };
  const selected = mutants.flatMap(({ id }) => rebuild.map((path) => [copy(path, id), wanted]));
  const input = {
    language: 'Solidity',
    sources,
    settings: { ...settings, outputSelection: Object.fromEntries(selected) },
  };
  const { output, errors } = await run(process.execPath, [compiler, '--standard-json'], {
    cwd: project,
    input: JSON.stringify(input),
  });
  if (output === '') throw new Error(`the compiler failed: ${errors}`);
  const answer = JSON.parse(output);
  /** @type {{ severity: string, formattedMessage: string, sourceLocation?: { file: string } }[]} */
  const complaints = (answer.errors ?? []).filter(
    (/** @type {{ severity: string }} */ each) => each.severity === 'error',
  );
  return new Map(
    mutants.map(({ id }) => {
      const own = complaints.filter(({ sourceLocation }) => sourceLocation?.file.includes(`.${id}.sol`) ?? true);
      if (own.length > 0) return [id, own.map(({ formattedMessage }) => formattedMessage).join('\n')];
      const code = rebuild.flatMap((path) =>
        Object.entries(answer.contracts?.[copy(path, id)] ?? {}).map(([name, { evm }]) => [
          `out/${basename(path)}/${name}.json`,
          evm,
        ]),
      );
      // One mutant that does not compile leaves the others of its run without code.
      return [id, code.length > 0 ? Object.fromEntries(code) : 'another mutant of this run does not compile'];
    }),
  );
}

/** @param {string} path @param {string} id */
const copy = (path, id) => path.replace(/\.sol$/, `.${id}.sol`);

/**
 * Runs a list's tests in a copy whose artifacts have this code.
 * @param {string} copy
 * @param {List} list
 * @param {Code} code
 * @param {Chain | undefined} chain
 * @returns {Promise<{ passed: number, failed: string[] }>}
 */
async function test(copy, { tests, without, fork }, code, chain) {
  /** @type {[path: string, text: string][]} */
  const originals = [];
  for (const [path, { bytecode, deployedBytecode }] of Object.entries(code)) {
    const text = readFileSync(join(copy, path), 'utf8');
    originals.push([path, text]);
    const artifact = JSON.parse(text);
    Object.assign(artifact.bytecode, bytecode);
    Object.assign(artifact.deployedBytecode, deployedBytecode);
    writeFileSync(join(copy, path), JSON.stringify(artifact));
  }
  const args = ['test', '--json', '--fail-fast', '--match-path', tests];
  if (without !== undefined) args.push('--no-match-test', without);
  if (fork) args.push(...(chain?.args ?? []));
  const settings = { FOUNDRY_SOLC: join(copy, 'no-compiler'), FOUNDRY_FUZZ_RUNS: FUZZ_RUNS, ...chain?.env };
  const { output, errors } = await run(binary('forge'), args, { cwd: copy, env: hermetic(process.env, settings) });
  for (const [path, text] of originals) writeFileSync(join(copy, path), text);
  const line = output.split('\n').find((each) => each.startsWith('{'));
  if (line === undefined) throw new Error(`forge test --match-path "${tests}" failed:\n${output}${errors}`);
  /** @type {Record<string, { test_results: Record<string, { status: string, reason: string | null }> }>} */
  const suites = JSON.parse(line);
  const results = Object.entries(suites).flatMap(([suite, { test_results: all }]) =>
    Object.entries(all).map(([name, { status, reason }]) => ({
      name: `${suite.split(':')[0]} ${name.split('(')[0]}`,
      status,
      reason,
    })),
  );
  return {
    passed: results.filter(({ status }) => status === 'Success').length,
    // Tests that the first failure interrupts also fail, without a reason.
    failed: results.filter(({ status, reason }) => status === 'Failure' && reason !== null).map(({ name }) => name),
  };
}

/**
 * A copy of the built project. Its compiler only reports its version, so a test that needs to compile would fail.
 * @param {string} copy
 */
function copyProject(copy) {
  const { files } = JSON.parse(readFileSync(join(project, 'cache/solidity-files-cache.json'), 'utf8'));
  for (const path of [...Object.keys(files), ...COPIED].filter((each) => existsSync(join(project, each)))) {
    cpSync(join(project, path), join(copy, path), { recursive: true, preserveTimestamps: true });
  }
  const answer = `solc, the solidity compiler commandline interface\nVersion: ${solc.version()}`;
  const script = `#!/bin/sh\nif [ "$1" != --version ]; then exit 1; fi\necho '${answer.replace('\n', "'\necho '")}'\n`;
  writeFileSync(join(copy, 'no-compiler'), script, { mode: 0o755 });
}

/** @returns {Promise<Compilation>} the project's own, without the optimizer */
async function compilation() {
  const { output } = await run(binary('forge'), ['config', '--json'], { cwd: project, env: hermetic() });
  const { remappings, evm_version: evmVersion } = JSON.parse(output);
  return {
    settings: { remappings, evmVersion, optimizer: { enabled: false }, metadata: { bytecodeHash: 'none' } },
    remappings: remappings.map((/** @type {string} */ each) => each.split('=')),
  };
}

/**
 * @param {Mutant[]} all
 * @param {{ only?: string | undefined, sample?: string | undefined, seed: string }} choice
 */
function chosen(all, { only, sample, seed }) {
  if (only !== undefined) return all.filter(({ id }) => only.split(',').includes(id));
  if (sample === undefined) return all;
  const real = all.filter(({ equivalent }) => equivalent === undefined);
  const picked = sampleOf(
    real.map(({ id }) => id),
    sample,
    seed,
  );
  return real.filter(({ id }) => picked.has(id));
}

/**
 * Takes each job in turn, as many at a time as there are copies.
 * @template Job
 * @param {string[]} copies
 * @param {Job[]} jobs
 * @param {(copy: string, job: Job) => Promise<void>} work
 */
async function inCopies(copies, jobs, work) {
  const queue = [...jobs];
  const each = copies.map(async (copy) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await work(copy, job);
  });
  await Promise.all(each);
}

/** @returns {Promise<boolean>} whether every mutant was killed or is none */
async function main() {
  const start = performance.now();
  const today = new Date().toISOString().slice(0, 10);
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean', default: false },
      only: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: today },
    },
  });
  const all = lists();
  const ids = new Set(all.flatMap(({ mutants }) => mutants.map(({ id }) => id)));
  const unknown = values.only?.split(',').filter((id) => !ids.has(id)) ?? [];
  if (unknown.length > 0) {
    console.error(`no mutant is called ${unknown.join(' or ')}`);
    return false;
  }
  const wrong = misfits(all);
  for (const text of wrong) console.log(`FAILED      ${text}`);
  if (wrong.length > 0 || values.check) return wrong.length === 0;
  const picked = new Set(
    chosen(
      all.flatMap(({ mutants }) => mutants),
      values,
    ),
  );
  if (values.sample !== undefined) console.log(`${picked.size} mutants, chosen by --seed ${values.seed}`);
  const todo = all
    .map((list) => ({ ...list, mutants: list.mutants.filter((mutant) => picked.has(mutant)) }))
    .filter(({ mutants }) => mutants.length > 0);

  const built = await run(binary('forge'), ['build'], {
    cwd: project,
    env: hermetic(process.env, { FOUNDRY_SOLC: compiler }),
  });
  if (built.code !== 0) throw new Error(`forge build failed:\n${built.output}${built.errors}`);
  scratch = mkdtempSync(join(tmpdir(), 'bowline-mutants-'));
  const copies = Array.from({ length: Math.min(availableParallelism(), MAX_COPIES) }, (_, at) =>
    join(scratch, `copy-${at}`),
  );
  copies.forEach(copyProject);
  const how = await compilation();
  const chain = todo.some(({ fork }) => fork) ? await startChain() : undefined;
  try {
    return await tryAll({ todo, copies, how, chain, start });
  } finally {
    await chain?.stop();
  }
}

/** @returns {Promise<Chain>} */
async function startChain() {
  // Loaded only for lists that need it.
  const [{ startLocalChain }, { morphoArtifacts }] = await Promise.all([
    import('../world/fork.ts'),
    import('../world/morpho.ts'),
  ]);
  const morpho = await morphoArtifacts();
  const { url, stop } = await startLocalChain();
  // From each copy: forge reads nothing outside.
  return { args: ['--fork-url', url], env: { MORPHO_ARTIFACTS: relative(project, morpho) }, stop };
}

/**
 * @param {{ todo: List[], copies: string[], how: Compilation, chain: Chain | undefined, start: number }} work
 * @returns {Promise<boolean>} whether every mutant was killed or is none
 */
async function tryAll({ todo, copies, how, chain, start }) {
  let failed = 0;
  /** @param {string} outcome @param {string} text */
  const say = (outcome, text) => console.log(`${outcome.padEnd(10)}  ${text}`);
  // A test result for a mutant means nothing if the unchanged contract gives the same result.
  await inCopies(copies, todo, async (copy, list) => {
    const none = { id: 'none', wrong: 'nothing', find: '', replace: '' };
    const code = (await compile(list, [none], how)).get(none.id);
    if (typeof code !== 'object') throw new Error(`${list.file} does not compile: ${code}`);
    const { passed, failed: names } = await test(copy, list, code, chain);
    if (names.length === 0 && passed > 0) return;
    failed += 1;
    const why = names.length > 0 ? `without a mutant, these fail: ${names.join(', ')}` : `${list.tests} has no test`;
    say('FAILED', `${list.file}: ${why}`);
  });
  if (failed > 0) return false;

  const counts = { killed: 0, survived: 0, equivalent: 0 };
  const batches = todo.flatMap((list) =>
    Array.from({ length: Math.ceil(list.mutants.length / BATCH) }, (_, at) => ({
      list,
      mutants: list.mutants.slice(at * BATCH, (at + 1) * BATCH),
    })),
  );
  await inCopies(copies, batches, async (copy, { list, mutants }) => {
    const codes = await compile(list, mutants, how);
    for (const { id, wrong: text, equivalent } of mutants) {
      const code = codes.get(id);
      if (typeof code !== 'object') {
        failed += 1;
        say('FAILED', `${id}  ${text}: ${code}`);
        continue;
      }
      const [killer] = (await test(copy, list, code, chain)).failed;
      if (equivalent !== undefined && killer === undefined) {
        counts.equivalent += 1;
        say('equivalent', `${id}  ${text}: ${equivalent}`);
      } else if (equivalent !== undefined) {
        failed += 1;
        say('FAILED', `${id}  ${text}: listed as equivalent, but ${killer} finds it`);
      } else if (killer !== undefined) {
        counts.killed += 1;
        say('killed', `${id}  ${text}: ${killer}`);
      } else {
        counts.survived += 1;
        say('SURVIVED', `${id}  ${text}: ${list.file}`);
      }
    }
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const { killed, survived, equivalent } = counts;
  const tried = todo.reduce((sum, { mutants }) => sum + mutants.length, 0);
  console.log(
    `${killed} killed, ${survived} survived, ${equivalent} equivalent, ${failed} failed, of ${tried} mutants in ${seconds} s`,
  );
  return survived === 0 && failed === 0;
}

process.exitCode = (await main().catch((/** @type {Error} */ { message }) => console.error(message))) ? 0 : 1;
