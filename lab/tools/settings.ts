import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { envExample, settingsPage } from './settings/pages.ts';
import { problemsDocument } from './settings/problems.ts';

// `npm run lab -- settings`: generates files from the declarations of settings and of problems. With --check it writes
// nothing, and fails on a difference.

const files = {
  '.env.example': envExample(),
  'docs/reference/settings.md': settingsPage(),
  'docs/problems.md': problemsDocument(),
};
for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${path} differs from what is declared: npm run lab -- settings\n`);
    process.exitCode = 1;
  }
}
