// Checks the imports of this checkout against the table in .dependency-cruiser.mjs. Fails if dependency-cruiser has not
// read every source file in git: it silently skips files that it cannot read, and under TypeScript 7 these are all
// TypeScript files.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import rules from '../../.dependency-cruiser.mjs';

/**
 * Violations of the import table in the git checkout at `root`, one sentence each.
 * @param {string} root
 * @param {typeof rules} [table]
 */
export async function importProblems(root, table = rules) {
  const files = sources(root);
  if (files.length === 0) return { files, problems: [`git names no source files in ${root}`] };
  const tsConfig = extractTSConfig(join(root, 'tsconfig.json'));
  // Passes folders, not files: dependency-cruiser accepts a named file even if it cannot parse it, and then finds few
  // of its imports.
  const folders = [...new Set(files.map((file) => file.replace(/\/.*/, '')))];
  const { output } = await cruise(
    folders,
    { ...table.options, baseDir: root, validate: true, ruleSet: { forbidden: table.forbidden } },
    undefined,
    { tsConfig },
  );
  if (typeof output === 'string') throw new Error(output);
  const seen = new Set(output.modules.map(({ source }) => source));
  const unseen = files
    .filter((file) => !seen.has(file))
    .map((file) => `${file} was not looked at: dependency-cruiser skips it (it reads TypeScript 6 and not 7)`);
  const broken = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  return { files, problems: [...unseen, ...broken] };
}

/** @param {string} root */
function sources(root) {
  const { status, stdout, stderr } = spawnSync(
    'git',
    [
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--',
      '*.ts',
      '*.[cm]ts',
      '*.tsx',
      '*.js',
      '*.[cm]js',
    ],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`git cannot list the files of ${root}: ${stderr}`);
  return stdout.split('\0').filter((file) => file && existsSync(join(root, file)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, problems } = await importProblems(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('Each rule is in .dependency-cruiser.mjs, under the name before the colon.');
    process.exitCode = 1;
  } else console.log(`${files.length} files follow the import table`);
}
