import { readFileSync } from 'node:fs';
import { unreadyReasons } from '@bowline/core/domain/readiness';

// A step of `npm run check`: the runbook has a heading for each alert, a row for each reason of /ready, and no others.

const page = readFileSync('docs/runbook.md', 'utf8');
const alerts = [...readFileSync('ops/alerts.yml', 'utf8').matchAll(/^\s*- alert: (\w+)$/gm)].map(
  ([, name = '']) => name,
);
const rows = [...page.matchAll(/^\| ([a-z_]+) \| .* \| (?:yes|no|jobs: no|as the dependency) \|/gm)];
const headings = [...page.matchAll(/^## (Bowline\w+)$/gm)].map(([, name = '']) => name);
const told = rows.map(([, reason = '']) => reason);
const reasons: readonly string[] = unreadyReasons;

const problems = [
  ...reasons.filter((reason) => !told.includes(reason)).map((reason) => `${reason} has no row`),
  ...told.filter((reason) => !reasons.includes(reason)).map((reason) => `${reason} is no reason of /ready`),
  ...alerts.filter((alert) => !headings.includes(alert)).map((alert) => `${alert} has no heading`),
  ...headings.filter((alert) => !alerts.includes(alert)).map((alert) => `${alert} is no alert`),
];
for (const problem of problems) console.error(`docs/runbook.md: ${problem}`);
if (problems.length > 0 || alerts.length === 0) process.exitCode = 1;
