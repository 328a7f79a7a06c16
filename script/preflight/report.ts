import type { Finding } from '../../agent/src/chain/preflight.ts';

/** What was found, one line each; then what is missing, with what will not work and what to do. */
export function reportOf(title: string, findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ check, ok, found }) => `  ${ok ? 'ok     ' : 'MISSING'}  ${check.padEnd(width)}  ${found}`,
  );
  const missing = findings.filter(({ ok }) => !ok);
  if (missing.length === 0) return `${title}\n\n${lines.join('\n')}\n\nNothing is missing.\n`;
  // One node often lacks several things with the same effect.
  const effects = Map.groupBy(missing, ({ without }) => without);
  const effectLines = [...effects].map(([without, some]) => {
    const remedies = some.map(({ check, remedy }) => `    ${check}: ${remedy}`);
    return [`  ${without}`, ...remedies].join('\n');
  });
  const count = `${missing.length} of ${findings.length} ${missing.length === 1 ? 'is' : 'are'} missing`;
  return `${title}\n\n${lines.join('\n')}\n\n${count}. What will not work, and what to do:\n\n${effectLines.join('\n\n')}\n`;
}
