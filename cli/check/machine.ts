import { constants, existsSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Readiness } from '@bowline/core/domain/readiness';
import { listen } from '../../agent/src/compose/server.ts';
import type { Config } from '../../agent/src/config.ts';
import { type Finding, note, ofStart, ok, refused } from './finding.ts';

const MIB = 2 ** 20;
/** Room for the evidence of ten thousand runs, and of some months. */
const [minMib, lowMib] = [256, 2_048];

/** Free space in the agent's data folder, and whether files can be written there. */
export async function diskFinding(folder: URL): Promise<Finding> {
  // A missing folder would be created in its nearest existing parent.
  let place = folder;
  while (!existsSync(place)) place = new URL(place.href.endsWith('/') ? '../' : './', place);
  const path = fileURLToPath(place);
  const { bavail, bsize } = await statfs(place);
  const mib = Math.floor((bavail * bsize) / MIB);
  const found = `${mib < 10_240 ? `${mib} MiB` : `${Math.floor(mib / 1_024)} GiB`} are free in ${path}.`;
  const remedy = `Free ${lowMib} MiB on the disk of ${path}, or set DATA_DIR to a folder on another disk.`;
  if (mib < minMib) return refused('disk', 'disk_full', found, remedy);
  try {
    await access(place, constants.W_OK);
  } catch {
    const allow = `Give this user write access to ${path}, or set DATA_DIR to another folder.`;
    return refused('disk', 'disk_unwritable', `This user may not write in ${path}.`, allow);
  }
  return mib < lowMib ? note('disk', 'disk_filling', found, remedy) : ok('disk', found);
}

/** Whether the agent could listen; or, if it is running, what its /ready reports. */
export async function agentFindings(config: Config): Promise<Finding[]> {
  try {
    const server = await listen(config);
    await server.close();
    return [ok('port', `${config.port} is free: no agent runs.`)];
  } catch (error) {
    const running = await readyAt(config.port);
    if (running === undefined) return [ofStart('port', error)];
    const remedy = 'See its row in docs/runbook.md, "Reasons of /ready".';
    const failing = Object.entries(running.dependencies).filter(([, { ok: isOk }]) => !isOk);
    return [
      ok('agent', `An agent runs at port ${config.port}.`),
      ...failing.map(([name, { reason = 'no_answer', detail, needed }]) =>
        // The operator set the stop file on purpose.
        (needed && name !== 'stop_file' ? refused : note)(`agent.${name}`, reason, detail, remedy),
      ),
    ];
  }
}

/** Undefined if no agent answers there. */
async function readyAt(port: number): Promise<Pick<Readiness, 'dependencies'> | undefined> {
  try {
    const signal = AbortSignal.timeout(5_000);
    const response = await fetch(`http://127.0.0.1:${port}/ready`, { signal, redirect: 'error' });
    const ready = (await response.json()) as Partial<Readiness>;
    return ready.dependencies && { dependencies: ready.dependencies };
  } catch {
    return undefined;
  }
}
