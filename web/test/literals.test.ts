import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { literalsIn, readAtLoad } from './literals.ts';

const app = fileURLToPath(new URL('../app/', import.meta.url));

test('WB-142: no text for people stands outside of the files of words', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: app }).filter((file) => !/^words\/(en|zh-CN)\//.test(file));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) =>
    literalsIn(file, readFileSync(app + file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  );
  expect(found).toEqual([]);
});

test('WB-86: the first load has the texts of the frame alone', () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file) || !/\.tsx?$/.test(file)) return;
    loaded.add(file);
    const imports = readFileSync(app + file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm);
    for (const [, to = ''] of imports) if (existsSync(app + join(dirname(file), to))) load(join(dirname(file), to));
  };
  load('main.tsx');
  expect(loaded.size).toBeGreaterThan(50);
  const texts = [...loaded].filter((file) => /^words\/(en|zh-CN)\//.test(file));
  expect(texts.toSorted()).toEqual(['words/en/frame.ts']);
});

/** What a stylesheet shows, or selects by, that is a text. */
const textsInCss = (css: string): string[] =>
  [...css.matchAll(/content: *"[^"]+"|\[(data-label|title|aria-label)[~|^$*]?=[^\]]+\]/g)].map(([text]) => text);

test('WB-216: no stylesheet says a text, or looks for one, so that it holds in every language', () => {
  const sheets = globSync('**/*.css', { cwd: app });
  expect(sheets.length).toBeGreaterThan(5);
  const found = sheets.flatMap((file) =>
    textsInCss(readFileSync(app + file, 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
  for (const css of ['td[data-label="When"] {}', 'td::before { content: "When: "; }', '[title^=When] {}'])
    expect(textsInCss(css), css).toHaveLength(1);
});

test('WB-143: texts are read when they are shown, so that a change of language changes them', () => {
  const found = globSync('**/*.{ts,tsx}', { cwd: app }).flatMap((file) =>
    readAtLoad(file, readFileSync(app + file, 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
  const code =
    "import { words } from './words/en/frame.ts';\nconst title = words.stop.title;\nconst f = () => words.stop;";
  expect(readAtLoad('a.ts', code)).toEqual([2]);
});

test.each([
  ['text', 'const A = () => <p>Paid</p>;', 'Paid'],
  ['text between values', 'const A = () => <p>{n} of {all}</p>;', 'of'],
  ['an attribute', 'const A = () => <p aria-label="Paid" />;', 'Paid'],
  ["a part's attribute", 'const A = () => <Field hint="Paid" />;', 'Paid'],
  ['the label of a cell on a phone', 'const A = () => <td data-label="Paid" />;', 'Paid'],
  ['a choice', "const A = () => <p>{is ? 'yes' : words.no}</p>;", 'yes'],
  ['a template', 'const A = () => <p title={`$'.concat('{n} runs`} />;'), '… runs'],
  ['a sentence elsewhere', "const why = 'It is late.';", 'It is late.'],
  ['a template elsewhere', 'const why = `$'.concat('{n} runs left`;'), '… runs left'],
])('WB-142: %s is found', (_, code, text) => {
  expect(literalsIn('a.tsx', code)).toEqual([{ line: 1, text }]);
});

test.each([
  'const A = () => <p className="field wrong">{words.a}: {n} %</p>;',
  "const A = () => <p>{is === 'good' && words.good}</p>;",
  "throw new Error('The node is behind.');",
  "const kind = 'plan';",
])('WB-142: what nobody reads is left alone: %s', (code) => {
  expect(literalsIn('a.tsx', code)).toEqual([]);
});
