import { fileURLToPath } from 'node:url';
import { chainIds } from '@bowline/http/common-settings';
import { readEnvFile, readEnvironment } from '@bowline/http/environment';
import { placeOf } from '@bowline/http/place';
import { settings } from '../../agent/src/settings.ts';
import {
  alone,
  answeredPayment,
  claim,
  deliverable,
  deploymentRecord,
  evidence,
  payment,
  receivers,
  task,
  unproven,
} from './check.ts';
import type { Place } from './place.ts';

const { CHAIN, DEPLOYMENTS_DIR, EVIDENCE_DIR, DELIVERABLES_DIR, PAYMENTS_DIR, NOTICES_FILE, PAY_TO } = settings;
/** The settings that say where they are. */
export const placeSettings = {
  CHAIN,
  DEPLOYMENTS_DIR,
  EVIDENCE_DIR,
  DELIVERABLES_DIR,
  PAYMENTS_DIR,
  NOTICES_FILE,
  PAY_TO,
};
const root = new URL('../../', import.meta.url);
/** On this machine. */
export const at = (path: string): string => fileURLToPath(new URL(placeOf(path, root), root));

/** What the chain does not hold, by the settings of the environment and of `.env`; in the order in which it is copied. */
export function placesOfAgent(environment = readEnvFile()): readonly Place[] {
  const env = readEnvironment(placeSettings, environment);
  const chainId = chainIds[env.CHAIN];
  const record = `${chainId}.json`;
  return [
    {
      name: `deployments/${record}`,
      path: at(`${env.DEPLOYMENTS_DIR}/${record}`),
      isPrivate: false,
      isRecord: true,
      check: deploymentRecord(chainId),
    },
    { name: 'evidence', path: at(env.EVIDENCE_DIR), isPrivate: false, check: evidence },
    {
      name: 'deliverables',
      path: at(env.DELIVERABLES_DIR),
      isPrivate: false,
      check: deliverable(chainId),
      remade: ['/jobs.json'],
    },
    // A task names payments. An open payment becomes an answered one, and either needs the claim and the key that were written before it.
    ...Object.entries({
      'tasks/asked': { check: task },
      'tasks/receivers': { check: receivers },
      open: { check: payment(chainId), restored: unproven(env.PAY_TO) },
      answered: { check: answeredPayment(chainId) },
      keys: { check: claim(chainId) },
      transfers: { check: claim(chainId) },
    }).map(([name, checks]) => ({
      name: `payments/${name}`,
      path: at(`${env.PAYMENTS_DIR}/${name}`),
      isPrivate: true,
      ...checks,
    })),
    { name: 'notices.json', path: at(env.NOTICES_FILE), isPrivate: true, check: alone },
  ];
}
