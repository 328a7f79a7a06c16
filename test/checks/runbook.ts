import { readFileSync } from 'node:fs';
import { unreadyReasons } from '@bowline/core/domain/readiness';

// A step of `npm run check`: the runbook has a row for each alert and each reason of /ready, and for no other.

const page = readFileSync('docs/operations.md', 'utf8');
const alerts = [...readFileSync('ops/alerts.yml', 'utf8').matchAll(/^\s*- alert: (\w+)$/gm)].map(
  ([, name = '']) => name,
);
const rows = [...page.matchAll(/^\| ([a-z_]+) \| .* \| (?:yes|no|jobs: no|as the dependency) \|/gm)];
const told = rows.map(([, reason = '']) => reason);
const reasons: readonly string[] = unreadyReasons;

const problems = [
  ...reasons.filter((reason) => !told.includes(reason)).map((reason) => `${reason} has no row`),
  ...told.filter((reason) => !reasons.includes(reason)).map((reason) => `${reason} is no reason of /ready`),
  ...alerts.filter((alert) => !page.includes(`| ${alert} |`)).map((alert) => `${alert} has no row`),
];
for (const problem of problems) console.error(`docs/operations.md: ${problem}`);
if (problems.length > 0 || alerts.length === 0) process.exitCode = 1;
