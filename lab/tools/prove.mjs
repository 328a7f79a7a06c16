// `npm run lab -- prove`: solc's own model checker proves each property in test/proofs. With `--mutants` it must also find a
// counterexample to each once the library has the one mistake in test/proofs/mutants.json: an assertion that nothing can break
// proves nothing. `npm run lab -- prove PF3 PF7` checks only those.
// Passes are cached while the compiler, its sources, this file and remembered.mjs stay the same.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { solc } from './compiler.mjs';
import { remembered } from './remembered.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const FOLDER = 'test/proofs';
const LIBRARIES = ['Slots', 'Floor', 'Repayment', 'SaleSize'];
const KEPT = join(root, '.cache', 'proofs');
const SAFE = '9576';
const BROKEN = 'CHC: Assertion violation happens here.';

/** @param {string} path of a file, from the root of the checkout */
const read = (path) => readFileSync(join(root, path), 'utf8');

/**
 * Each proof contract in its own source: the checker encodes its whole input every time.
 * @returns {{ name: string, file: string, source: string, assertions: number }[]}
 */
function properties() {
  return LIBRARIES.flatMap((library) => {
    const file = `${FOLDER}/${library}.sol`;
    const [head = '', ...contracts] = read(file).split(/^(?=contract )/m);
    return contracts.map((contract) => ({
      name: /^contract (\w+)/.exec(contract)?.[1] ?? '',
      file,
      source: head + contract,
      assertions: contract.match(/\bassert\(/g)?.length ?? 0,
    }));
  });
}

/** @returns {{ property: string, says: string, file: string, replace: string, by: string }[]} */
const mutants = () => JSON.parse(read(`${FOLDER}/mutants.json`));

/**
 * Judges everything that the compiler says about one property.
 * @param {{ name: string, file: string, source: string }} property
 * @param {(said: { errorCode?: string, message: string }[]) => string | undefined} judge
 * @param {{ file: string, replace: string, by: string }} [mutant]
 */
function check({ name, file, source }, judge, mutant) {
  // Its own library alone: another one would change the numbers that the compiler gives to its input, and so which
  // proofs the solver finds within its steps.
  const library = `contracts/libraries/${file.slice(FOLDER.length + 1)}`;
  const sources = Object.fromEntries(
    [library, `${FOLDER}/hint.sol`].map((path) => [
      path,
      { content: path === mutant?.file ? read(path).replace(mutant.replace, () => mutant.by) : read(path) },
    ]),
  );
  const settings = {
    evmVersion: 'cancun',
    modelChecker: {
      engine: 'chc',
      solvers: ['z3'],
      targets: ['assert'],
      contracts: { [file]: [name] },
      showProvedSafe: true,
      showUnproved: true,
      showUnsupported: true,
      divModNoSlacks: false,
      extCalls: 'untrusted',
      // No timeout: it would end the compiler without a result. The solver has a step limit, which is the same on every
      // machine.
    },
    outputSelection: {},
  };
  const input = { language: 'Solidity', sources: { ...sources, [file]: { content: source } }, settings };
  const request = JSON.stringify(input);
  const subject = [
    solc.version(),
    read('lab/tools/prove.mjs'),
    read('lab/tools/remembered.mjs'),
    mutant === undefined ? 'proof' : 'mutant',
    request,
  ];
  return remembered(KEPT, subject, () => judge(JSON.parse(solc.compile(request)).errors ?? []));
}

/**
 * Describes what is wrong with a property; undefined if it is proved and, if requested, its mutant is not.
 * @param {ReturnType<typeof properties>[number]} property
 * @param {boolean} withMutant
 */
function problem(property, withMutant) {
  const { name, assertions } = property;
  const [mutant, ...more] = mutants().filter((each) => each.property === name);
  if (mutant === undefined || more.length > 0) return 'it needs exactly one mutant';
  if (assertions === 0) return 'it asserts nothing';
  if (read(mutant.file).split(mutant.replace).length !== 2)
    return `the text that its mutant replaces must occur once in ${mutant.file}`;

  const unproved = check(property, (said) => {
    const other = said.filter(({ errorCode }) => errorCode !== SAFE);
    if (other.length > 0) return other.map(({ message }) => message).join('\n');
    return said.length === assertions ? undefined : `${said.length} of ${assertions} assertions are proved`;
  });
  if (unproved !== undefined || !withMutant) return unproved;
  return check(
    property,
    (said) => {
      const messages = said.map(({ message }) => message);
      if (messages.some((message) => message.startsWith(BROKEN))) return undefined;
      return [`no counterexample with its mutant "${mutant.by}"`, ...messages].join('\n');
    },
    mutant,
  );
}

/** Properties that are listed but have no proof. */
function misfits() {
  const proved = properties().map(({ name }) => name);
  return mutants()
    .filter(({ property }) => !proved.includes(property))
    .map(({ property, says }) => `${property} has no proof: ${says}`);
}

async function main() {
  const start = performance.now();
  const withMutants = process.argv.includes('--mutants');
  const only = process.argv.slice(2).filter((word) => word !== '--mutants');
  const queue = properties().filter(({ name }) => only.length === 0 || only.includes(name));
  const problems = only.length === 0 ? misfits() : only.filter((name) => !queue.some((each) => each.name === name));
  for (const text of problems) console.log(`FAILED  ${text}`);
  let failed = problems.length;
  const all = queue.length;

  // Each worker has its own compiler, which is WebAssembly and uses one core.
  const work = Array.from({ length: Math.min(availableParallelism(), 4, all) }, async () => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: withMutants });
    for (let property = queue.shift(); property !== undefined; property = queue.shift()) {
      const asked = performance.now();
      worker.postMessage(property);
      const text = await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
      });
      worker.removeAllListeners('error');
      if (text !== undefined) failed += 1;
      const seconds = ((performance.now() - asked) / 1000).toFixed(1);
      console.log(
        text === undefined ? `proved  ${property.name} in ${seconds} s` : `FAILED  ${property.name}: ${text}`,
      );
    }
    await worker.terminate();
  });
  await Promise.all(work);

  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(
    failed === 0
      ? `${all} properties proved${withMutants ? ', and as many mutants refuted,' : ''} in ${seconds} s`
      : `${failed} failed`,
  );
  if (failed > 0) process.exitCode = 1;
}

if (isMainThread) await main();
else parentPort?.on('message', (property) => parentPort?.postMessage(problem(property, workerData)));
