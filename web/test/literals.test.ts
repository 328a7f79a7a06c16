import { expect, test } from 'vitest';
import { literalsIn, readAtLoad } from './literals.ts';

test('a text that is read when a file is loaded is found', () => {
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
])('%s is found', (_, code, text) => {
  expect(literalsIn('a.tsx', code)).toEqual([{ line: 1, text }]);
});

test.each([
  'const A = () => <p className="field wrong">{words.a}: {n} %</p>;',
  "const A = () => <p>{is === 'good' && words.good}</p>;",
  "throw new Error('The node is behind.');",
  "const kind = 'plan';",
])('what nobody reads is left alone: %s', (code) => {
  expect(literalsIn('a.tsx', code)).toEqual([]);
});
