// `npm run decisions`: writes docs/decisions/README.md, the list of all decisions. With --check it writes nothing, and a difference
// is an error. Both refuse a decision without number, title and date, and a number that two have.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The list, or what keeps it from being made, one sentence each.
 * @param {string} root
 */
export function listed(root) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, string>} */
  const numbers = new Map();
  const rows = globSync('docs/decisions/*.md', { cwd: root })
    .filter((path) => basename(path) !== 'README.md')
    .sort()
    .map((path) => {
      const name = basename(path);
      const [, number = '', title = '', date = ''] =
        /^# (\d{4}) · (.+)\n\n(\d{4}-\d\d-\d\d)\b/.exec(readFileSync(join(root, path), 'utf8')) ?? [];
      if (number === '')
        problems.push(`${path} does not begin with "# NUMBER · TITLE" and, in a line of its own, its date`);
      else if (!name.startsWith(`${number}-`)) problems.push(`${path} is headed ${number}`);
      else if (numbers.has(number)) problems.push(`${path} has the number of ${numbers.get(number)}`);
      numbers.set(number, path);
      return `| ${number} | [${title}](${name}) | ${date} |`;
    });
  const text = `# Decisions

<!-- Made by npm run decisions. -->

What was decided, why, and what was rejected. A decision that is overtaken says by which.

| | decision | date |
| --- | --- | --- |
${rows.join('\n')}
`;
  return { text, problems };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(process.argv[1]));
  const path = join(root, 'docs/decisions/README.md');
  const { text, problems } = listed(root);
  if (process.argv.includes('--check')) {
    const present = globSync(path).length > 0 ? readFileSync(path, 'utf8') : '';
    if (present !== text) problems.push('docs/decisions/README.md is out of date: npm run decisions');
  } else if (problems.length === 0) writeFileSync(path, text);
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  }
}
