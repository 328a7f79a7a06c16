import type { GuardHistory, PlanHistory } from '@bowline/core/audit/history';
import { executorReport, guardReport, planReport } from '@bowline/core/audit/report';
import { serviceFigures } from '@bowline/core/audit/service';
import { toIsoTime } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { ticketRecordOf } from '@bowline/core/registry/address-book';
import { isAddress } from 'viem';
import { everyEvidenceLines, evidenceAt, evidenceLines } from './audit/evidence.ts';
import { openChain } from './audit/read.ts';
import { type ExitCode, exitCodes, type Options, UsageError } from './commands.ts';
import { hostOf } from './host.ts';
import { recordAt } from './record.ts';
import { addressOption, guardOption, numberOption } from './values.ts';

/**
 * `npx bowline audit --plan 1`, `--guard 1` or `--owner 0x…`: checks the on-chain records of a permission against its terms.
 * `--executor 0x…` gives the report card of who runs plans. With `--evidence` it also checks that a record's verdict follows from the
 * document whose hash it carries: one document, as a file or by its hash, or all those in a folder (`data/evidence`) or at an agent's
 * address. Node, record and folder of evidence are those of the agent's settings, unless options name others. Works with any node,
 * through state reads of its newest blocks; signs nothing.
 */
export async function audit(options: Options<'audit'>): Promise<ExitCode> {
  const { plan, guard, owner, executor } = options;
  if ([plan, guard, owner, executor].filter(Boolean).length !== 1)
    throw new UsageError('Give exactly one of --plan N, --guard N, --owner 0x… and --executor 0x….');
  const host = hostOf();
  const { store = `${host.data}/evidence`, deployment = host.record } = options;
  const record = recordAt(deployment);
  const chain = await openChain(options.rpc ?? host.rpcUrls()[0], record);
  const { rules } = ticketRecordOf({ name: deployment, content: record }, isAddress);
  const evidence = options.evidence === undefined ? undefined : await evidenceAt(options.evidence, store);
  const ofPlan = async (history: PlanHistory) => {
    const [first] = history.versions;
    if (first === undefined) throw new Error(`Plan ${history.id} does not exist.`);
    const [pay, buy] = [await chain.token(first.tokenIn), await chain.token(first.tokenOut)];
    const report = planReport(history, pay, buy, chain.timestamp);
    if (evidence === undefined) return report;
    const lines =
      typeof evidence === 'string'
        ? evidenceLines(history, evidence)
        : await everyEvidenceLines(history, evidence, rules);
    return [report, '', ...lines].join('\n');
  };
  const ofGuard = async (history: GuardHistory, late: readonly (bigint | undefined)[] = []) =>
    guardReport(
      history,
      await chain.token(history.repayToken),
      chain.timestamp,
      history.sale && (await chain.token(history.sale.collateralToken)),
      late,
    );
  const say = (text: string) => process.stdout.write(`${text}\n`);
  // Of a permission that is not whole, nothing is said but that.
  let code: ExitCode = exitCodes.done;
  const sayUnread = (sentences: readonly string[]) => {
    for (const sentence of sentences) say(`\n${sentence}`);
    if (sentences.length > 0) code = exitCodes.wrong;
  };
  const sayBlock = ({ blockNumber }: PlanHistory | GuardHistory) => {
    if (blockNumber !== chain.blockNumber) say(`\nAt block ${blockNumber}, because the node has forgotten the first:`);
  };
  say(`Block ${chain.blockNumber}, ${toIsoTime(chain.timestamp)}`);
  if (plan !== undefined) say(`\n${await ofPlan(await chain.plan(numberOption('--plan', plan, 1n)))}`);
  else if (guard !== undefined) {
    const history = await chain.guard(guardOption(guard));
    say(`\n${await ofGuard(history, await chain.lateness(history))}`);
  } else if (executor !== undefined) {
    const account = addressOption('--executor', executor);
    const { found, unread } = await chain.servedBy(account);
    sayUnread(unread);
    say(`\n${executorReport(account, serviceFigures(found, chain.timestamp, chain.poolFee))}`);
  } else {
    const account = addressOption('--owner', owner ?? '');
    const owned = await chain.ownedBy(account);
    sayUnread(owned.unread);
    const plans = await chain.plans(owned.plans);
    const guards = await chain.guards(owned.guards);
    sayUnread([...plans.unread, ...guards.unread]);
    // The search also finds guards that the account only funds.
    const own = guards.found.filter(({ terms }) => sameAddress(terms.borrower, account));
    if (plans.found.length + own.length === 0 && code === exitCodes.done)
      say('\nThis address owns no plan and no guard.');
    for (const history of plans.found) {
      sayBlock(history);
      say(`\n${await ofPlan(history)}`);
    }
    for (const history of own) {
      sayBlock(history);
      say(`\n${await ofGuard(history)}`);
    }
  }
  return code;
}
