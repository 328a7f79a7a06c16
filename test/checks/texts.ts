import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { literalsIn, readAtLoad, textsIn } from '../../web/test/literals.ts';

// A step of `npm run check`. Each text on the page must be in the word files, be read when it is shown (so that it
// changes with the language), and not be left in English in the Chinese ones. No stylesheet shows or selects by a text.

const app = fileURLToPath(new URL('../../web/app/', import.meta.url));
const under = (pattern: string) =>
  globSync(pattern, { cwd: app }).map((file) => ({ file, text: readFileSync(app + file, 'utf8') }));
const isOfWords = (file: string) => /^words\/(en|zh-CN)\//.test(file);

/** Text that stays the same in every language: names, codes, and what people paste or type. */
const kept =
  /Bowline|BNB|BTCB|ETH|USDT|GO|NO_GO|NO_DATA|CAUTION|MAX|CSV|JSON|UTC|MB|gas|Chainlink|PancakeSwap|MetaMask|Rabby|check_asset|GET \/verdict|1e18|npx bowline show/g;

/** English by oversight: letters and no Chinese, or more than two Latin words one after the other. */
function isEnglish(text: string): boolean {
  const left = text.replace(kept, '');
  return (/[A-Za-z]{2}/.test(left) && !/\p{Script=Han}/u.test(left)) || /([A-Za-z’]+ ){2,}[A-Za-z’]+/.test(left);
}

/** Texts that a stylesheet shows or selects by. */
const textsInCss = (css: string): string[] =>
  [...css.matchAll(/content: *"[^"]+"|\[(data-label|title|aria-label)[~|^$*]?=[^\]]+\]/g)].map(([text]) => text);

const code = under('**/*.{ts,tsx}');
const problems = [
  ...code
    .filter(({ file }) => !isOfWords(file))
    .flatMap(({ file, text }) =>
      literalsIn(file, text).map((each) => `${file}:${each.line} has a text of its own: ${each.text}`),
    ),
  ...code.flatMap(({ file, text }) =>
    readAtLoad(file, text).map((line) => `${file}:${line} reads a text when it is loaded`),
  ),
  ...under('**/*.css').flatMap(({ file, text }) => textsInCss(text).map((each) => `${file} has a text: ${each}`)),
  // Arguments of code are not texts: how numbers are grouped, and what a duration begins with.
  ...under('words/zh-CN/*.ts').flatMap(({ file, text }) =>
    textsIn(file, text)
      .filter((each) => each.text !== 'en' && isEnglish(each.text))
      .map((each) => `${file}:${each.line} is in English: ${each.text}`),
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
