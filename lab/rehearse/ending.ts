import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { awaited, must } from './actor.ts';
import { customers, endAgent, planOf, type Step, startAgent } from './operator.ts';

// What an operator hopes not to need.

export const ending: readonly Step[] = [
  {
    title: 'Restart',
    why: 'The chain is the agent’s only memory of its actions. Kill the agent at any moment and start it again: it repeats no run.',
    async play(operator) {
      const { plan, runsAfter } = customers(operator);
      const { runs } = (await plan(planOf(operator))).state;
      await endAgent(operator, 'SIGKILL');
      operator.stage.note('kill -9 PID');
      await startAgent(operator);
      await runsAfter(planOf(operator), runs);
      const { state, terms } = await plan(planOf(operator));
      const { timestamp } = await operator.world.chain.getBlock();
      const slots = Math.floor((Number(timestamp) - terms.startAt) / terms.periodSeconds) + 1;
      must(state.runs <= slots, `The plan has run ${state.runs} times in ${slots} minutes.`);
      return 'the plan has run again, and never twice in a minute';
    },
  },
  {
    title: 'Back up, lose the machine, restore',
    why: 'Back up while the agent runs. The rehearsal then deletes everything that the agent stored, and restores it. A restore takes only the backup whose hash you name, so note it when you make the backup.',
    async play(operator) {
      const { stage, deployments } = operator;
      const { plan, runsAfter } = customers(operator);
      const file = join(stage.folder, 'backup.tgz');
      const said = await stage.bowline(`backup ${file}`);
      const [, hash] = /SHA-256 ([0-9a-f]{64})/.exec(said) ?? [];
      must(hash !== undefined, 'The backup names no hash.');
      await endAgent(operator, 'SIGKILL');
      rmSync(join(stage.folder, 'data'), { recursive: true });
      rmSync(new URL('56.json', deployments));
      await stage.bowline(`restore ${file}`, { code: 1, show: /--sha256/ });
      await stage.bowline(`restore ${file} --sha256 ${hash}`);
      const { runs } = (await plan(planOf(operator))).state;
      await startAgent(operator);
      const evidence = join(stage.folder, 'data/evidence');
      await stage.bowline(`show plan ${planOf(operator)} --replay ${evidence}`, { show: /judged again/ });
      await runsAfter(planOf(operator), runs);
      return 'every recorded verdict was judged again from the restored evidence, and the plan continues to run';
    },
  },
  {
    title: 'Stop everything',
    why: 'One file stops every action on the chain at once; the agent continues to read and answer. Until you remove the file, the agent does nothing that is due.',
    async play(operator) {
      const { stage, agentUrl } = operator;
      const { plan, runsAfter } = customers(operator);
      const file = join(stage.folder, 'stop');
      writeFileSync(file, '');
      stage.note(`touch ${file}`);
      await awaited(
        async () => ((await fetch(`${agentUrl}/ready`)).status === 503 ? true : undefined),
        '/ready is not 503',
      );
      // What was signed before goes its way.
      await sleep(5_000);
      const { runs } = (await plan(planOf(operator))).state;
      await sleep(65_000);
      const after = (await plan(planOf(operator))).state.runs;
      must(after === runs, `The plan has run ${after - runs} times meanwhile.`);
      must((await fetch(`${agentUrl}/ping`)).ok, 'The agent does not answer.');
      rmSync(file);
      stage.note(`rm ${file}`);
      await runsAfter(planOf(operator), runs);
      const began = performance.now();
      const code = await endAgent(operator);
      const took = (performance.now() - began) / 1000;
      must(code === 0 && took < 6, `The agent ended with ${code} after ${took.toFixed(1)} s.`);
      return 'a due run waited until the file was gone, and SIGTERM ended the agent with 0 within five seconds';
    },
  },
];
