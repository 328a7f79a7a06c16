// `npm run lab -- census`: makes one mistake at a time in the TypeScript of core, agent and page, where money or truth is at
// stake, and runs the test that should find it. Exits with 1 if a smaller share is found than in census/rate.json. `--sample 20`
// tries that many, chosen by `--seed`; `--only A01,W07` tries these; `--check` only reads the lists; `--record` writes the rate
// if it is not lower. `npm run lab -- mutants` does the same for the contracts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Copy, type Outcome, openCopy } from './copy.ts';
import { type PlacedMutant, readCensus } from './mutants.ts';
import { sampleOf } from './sample.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rateFile = new URL('rate.json', import.meta.url);
const MAX_COPIES = 2;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    only: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  },
});

interface Found {
  killed: number;
  survived: string[];
}

async function tryAll(mutants: readonly PlacedMutant[]): Promise<Found> {
  const scratch = mkdtempSync(join(tmpdir(), 'bowline-census-'));
  try {
    const count = Math.min(availableParallelism(), MAX_COPIES, mutants.length);
    const copies = Array.from({ length: count }, (_, at) => openCopy(root, join(scratch, `copy-${at}`)));
    const found: Found = { killed: 0, survived: [] };
    const queue = [...mutants];
    const unchanged = new Map<string, Promise<Outcome>>();
    const work = async (copy: Copy) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        await tryOne(copy, mutant, unchanged, found);
      }
    };
    await Promise.all(copies.map(work));
    return found;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param unchanged each test file's outcome on the unchanged code, without which a failure would mean nothing. */
async function tryOne(
  copy: Copy,
  mutant: PlacedMutant,
  unchanged: Map<string, Promise<Outcome>>,
  found: Found,
): Promise<void> {
  const { id, wrong, file, testFile } = mutant;
  const before = unchanged.get(testFile) ?? copy.run(testFile);
  unchanged.set(testFile, before);
  const say = (outcome: string, more: string) => console.log(`${outcome.padEnd(10)}  ${id}  ${wrong}: ${more}`);
  if ((await before).outcome !== 'passed') {
    found.survived.push(id);
    return say('BROKEN', `${testFile} fails without a mistake: ${JSON.stringify(await before)}`);
  }
  const result = await copy.run(testFile, mutant);
  if (result.outcome === 'failed') {
    found.killed += 1;
    return say('killed', `${testFile} ${result.test}`);
  }
  found.survived.push(id);
  if (result.outcome === 'passed') say('SURVIVED', `${file}, ${testFile}`);
  else say('BROKEN', `${file}, ${result.why}`);
}

async function main(): Promise<boolean> {
  const { mutants, problems } = readCensus(root);
  for (const problem of problems) console.log(`FAILED      ${problem}`);
  if (problems.length > 0) return false;
  const all = mutants.map(({ id }) => id);
  if (values.check) return true;
  const picked =
    values.only === undefined
      ? sampleOf(all, values.sample ?? String(all.length), values.seed)
      : new Set(values.only.split(','));
  const start = performance.now();
  const { killed, survived } = await tryAll(mutants.filter(({ id }) => picked.has(id)));
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${killed} of ${picked.size} mutants killed, in ${seconds} s; not: ${survived.join(', ') || 'none'}`);
  if (killed + survived.length !== picked.size) throw new Error('not every mutant has an outcome');
  const rate: { killed: number; of: number; survived: string[] } = JSON.parse(readFileSync(rateFile, 'utf8'));
  if (picked.size === all.length) {
    const isKept = killed * rate.of >= rate.killed * all.length;
    const found = { killed, of: all.length, survived };
    if (isKept && values.record) writeFileSync(rateFile, `${JSON.stringify(found, null, 2)}\n`);
    return isKept;
  }
  // A sample has no rate to compare: what was found before must still be found.
  return survived.every((id) => rate.survived.includes(id));
}

process.exitCode = (await main().catch(({ message }: Error) => console.error(message))) ? 0 : 1;
