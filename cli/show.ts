import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GuardHistory, PlanHistory } from '@bowline/core/audit/history';
import { executorReport, guardReport, planReport } from '@bowline/core/audit/report';
import { serviceFigures } from '@bowline/core/audit/service';
import { toIsoTime } from '@bowline/core/domain/readable';
import { ticketRecordOf } from '@bowline/core/registry/address-book';
import { isAddress } from 'viem';
import { evidenceAt, evidenceLines } from './audit/evidence.ts';
import { pageOf } from './audit/html.ts';
import { openChain } from './audit/read.ts';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { placeOf } from './home.ts';
import { hostOf } from './host.ts';
import { recordAt } from './record.ts';
import { addressOption, guardOption, numberOption } from './values.ts';

type Kind = 'plan' | 'guard' | 'owner' | 'executor';

/**
 * `npx bowline show plan 1`, `guard 1` or `owner 0x…`: checks the on-chain records of a permission against its terms; `executor 0x…` gives
 * the report card of an executor. `--replay` also says whether each record's verdict follows from the document whose hash it carries.
 * Node, record and evidence folder default to the agent's settings. Works with any node, through state reads of its newest
 * blocks; signs nothing.
 */
export async function show(kind: Kind, options: Options<'show plan'>, [id = '']: readonly string[]): Promise<ExitCode> {
  const { isWhole, sections } = await sectionsOf(kind, options, id);
  if (options.html !== undefined) writeFileSync(options.html, pageOf(`${kind} ${id}`, sections), { flag: 'wx' });
  else process.stdout.write(`${sections.join('\n\n')}\n`);
  return isWhole ? exitCodes.done : exitCodes.wrong;
}

/** @returns the block, then a text for each permission; and whether all of them could be read. */
async function sectionsOf(kind: Kind, options: Options<'show plan'>, id: string) {
  const host = hostOf();
  const { deployment = host.record, replay } = options;
  const record = recordAt(deployment);
  const chain = await openChain(options.rpc ?? host.rpcUrls()[0], record);
  const ofTickets = ticketRecordOf({ name: deployment, content: record }, isAddress);
  const store = fileURLToPath(placeOf(`${host.data}/evidence`));
  const evidence = replay === undefined ? undefined : await evidenceAt(replay === true ? store : replay, store);
  const ofPlan = async (history: PlanHistory) => {
    const [first] = history.versions;
    if (first === undefined) throw new Error(`Plan ${history.id} does not exist.`);
    const report = planReport(history, await chain.sided(first), chain.timestamp);
    return evidence === undefined
      ? report
      : [report, '', ...(await evidenceLines(history, evidence, ofTickets))].join('\n');
  };
  const ofGuard = async (history: GuardHistory, late: readonly (bigint | undefined)[] = []) => {
    const sold = history.sale && (await chain.token(history.sale.collateralToken));
    return guardReport(history, await chain.token(history.repayToken), chain.timestamp, sold, late);
  };
  const blockOf = ({ blockNumber }: PlanHistory | GuardHistory) =>
    blockNumber === chain.blockNumber
      ? []
      : [`At block ${blockNumber}, because the node has pruned block ${chain.blockNumber}:`];
  const found: string[] = [];
  const unread: string[] = [];
  if (kind === 'plan') found.push(await ofPlan(await chain.plan(numberOption('show plan', id, 1n))));
  else if (kind === 'guard') {
    const history = await chain.guard(guardOption(id));
    found.push(await ofGuard(history, await chain.lateness(history)));
  } else if (kind === 'executor') {
    const account = addressOption('show executor', id);
    const served = await chain.servedBy(account);
    unread.push(...served.unread);
    found.push(executorReport(account, serviceFigures(served.found, chain.timestamp, chain.poolFee)));
  } else {
    const account = addressOption('show owner', id);
    const owned = await chain.ownedBy(account);
    const [plans, guards] = [await chain.plans(owned.plans), await chain.guards(owned.guards)];
    unread.push(...owned.unread, ...plans.unread, ...guards.unread);
    for (const history of plans.found) found.push(...blockOf(history), await ofPlan(history));
    for (const history of guards.found) found.push(...blockOf(history), await ofGuard(history));
    if (found.length + unread.length === 0)
      found.push('This address owns no plan, and neither owns nor funds a guard.');
  }
  const block = `Block ${chain.blockNumber}, ${toIsoTime(chain.timestamp)}`;
  // If a permission could not be read whole, the report says only that about it.
  return { isWhole: unread.length === 0, sections: [block, ...unread, ...found] };
}
