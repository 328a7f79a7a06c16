import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Files that are not in git but that tests read. */
const BUILT = ['out', 'cache'];
/** What tests write into .cache: each copy has its own. */
const WRITTEN = ['compiled', 'deployments', 'gallery', 'pages'];

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** `broken` if the file could not even be loaded: then nothing was tested. */
export type Outcome =
  | { readonly outcome: 'passed' }
  | { readonly outcome: 'failed'; readonly test: string }
  | { readonly outcome: 'broken'; readonly why: string };

/** A copy of the project in which one mistake at a time is made and tested. */
export type Copy = ReturnType<typeof openCopy>;

/** @param folder where the copy goes; it must not exist */
export function openCopy(root: string, folder: string) {
  copyProject(root, folder);
  return {
    /** Runs a test file, on code with the mistake if one is given. */
    async run(testFile: string, mistake?: { file: string; find: string; replace: string }): Promise<Outcome> {
      if (mistake === undefined) return runTests(folder, testFile);
      const path = join(folder, mistake.file);
      const before = readFileSync(path, 'utf8');
      const changed = before.replace(mistake.find, () => mistake.replace);
      writeFileSync(path, changed);
      try {
        return await runTests(folder, testFile);
      } finally {
        writeFileSync(path, before);
      }
    },
  };
}

function copyProject(root: string, folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const path of listed.split('\0').filter((each) => each !== '' && existsSync(join(root, each)))) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  for (const path of BUILT) symlinkSync(join(root, path), join(folder, path));
  // Our own packages are links to folders of the project; here they must point into the copy.
  const [ours, copied] = [join(root, 'node_modules/@bowline'), join(folder, 'node_modules/@bowline')];
  cpSync(ours, copied, { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => each !== '@bowline')) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  mkdirSync(join(folder, '.cache'), { recursive: true });
  for (const name of readdirSync(join(root, '.cache')).filter((each) => !WRITTEN.includes(each))) {
    symlinkSync(join(root, '.cache', name), join(folder, '.cache', name));
  }
}

async function runTests(folder: string, testFile: string): Promise<Outcome> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', testFile, '--bail=1', '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const [code] = await once(child, 'close');
  if (code === 0) return { outcome: 'passed' };
  if (!existsSync(report)) return { outcome: 'broken', why: errors };
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  );
  const [test] = failed;
  if (test !== undefined) return { outcome: 'failed', test };
  return { outcome: 'broken', why: testResults.map(({ message }) => message).join('\n') || errors };
}
