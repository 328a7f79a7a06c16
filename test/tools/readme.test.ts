import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commandsIn, unmarkedIn } from '../../lab/tools/docs/commands.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...[
    'README.md',
    'AUDIT.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/README.md',
    'packages/sdk/README.md',
  ],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

test.each(pages)('%s links to files that exist and names commands that exist', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link as string);
  const dead = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));
  expect(dead).toEqual([]);

  const anchors = [...text.matchAll(/\]\(([^)#\s]*)#([^)]*)\)/g)].filter(
    ([, link]) => !/^https?:/.test(link as string),
  );
  const missing = anchors.filter(([, link, anchor]) => {
    const target = link ? join(root, dirname(page), link) : join(root, page);
    return target.endsWith('.md') && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor as string);
  });
  expect(missing.map(([whole]) => whole)).toEqual([]);

  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // A released section names what its release has. A line may break inside a command.
  const today = (page === 'CHANGELOG.md' ? text.replace(/^## \d[\s\S]*/m, '') : text).replaceAll(/\s+/g, ' ');
  const named = (pattern: RegExp) => [...today.matchAll(pattern)].map(([, name]) => name as string);
  expect(named(/npm run ([a-z][a-z:-]*)/g).filter((script) => !(script in scripts))).toEqual([]);
  expect(named(/npm run lab -- ([a-z][a-z:-]*)/g).filter((name) => !listed('lab/main.ts').has(name))).toEqual([]);
  expect(named(/npx bowline ([a-z][a-z-]*)/g).filter((name) => !listed('cli/main.ts').has(name))).toEqual([]);
});

/** The commands that a program lists when it is given none. */
const listings = new Map<string, Set<string>>();
function listed(program: string): Set<string> {
  const known = listings.get(program);
  if (known) return known;
  const { stderr } = spawnSync(process.execPath, [program], { cwd: root, encoding: 'utf8' });
  const names = new Set([...stderr.matchAll(/^ {2}([a-z][a-z:-]*) /gm)].map(([, name]) => name as string));
  listings.set(program, names);
  return names;
}

const said = (...words: readonly string[]): string =>
  execFileSync(process.execPath, ['lab/tools/docs.mjs', '--pages', ...words], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
const tried = (printed: string): string[] => /^tried: (.*)$/m.exec(printed)?.[1]?.split(', ') ?? [];

test('DP-78: every page with commands is tried by `npm run lab -- docs`, or is named there with the reason why not', () => {
  expect(said()).toMatch(/^(not tried: \S+\.md: \S.*\n)*tried: .*\n$/);
  expect(tried(said('docs/owners.md', 'README.md'))).toEqual(['README.md', 'docs/owners.md']);
  expect(() => said('docs/limits.md')).toThrow('docs/limits.md is no page with commands');
});

test('DP-78: a command that stands outside a block of `sh` or `text` is found', () => {
  const page = `Text with \`npm run build\`.

    npm run lab -- coverage            # indented

\`\`\`
BSC_RPC_URL=… npm run test:fork
\`\`\`

1. In a list:

   \`\`\`sh
   npm run lab -- prove \\
     --mutants
   \`\`\`

\`\`\`text
npm run lab -- chain
\`\`\`
`;
  expect(unmarkedIn(page)).toEqual([
    'BSC_RPC_URL=… npm run test:fork',
    'npm run lab -- coverage            # indented',
  ]);
  expect(commandsIn(page).map((line) => line.replaceAll(/ +/g, ' '))).toEqual(['npm run lab -- prove --mutants']);
});

/** One for each kind of reader, and what they turn to next. */
const readersPages = [
  ...['docs/owners.md', 'docs/integrators.md', 'docs/operations.md', 'docs/runbook.md', 'AUDIT.md'],
  ...[
    'CONTRIBUTING.md',
    'docs/limits.md',
    'docs/verdict.md',
    'docs/threat-model.md',
    'docs/how-it-works.md',
    'examples/README.md',
  ],
  ...['docs/reference/operators-day.md', 'docs/reference/tokens.md', 'docs/scale.md'],
];

test.each(readersPages)(
  'DP-77: %s begins with who it is for and what they can do after it, one click from README',
  (page) => {
    const [, opening = ''] = readFileSync(join(root, page), 'utf8').split('\n\n');
    expect(opening.replaceAll('\n', ' ')).toMatch(/^For .+\. After (it|this page), you .+\.$/);
    const linked = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link);
    expect(linked).toContain(page.replace('/README.md', ''));
  },
);

test('DP-79: docs/screens holds the pictures that pages show, and README’s fits a first screen', () => {
  const screens = readdirSync(join(root, 'docs/screens')).map((name) => `docs/screens/${name}`);
  const pictures = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) =>
      join(dirname(page), path),
    ),
  );
  expect(screens.toSorted()).toEqual([...new Set(pictures)].toSorted());
  const [, first = ''] = /!\[[^\]]+\]\(([^)]+)\)/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  // A PNG's header begins with its size.
  const header = readFileSync(join(root, first)).subarray(16, 24);
  expect([header.readUInt32BE(0), header.readUInt32BE(4)]).toEqual([1280, 780]);
});

test('DP-80: the scope of AUDIT.md has every contract that is deployed, with its lines', () => {
  const [, scope = ''] = readFileSync(join(root, 'AUDIT.md'), 'utf8').split('## Scope');
  const table = scope.slice(0, scope.indexOf('Out of scope'));
  const counted = [...table.matchAll(/^\| (.+?) \| ([\d, ]+) \|/gm)].map(([, cell = '', lines = '']) => ({
    cell,
    lines: lines.split(', ').map(Number),
  }));
  const of = (path: string) => linesIn(readFileSync(join(root, path), 'utf8'));
  const sum = (...paths: readonly string[]) => paths.map(of).reduce((all, one) => all + one, 0);
  const under = (folder: string) => globSync(`${folder}/*.sol`, { cwd: root });
  const adapters = ['VenusMarket', 'VenusCollateral', 'MoolahMarket', 'MorphoMarket', 'LendingMarket'];
  const names = adapters.map((name) => `contracts/lending/${name}.sol`);
  expect(names.toSorted()).toEqual(under('contracts/lending').toSorted());
  const rest = ['contracts/Revocations.sol', 'contracts/Nonces.sol', ...under('contracts/libraries')];
  expect(counted.map(({ lines }) => lines)).toEqual([
    ['contracts/PlanRegistry.sol', 'contracts/Journal.sol'].map(of),
    ...['SwapExecutor', 'LoanGuard'].map((name) => [of(`contracts/${name}.sol`)]),
    ['contracts/CollateralGuard.sol', 'contracts/CollateralTerms.sol'].map(of),
    names.map(of),
    [sum(...under('contracts/prices'))],
    [sum(...rest)],
    [of('contracts/QuoteDesk.sol')],
  ]);
});

/** Without blank lines and comments. */
const linesIn = (solidity: string): number =>
  solidity
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;

/** As GitHub makes them of headings. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title as string);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
