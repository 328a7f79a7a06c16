import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chainIds } from '@bowline/http/common-settings';
import { readEnvFile, readEnvironment } from '@bowline/http/environment';
import { placeOf } from '@bowline/http/place';
import { settings } from '../../agent/src/settings.ts';

/** A file or folder that a backup holds. */
export interface Place {
  /** In the backup. */
  readonly name: string;
  /** On this machine. */
  readonly path: string;
  /** The setting that says where it is, and whether it is set. */
  readonly setting: string;
  readonly isNamed: boolean;
  /** Its folders, in the order in which they are copied; all of it if absent. */
  readonly parts?: readonly string[];
  /** A file that the agent reads from the chain again where it is missing. */
  readonly remade?: string;
  /** Others read it, and it may stand with the same content before a restore. */
  readonly isRecord?: boolean;
}

const { CHAIN, DEPLOYMENTS_DIR, EVIDENCE_DIR, DELIVERABLES_DIR, PAYMENTS_DIR, NOTICES_FILE } = settings;
const placeSettings = { CHAIN, DEPLOYMENTS_DIR, EVIDENCE_DIR, DELIVERABLES_DIR, PAYMENTS_DIR, NOTICES_FILE };
const root = new URL('../../', import.meta.url);

/** What the chain does not hold, by the settings of the environment and of `.env`. */
export function placesOfAgent(environment = readEnvFile()): readonly Place[] {
  const env = readEnvironment(placeSettings, environment);
  const record = `${chainIds[env.CHAIN]}.json`;
  const place = (name: string, setting: string, path: string, more: Partial<Place> = {}): Place => {
    const isNamed = Boolean(environment[setting]?.trim());
    return { name, setting, isNamed, path: fileURLToPath(new URL(placeOf(path, root), root)), ...more };
  };
  return [
    place(`deployments/${record}`, 'DEPLOYMENTS_DIR', `${env.DEPLOYMENTS_DIR}/${record}`, { isRecord: true }),
    place('evidence', 'EVIDENCE_DIR', env.EVIDENCE_DIR),
    place('deliverables', 'DELIVERABLES_DIR', env.DELIVERABLES_DIR, { remade: 'jobs.json' }),
    // A task names payments, an open payment becomes an answered one, and either needs the claim and the key written before it.
    place('payments', 'PAYMENTS_DIR', env.PAYMENTS_DIR, { parts: ['tasks', 'open', 'answered', 'keys', 'transfers'] }),
    place('notices.json', 'NOTICES_FILE', env.NOTICES_FILE),
  ];
}

/**
 * A sentence for each place of which a backup has nothing.
 * @throws all of them, if a setting names one of them, or if nothing that an agent keeps is there.
 */
export function absences(places: readonly Place[]): string[] {
  // The file of webhooks begins with the first of them.
  const missing = places.filter(({ name, path }) => !existsSync(name === 'notices.json' ? dirname(path) : path));
  const wrong = missing.filter(({ isNamed }) => isNamed);
  if (wrong.length > 0) {
    const lines = wrong.map(({ setting, path }) => `${setting} names a place that is not there: ${path}`);
    const remedy = 'Correct the settings, or create the folder if nothing was ever kept there.';
    throw new Error([...lines, `Nothing was written. ${remedy}`].join('\n'));
  }
  const lines = missing.map(({ setting, path }) => `Nothing of ${setting} is in it: there is no ${path}.`);
  if (places.every((place) => place.isRecord || missing.includes(place)))
    throw new Error([...lines, 'Nothing was written: no agent with these settings has kept anything here.'].join('\n'));
  return lines;
}
