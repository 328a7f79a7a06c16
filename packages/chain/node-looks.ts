import type { Look } from '@bowline/core/domain/readiness';
import { BowlineError } from '@bowline/core/domain/result';
import type { AddressBook } from '@bowline/core/registry/address-book';
import type { Nodes } from './nodes/nodes.ts';
import { type Finding, nodeFindings, type PreflightOptions, poolFindings } from './preflight.ts';

/** What verdicts need of the node, and of each pool. */
export function nodeLooks({ connect }: Pick<PreflightOptions, 'connect'>, { assets }: AddressBook): Look[] {
  return [
    { name: 'node', look: async () => detailOf(await nodeFindings({ connect }), 'The node has what verdicts need.') },
    {
      name: 'pools',
      look: async () => detailOf(await poolFindings({ connect }, assets), 'Every pool remembers 20 minutes.'),
    },
  ];
}

/** Whether several nodes answer and agree, as known so far: none of them is asked. */
export const agreementLook = (nodes: Nodes): Look => ({ name: 'nodes', look: async () => healthOf(nodes) });

function healthOf(nodes: Nodes): string {
  const states = nodes.states();
  const passedOver = states.flatMap(({ name, passedOver: reason }) => (reason ? [`${name} is ${reason}`] : []));
  const used = states.length - passedOver.length;
  const detail = [`${used} of ${states.length} nodes are used`, ...passedOver].join('; ');
  if (nodes.areDisagreeing()) throw new BowlineError('chain_unavailable', `No two nodes agree: ${detail}.`);
  if (states.length > 2 && used < 2) {
    throw new BowlineError('chain_unavailable', `Two nodes must agree, except for rescues: ${detail}.`);
  }
  return detail;
}

/** Throws what is missing, with its remedy. */
function detailOf(findings: readonly Finding[], fine: string): string {
  const missing = findings.filter(({ ok }) => !ok);
  if (missing.length === 0) return fine;
  const sentences = missing.map(({ check, found, without, remedy }) => `${check}: ${found} ${without} ${remedy}`);
  throw new BowlineError('chain_unavailable', sentences.join(' '));
}
