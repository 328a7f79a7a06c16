import { readFileSync } from 'node:fs';
import { type Address, isAddress } from 'viem';
import { evidenceLines, readEvidence } from './audit/evidence.ts';
import { openChain, type Places } from './audit/read.ts';
import { guardReport, planReport } from './audit/report.ts';
import { readLine } from './local/options.ts';

// `npm run audit -- --plan 1`, `--guard 1` or `--owner 0x…`: checks the on-chain records of a permission against its
// terms. With `--evidence file` it also checks that a record's verdict follows from the document whose hash it carries.
// Works with any node, through state reads at one block; signs nothing.

const root = new URL('../', import.meta.url);
const defaults = {
  plan: '',
  guard: '',
  owner: '',
  evidence: '',
  rpc: 'http://127.0.0.1:8545',
  deployment: 'script/deployments/31337.json',
};

try {
  const { options } = readLine('npm run audit', defaults);
  const { plan, guard, owner } = options;
  if ([plan, guard, owner].filter(Boolean).length !== 1)
    throw new Error('Give exactly one of --plan N, --guard N and --owner 0x….');
  const chain = await openChain(options.rpc, deploymentAt(options.deployment));
  const evidence = options.evidence === '' ? undefined : readEvidence(options.evidence);
  const ofPlan = async (id: bigint) => {
    const history = await chain.plan(id);
    const [first] = history.versions;
    if (first === undefined) throw new Error(`Plan ${id} does not exist.`);
    const report = planReport(history, await chain.token(first.tokenIn), await chain.token(first.tokenOut));
    return evidence === undefined ? report : [report, '', ...evidenceLines(history, evidence)].join('\n');
  };
  const ofGuard = async (id: bigint) => {
    const history = await chain.guard(id);
    return guardReport(history, await chain.token(history.repayToken));
  };
  process.stdout.write(`Block ${chain.blockNumber}, ${new Date(Number(chain.timestamp) * 1000).toISOString()}\n`);
  const owned =
    owner === ''
      ? {
          plans: plan === '' ? [] : [numberOf('--plan', plan)],
          guards: guard === '' ? [] : [numberOf('--guard', guard)],
        }
      : await chain.ownedBy(addressOf(owner));
  if (owned.plans.length + owned.guards.length === 0)
    process.stdout.write('\nThis address owns no plan and no guard.\n');
  for (const id of owned.plans) process.stdout.write(`\n${await ofPlan(id)}\n`);
  for (const id of owned.guards) process.stdout.write(`\n${await ofGuard(id)}\n`);
} catch (error) {
  const { message } = error as Error;
  process.stderr.write(`${message.split('\n')[0]}\n`);
  process.exitCode = 1;
}

function deploymentAt(path: string): Places {
  try {
    return JSON.parse(readFileSync(new URL(path, root), 'utf8'));
  } catch (cause) {
    throw new Error(`No deployment record at ${path}. Name one with --deployment.`, { cause });
  }
}

function numberOf(option: string, text: string): bigint {
  if (/^[1-9]\d{0,30}$/.test(text)) return BigInt(text);
  throw new Error(`${option} takes a whole number above 0, not "${text}".`);
}

function addressOf(text: string): Address {
  if (isAddress(text, { strict: false })) return text;
  throw new Error(`--owner takes an address, not "${text}".`);
}
