import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaited, must } from '../../smoke/requests.ts';
import { patienceMs } from '../customers.ts';
import type { Operator, Step } from '../operator.ts';

// What an operator does rarely, and hopes not to need.

export const ending: readonly Step[] = [
  {
    title: 'Restart',
    why: 'The chain is the agent’s only memory of its actions. Kill the agent at any moment and start it again: it repeats no run, and what was paid for is still answered.',
    async play(operator) {
      await operator.end('SIGKILL');
      operator.stage.note('kill -9 PID');
      await operator.start();
      await operator.planThatRuns('next-verdict');
      await operator.askAgain();
      return 'a plan runs, no plan has run twice in a minute, and the payment gets its answer again';
    },
  },
  {
    title: 'Back up, lose the machine, restore',
    why: 'Back up while the agent runs. Here everything that the agent stored is then deleted, and restored. A restore takes only the backup whose hash you name, so note it when you make the backup.',
    async play(operator) {
      const { stage, deployments } = operator;
      const file = join(stage.folder, 'backup.tgz');
      const said = await stage.run(`npx bowline backup ${file}`);
      const [, hash] = /SHA-256 ([0-9a-f]{64})/.exec(said) ?? [];
      must(hash !== undefined, 'The backup names no hash.');
      await operator.end('SIGKILL');
      rmSync(join(stage.folder, 'data'), { recursive: true });
      rmSync(join(deployments, '56.json'));
      await stage.run(`npx bowline restore ${file}`, { code: 1, show: /--sha256/ });
      await stage.run(`npx bowline restore ${file} --sha256 ${hash}`);
      await operator.start();
      const audit = `npx bowline show plan 1 --replay ${join(stage.folder, 'data/evidence')}`;
      const again = await stage.run(audit, { show: /replayed/ });
      must(/replayed, no difference/.test(again), again);
      await operator.askAgain();
      return 'the recorded verdicts follow from the restored evidence, and the payment gets its answer again';
    },
  },
  {
    title: 'Upgrade',
    why: 'Build the next version, unpack it beside the old one, and check there that it would start, while the old agent runs. Then stop the old one and start the new one with the same settings and data. Here no block comes while the old agent ends, so it leaves a run behind that may still be mined.',
    async play(operator) {
      const { stage, settings } = operator;
      await stage.run(`npm run lab -- package --out ${join(stage.folder, 'next')}`, { show: /^$/ });
      const folder = join(stage.folder, 'next/bowline-0.1.0');
      stage.note(`cd ${folder}`);
      await stage.run('node bowline.js check', { settings, folder, show: / agent |bytecode|^Nothing/ });
      const { plan, continueBlocks } = await unminedRun(operator);
      const { code, output } = await operator.end();
      continueBlocks();
      must(code === 0, `The old agent ended with ${code}.`);
      const left = output.split('\n').find((line) => line.includes('"sender.left_open"'));
      must(left?.includes(`"execute plan ${plan}"`), `The old agent left no run behind: ${left}.`);
      await operator.start(folder);
      await operator.customers().firstRun(plan);
      await operator.askAgain();
      return 'the run that was left open is made once, and the payment gets its answer from the new version';
    },
  },
  {
    title: 'Stop everything',
    why: 'One file stops every action on the chain at once; the agent continues to read and answer. Until you remove the file, the agent does nothing that is due.',
    async play(operator) {
      const { stage, agentUrl } = operator;
      const { createPlan, firstRun, plan: planNow } = operator.customers();
      const file = join(stage.folder, 'data/stop');
      writeFileSync(file, '');
      stage.note(`touch ${file}`);
      await operator.isReady(503);
      const plan = await createPlan(operator.key('next-verdict').address);
      // Three rounds of the executor.
      await sleep(10_000);
      must((await planNow(plan)).runs.length === 0, 'The plan has run meanwhile.');
      must((await fetch(`${agentUrl}/ping`)).ok, 'The agent does not answer.');
      rmSync(file);
      stage.note(`rm ${file}`);
      await firstRun(plan);
      const began = performance.now();
      const { code } = await operator.end();
      const took = (performance.now() - began) / 1000;
      must(code === 0 && took < 6, `The agent ended with ${code} after ${took.toFixed(1)} s.`);
      return 'a due run waited until the file was gone, and SIGTERM ended the agent with 0 within five seconds';
    },
  },
];

/** A plan whose run is sent but not mined, and a function that resumes blocks. */
async function unminedRun({ world, key, customers }: Operator) {
  const payers = [world.bundler, key('next-keeper').address];
  const sentBy = (blockTag: 'latest' | 'pending') =>
    Promise.all(payers.map((address) => world.chain.getTransactionCount({ address, blockTag })));
  const plan = await customers().createPlan(key('next-verdict').address);
  const continueBlocks = await world.pauseBlocks();
  const isSent = async () => `${await sentBy('latest')}` !== `${await sentBy('pending')}` || undefined;
  await awaited(isSent, 'No run was sent', patienceMs);
  return { plan, continueBlocks };
}
