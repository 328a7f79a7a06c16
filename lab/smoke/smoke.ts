// `npm run lab -- smoke`: plays what an owner relies on, on its own `npm start`, in less than two minutes. V8's coverage counts
// the agent's files that run for a question, a verdict, a plan and a rescue. Exits with 1 if a job fails, or if a path runs more
// files than in paths.json. `--record` writes the files there and into docs/reference/paths.md, if no path has grown.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../web/test/browser.ts';
import { askQuestion, askVerdict } from './answers.ts';
import { rescueOf } from './loans.ts';
import { createPlan, stopAll } from './page.ts';
import { createRecorder, type Paths, pathNames } from './paths.ts';
import { deferralOf, firstRunOf, haltOf, runOf } from './plans.ts';
import { excess, missed, readRecorded, record } from './record.ts';
import { createReport, type Report } from './report.ts';
import { type Stack, startStack } from './stack.ts';

/** The demo has two plans. */
const visitorsPlan = 3n;

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
const report = createReport();
const [browser, stack] = await Promise.all([launchBrowser(), startStack()]);
try {
  report.say(`npm start is ready after ${report.seconds()} s.`);
  const paths = await play(stack, browser, report);
  conclude(paths);
  if (values.record && report.failures().length === 0) record(paths);
} finally {
  await browser.close();
  await stack.stop();
}
process.exitCode = report.failures().length === 0 ? 0 : 1;
// Clients of some protocols keep connections open.
process.exit();

/** Measured jobs run while everything else pauses: no slot of another plan opens, and no page is open. */
async function play(stack: Stack, browser: Browser, { job }: Report): Promise<Paths> {
  const recorder = createRecorder(stack.coverage);

  await job('run', () => runOf(stack, 1n));
  await job('deferral', () => deferralOf(stack, 2n, 'cost_high'));
  await recorder.roundEnd();
  await recorder.during('rescue', () => job('rescue', () => rescueOf(stack, 1n, 'ETH', '4%')));
  // Waits for a round, so that the next one, which runs the new plan, begins after the page is closed.
  await recorder.roundEnd();
  await job('plan', () => createPlan(browser, stack, visitorsPlan));
  await recorder.during('plan', () => job('its run', () => firstRunOf(stack, visitorsPlan)));
  await recorder.answer('question', () => job('question', () => askQuestion(stack.world)));
  await recorder.answer('verdict', () => job('verdict', () => askVerdict(stack.world)));
  await job('stop', () => stopAll(browser, stack, visitorsPlan));
  await recorder.roundEnd();
  await recorder.during('rescue', () => job('rescue', () => rescueOf(stack, 2n, 'BTCB', '15%')));
  await job('stopped', () => haltOf(stack, visitorsPlan));
  return recorder.paths();
}

/** Code that ran while a job failed belongs to no path. */
function conclude(paths: Paths): void {
  const failed = report.failures().length;
  if (failed > 0) {
    report.say(['The last lines of npm start:', ...stack.lines()].join('\n  '));
    report.say(`${failed} jobs failed, in ${report.seconds()} s. No files are counted.`);
    return;
  }
  const recorded = readRecorded();
  for (const path of pathNames)
    report.say(`${path.padEnd(9)} ${paths[path].length} files run, of at most ${recorded[path].length}`);
  for (const path of missed(paths)) report.fail(`${path}: its marker file was not recorded`);
  for (const sentence of excess(paths, recorded)) report.fail(sentence);
  report.say(`Every job was done, in ${report.seconds()} s.`);
}
