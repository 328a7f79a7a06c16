import { type TicketRecord, ticketRecordOf } from '@bowline/core/registry/address-book';
import type { Line } from '@bowline/core/replay/line';
import type { served } from '@bowline/core/replay/replay';
import { rulesLine } from '@bowline/core/replay/rules-in-force';
import { isAddress } from 'viem';
import type { z } from 'zod';
import { readRecord, recordAt } from '../record.ts';

type Ticket = NonNullable<z.output<typeof served>['ticket']>;

/**
 * Whether a ticket belongs to the deployment recorded for its chain, and is signed by a signer that the record names.
 * Anybody can sign a ticket that follows from its evidence.
 * @param path of the deployment record; by default the one of the ticket's chain.
 */
export function signerLines({ signer, domain }: Ticket, path?: string): Line[] {
  const name = path ?? `script/deployments/${domain.chain_id}.json`;
  const record = ticketRecord(name, path !== undefined);
  const registry = { what: 'registry of the deployment', said: domain.verifying_contract.toLowerCase() };
  const by = { what: "signer of the deployment's verdicts", said: signer.toLowerCase() };
  if (record === undefined) {
    const unchecked = `There is no deployment record ${name} (--deployment FILE), so nothing says whose ticket this is.`;
    return [{ ...registry, found: registry.said, unchecked }, nobodyFor(by, unchecked)];
  }
  const { chainId, planRegistry, verdictSigners } = record;
  const chain = { what: 'chain of the deployment', said: `${domain.chain_id}`, found: `${chainId}` };
  const lines = [chain, { ...registry, found: planRegistry.toLowerCase() }];
  if (verdictSigners === undefined) return [...lines, nobodyFor(by, `${name} names no signer of verdicts.`)];
  const named = verdictSigners.map((each) => each.toLowerCase());
  return [...lines, { ...by, found: named.includes(by.said) ? by.said : named.join(' or ') }];
}

const nobodyFor = (by: Pick<Line, 'what' | 'said'>, unchecked: string): Line => ({ ...by, found: by.said, unchecked });

/** Whether the evidence's rules version was the one in force at the deployment when it was issued. */
export function rulesInForce(version: number, issuedAt: bigint, chainId: number | undefined, path?: string): Line {
  const name = path ?? (chainId === undefined ? undefined : `script/deployments/${chainId}.json`);
  const record = name === undefined ? undefined : ticketRecord(name, path !== undefined);
  return rulesLine(version, issuedAt, record?.rules ?? []);
}

function ticketRecord(path: string, mustExist: boolean): TicketRecord | undefined {
  const content = mustExist ? recordAt(path) : readRecord(path);
  return content && ticketRecordOf({ name: path, content }, isAddress);
}
