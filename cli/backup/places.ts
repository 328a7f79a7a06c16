import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataParts } from '../../agent/src/process/data-places.ts';
import { placeOf } from '../home.ts';
import type { Host } from '../host.ts';

/** What a backup holds: the agent's data folder, and the deployment record, which names the contracts that it trusts. */
export interface Kept {
  readonly data: string;
  readonly record: string;
}

/** What stands in the data folder itself. */
export const names = [...new Set(dataParts.map((part) => part.replace(/\/.*/, '')))];

/** By the settings of the shell and of `.env`. */
export const keptBy = ({ data, record }: Host): Kept => ({
  data: fileURLToPath(placeOf(data)),
  record: fileURLToPath(placeOf(record)),
});

/** The record's name in a backup. */
export const recordName = ({ record }: Kept): string => `deployments/${basename(record)}`;

/**
 * A sentence for each part of which a backup has nothing.
 * @throws all of them, if a setting names a place that is not there, or if the data folder holds nothing of an agent.
 */
export function absences({ data, record }: Kept, setting: Host['setting']): string[] {
  const wrong = Object.entries({ DATA_DIR: data, DEPLOYMENTS_DIR: record })
    .filter(([name, path]) => setting(name) !== '' && !existsSync(path))
    .map(([name, path]) => `${name} names a place that is not there: ${path}`);
  if (wrong.length > 0) throw new Error([...wrong, 'Nothing was written. Correct the settings.'].join('\n'));
  const missing = names.filter((name) => !existsSync(join(data, name)));
  if (missing.length === names.length)
    throw new Error(`Nothing was written: no agent with these settings has kept anything in ${data}.`);
  return [
    ...(existsSync(record) ? [] : [`No deployment record is in it: there is no ${record}.`]),
    // The file of webhooks begins with the first of them.
    ...missing
      .filter((name) => name !== 'notices.json')
      .map((name) => `Nothing of ${name} is in it: there is no ${join(data, name)}.`),
  ];
}
