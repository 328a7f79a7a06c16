import { fileURLToPath } from 'node:url';
import { chainIds } from '@bowline/http/common-settings';
import { readEnvFile, readEnvironment } from '@bowline/http/environment';
import { placeOf } from '@bowline/http/place';
import { settings } from '../../agent/src/settings.ts';
import type { Place } from './place.ts';

const { CHAIN, DEPLOYMENTS_DIR, EVIDENCE_DIR, DELIVERABLES_DIR, PAYMENTS_DIR, NOTICES_FILE } = settings;
const root = new URL('../../', import.meta.url);

/** What the chain does not hold, by the settings of the environment and of `.env`; in the order in which it is copied. */
export function placesOfAgent(environment = readEnvFile()): readonly Place[] {
  const all = { CHAIN, DEPLOYMENTS_DIR, EVIDENCE_DIR, DELIVERABLES_DIR, PAYMENTS_DIR, NOTICES_FILE };
  const env = readEnvironment(all, environment);
  const at = (path: string) => fileURLToPath(new URL(placeOf(path, root), root));
  const record = `${chainIds[env.CHAIN]}.json`;
  return [
    { name: `deployments/${record}`, path: at(`${env.DEPLOYMENTS_DIR}/${record}`), isPrivate: false, mayStand: true },
    { name: 'evidence', path: at(env.EVIDENCE_DIR), isPrivate: false },
    { name: 'deliverables', path: at(env.DELIVERABLES_DIR), isPrivate: false },
    // A task names payments. An open payment becomes an answered one, and either needs the claim and the key that were written before it.
    ...['tasks', 'open', 'answered', 'keys', 'transfers'].map((name) => ({
      name: `payments/${name}`,
      path: at(`${env.PAYMENTS_DIR}/${name}`),
      isPrivate: true,
    })),
    { name: 'notices.json', path: at(env.NOTICES_FILE), isPrivate: true },
  ];
}
