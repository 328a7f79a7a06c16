// `npm run lab -- <command> [options]`: the local chain, and what measures and judges this project. Nothing is shipped.
import { fileURLToPath } from 'node:url';

interface LabCommand {
  readonly file: string;
  /** Words inserted before those of the command line. */
  readonly words?: readonly string[];
  readonly purpose: string;
}

const sections: Readonly<Record<string, Readonly<Record<string, LabCommand>>>> = {
  'The local chain': {
    chain: { file: 'world/main.ts', purpose: 'start the local BNB Chain alone' },
    scene: { file: 'world/scene.ts', purpose: 'change the market of a running npm start' },
    hire: { file: 'world/hire.ts', purpose: 'buy a job from the agent of npm start, as another agent' },
    day: { file: 'day/day.ts', purpose: "play an operator's day, and check each step on the chain" },
  },
  Tests: {
    agree: {
      file: 'agree/agree.ts',
      purpose: 'random plans and guards: does everything that reports on them agree with the contracts?',
    },
    docs: { file: 'tools/docs.mjs', purpose: "run every command of the readers' pages" },
    smoke: { file: 'smoke/smoke.ts', purpose: 'play what an owner relies on, and count files that run' },
    gallery: { file: '../web/test/gallery.ts', purpose: 'render every section of the page from fixtures' },
    screens: { file: '../web/test/screens.ts', purpose: 'take the screenshots of the docs' },
    census: {
      file: 'census/census.ts',
      purpose: 'plant one mistake at a time in the product; which does no test find?',
    },
    mutants: { file: 'census/contracts.mjs', purpose: 'plant one mistake at a time in the contracts' },
    prove: { file: 'tools/prove.mjs', purpose: "prove the contracts' arithmetic for all inputs" },
    coverage: { file: 'tools/coverage.mjs', purpose: 'measure what tests cover of the contracts' },
    extraction: {
      file: 'world/fork-tests.ts',
      words: ['--match-contract', 'Extraction', '-vv'],
      purpose: "print what a thief with all of the agent's keys can take",
    },
  },
  Figures: {
    gas: {
      file: 'tools/foundry.mjs',
      words: ['forge', 'test', '--isolate', '--match-path', 'test/gas/**'],
      purpose: 'measure the gas of each transaction, into snapshots/',
    },
    rooms: { file: 'rooms/rooms.ts', purpose: 'print the size of each room beside its budget' },
    'bench:verdict-quality': { file: 'bench/verdict-quality.ts', purpose: 'verdicts in honest and attacked markets' },
    'bench:web': { file: 'bench/web.ts', purpose: 'what the page costs a visitor' },
    'bench:rescue': { file: 'bench/rescue.ts', purpose: 'blocks from a shortfall to its rescue' },
    'bench:rest': { file: 'bench/rest.ts', purpose: 'requests to each node while nothing happens' },
    'bench:crashes': {
      file: 'bench/crashes.ts',
      purpose: 'what guards would have saved in the real crashes since 2020',
    },
    fit: { file: 'bench/fit.ts', purpose: 'limits and usual moves of each asset, from its history' },
    record: { file: 'bench/record-verdicts.ts', purpose: 'record verdicts of a running npm start' },
    'record:simulated': { file: 'bench/record-simulated.ts', purpose: 'record verdicts of simulated moments' },
  },
  'Generated files': {
    figures: { file: 'bench/figures.ts', purpose: 'measured tables of the docs' },
    reasons: { file: 'tools/reasons.ts', purpose: 'generate the files that follow from docs/reasons.md' },
    settings: { file: 'tools/settings.ts', purpose: '.env.example, and the reference of settings and problems' },
    package: { file: 'tools/package.mjs', purpose: 'the archive that operators install' },
  },
};

const [name = '', ...options] = process.argv.slice(2);
const commands = new Map(Object.values(sections).flatMap((section) => Object.entries(section)));
const command = commands.get(name);
if (command === undefined) {
  console.error('npm run lab -- <command> [options]');
  for (const [title, commands] of Object.entries(sections)) {
    console.error(`\n${title}`);
    for (const [each, { purpose }] of Object.entries(commands)) console.error(`  ${each.padEnd(22)} ${purpose}`);
  }
  process.exitCode = 2;
} else {
  const file = new URL(command.file, import.meta.url);
  process.argv = [process.execPath, fileURLToPath(file), ...(command.words ?? []), ...options];
  await import(file.href);
}
