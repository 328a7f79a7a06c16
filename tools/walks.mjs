// `npm run walks`: checks the three walks of docs/architecture.md against the imports, and counts their files.
//
// A walk is a list of links to files. It must be complete: every file of ours that a listed file imports at run time is
// listed, too. It must be connected: each file is imported by another one of the list, or put in by agent/src/compose. Not
// counted: words that every file uses (packages/core/domain, texts and schemas, packages/http), the entries of a list (tools, checks,
// endpoints, kinds of questions and of replies, the model beside the rules, checks of earlier versions), the socket below viem, and what compose puts in behind a port.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../.dependency-cruiser.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = 'docs/architecture.md';

const words = [/^packages\/core\/(domain\/|texts\/|schemas\.ts$)/, /^packages\/http\//];
/** What these import, and these themselves, are entries of a list: a walk may leave them out. */
const lists = ['agent/src/tools/index.ts', 'agent/src/api/http/endpoints.ts', 'packages/core/verdict/checks/index.ts'];
const siblings = [
  'agent/src/ask/by-model.ts',
  'agent/src/chain/http-transport.ts',
  'agent/src/ask/intent/ask-permissions.ts',
  'agent/src/ask/intent/structured.ts',
  'agent/src/ask/languages/foreign.ts',
  'agent/src/ask/reply/in-language.ts',
  'agent/src/ask/reply/money-line.ts',
  'agent/src/ask/reply/plan-sentences.ts',
  'agent/src/ask/reply/replies.ts',
];

/**
 * The walks described in a text: a heading `### Name (at most N files)`, followed by links into the checkout.
 * @param {string} text of docs/architecture.md
 */
export function walksIn(text) {
  return [...text.matchAll(/^### (.+?) \(at most (\d+) files\)\n(.*?)(?=^##|$(?![\s\S]))/gms)].map(
    ([, name = '', max, body = '']) => ({
      name,
      max: Number(max),
      files: [...new Set([...body.matchAll(/\]\(\.\.\/([^)#]+\.ts)\)/g)].map(([, file = '']) => file))],
    }),
  );
}

/**
 * Problems of a walk, one sentence each.
 * @param {{name: string, max: number, files: string[]}} walk
 * @param {ReadonlyMap<string, readonly string[]>} imports of every file, at run time
 */
export function complaintsOf({ name, max, files }, imports) {
  const listed = new Set(files);
  const others = new Set([...siblings, ...lists.flatMap((list) => imports.get(list) ?? [])]);
  const composed = new Set(
    [...imports].filter(([file]) => file.startsWith('agent/src/compose/')).flatMap(([, imported]) => imported),
  );
  const complaints = [];
  if (files.length > max) complaints.push(`${name} passes ${files.length} files; at most ${max} are allowed`);
  for (const [at, file] of files.entries()) {
    if (!imports.has(file)) {
      complaints.push(`${name}: ${file} does not exist`);
      continue;
    }
    const isReached = at === 0 || composed.has(file) || files.some((other) => imports.get(other)?.includes(file));
    if (!isReached) complaints.push(`${name}: nothing on the walk imports ${file}`);
    for (const imported of imports.get(file) ?? []) {
      if (listed.has(imported) || others.has(imported) || words.some((pattern) => pattern.test(imported))) continue;
      complaints.push(`${name}: ${file} imports ${imported}, which is not listed`);
    }
  }
  return complaints;
}

/** The files of agent and packages, and what of them each imports at run time. */
export async function importsOfCheckout() {
  const { output } = await cruise(['agent/src', 'packages'], { ...rules.options, baseDir: root }, undefined, {
    tsConfig: extractTSConfig(join(root, 'tsconfig.json')),
  });
  if (typeof output === 'string') throw new Error(output);
  return new Map(
    output.modules.map(({ source, dependencies }) => [
      source,
      dependencies
        .filter(({ resolved, dependencyTypes }) => {
          return /^(agent|packages)\/.*\.ts$/.test(resolved) && !dependencyTypes.includes('type-only');
        })
        .map(({ resolved }) => resolved),
    ]),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const walks = walksIn(readFileSync(join(root, page), 'utf8'));
  const imports = await importsOfCheckout();
  const complaints = walks.flatMap((walk) => complaintsOf(walk, imports));
  for (const { name, max, files } of walks) console.log(`${String(files.length).padStart(3)} of ${max}  ${name}`);
  for (const complaint of complaints) console.error(complaint);
  if (walks.length === 0) console.error(`${page} describes no walks`);
  if (complaints.length > 0 || walks.length === 0) process.exitCode = 1;
}
