import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { chainIds } from '@bowline/http/common-settings';
import { readEnvFile, readEnvironment } from '@bowline/http/environment';
import { at, placeSettings } from './places.ts';

/** A place of which a backup has nothing. */
export interface Missing {
  /** The setting that says where it is. */
  readonly setting: string;
  readonly path: string;
  /** Whether the setting is set: what is not there by default may never have been kept. */
  readonly isNamed: boolean;
}

/** Places that are not there. Of the webhooks their folder counts: the file begins with the first of them. */
export function missingPlaces(environment = readEnvFile()): readonly Missing[] {
  const env = readEnvironment(placeSettings, environment);
  const places = {
    DEPLOYMENTS_DIR: at(`${env.DEPLOYMENTS_DIR}/${chainIds[env.CHAIN]}.json`),
    EVIDENCE_DIR: at(env.EVIDENCE_DIR),
    DELIVERABLES_DIR: at(env.DELIVERABLES_DIR),
    PAYMENTS_DIR: at(env.PAYMENTS_DIR),
    NOTICES_FILE: dirname(at(env.NOTICES_FILE)),
  };
  return Object.entries(places)
    .filter(([, path]) => !existsSync(path))
    .map(([setting, path]) => ({ setting, path, isNamed: Boolean(environment[setting]?.trim()) }));
}

/**
 * A sentence for each place of which nothing is in the backup.
 * @throws all of them, if a setting names one of them, or if nothing that an agent keeps is there.
 */
export function missingLines(missing: readonly Missing[]): string[] {
  const wrong = missing.filter(({ isNamed }) => isNamed);
  if (wrong.length > 0) {
    const lines = wrong.map(({ setting, path }) => `${setting} names a place that is not there: ${path}`);
    throw new Error(
      [
        ...lines,
        'Nothing was written. Correct the settings, or create the folder if nothing was ever kept there.',
      ].join('\n'),
    );
  }
  const lines = missing.map(({ setting, path }) => `Nothing of ${setting} is in it: there is no ${path}.`);
  // The deployment record is not the agent's own.
  if (missing.filter(({ setting }) => setting !== 'DEPLOYMENTS_DIR').length === 4)
    throw new Error([...lines, 'Nothing was written: no agent with these settings has kept anything here.'].join('\n'));
  return lines;
}
