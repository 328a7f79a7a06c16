/** How Vitest, forge and lab/tools/prove.mjs say what a piece of theirs took. */
const LINES = {
  file: /^ [✓❯×] (\S+\.test\.tsx?) \(.*\) ([\d.]+)(ms|s)$/,
  suite: /^Ran \d+ tests? for (\S+)$/,
  suiteEnd: /^Suite result: .* finished in ([\d.]+)(µs|ms|s) /,
  property: /^proved {2}(\S+) in ([\d.]+) (s)$/,
};

const SECONDS = { µs: 1e-6, ms: 1e-3, s: 1 };

/**
 * The slowest test files, forge suites and proofs in the output of all parts, slowest first.
 * @param {string} output without colours
 * @param {number} count
 * @returns {{ name: string, seconds: number }[]}
 */
export function slowest(output, count) {
  const found = [];
  let suite = '';
  for (const line of output.split('\n')) {
    suite = LINES.suite.exec(line)?.[1] ?? suite;
    const ended = LINES.suiteEnd.exec(line);
    const [name = '', value = '', unit = ''] = ended
      ? [suite, ended[1], ended[2]]
      : ((LINES.file.exec(line) ?? LINES.property.exec(line))?.slice(1) ?? []);
    if (name !== '') found.push({ name, seconds: Number(value) * SECONDS[/** @type {keyof typeof SECONDS} */ (unit)] });
  }
  return found.sort((one, other) => other.seconds - one.seconds).slice(0, count);
}
