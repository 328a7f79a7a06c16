import { leftOutPage } from '@bowline/core/left-out-page';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { hostOf } from './host.ts';

/** `npx bowline show served`: what a running agent does not serve, by its own /served. */
export async function showServed({ agent = hostOf().agentUrl }: Options<'show served'>): Promise<ExitCode> {
  const lines: string[] = [];
  let runsPlans = true;
  for (let from: number | null = 0; from !== null; ) {
    const page = await pageAt(agent, from);
    if (page.next !== null && page.next <= from) throw new Error(`${agent}/served repeats a page.`);
    lines.push(...page.left_out.map(({ kind, id, reason }) => `${kind} ${id}: ${reason}`));
    runsPlans = page.runs_plans;
    from = page.next;
  }
  if (!runsPlans) lines.unshift('This agent runs no plan.');
  else if (lines.length === 0) lines.push('This agent leaves out no plan and no guard.');
  process.stdout.write(`${lines.join('\n')}\n`);
  return exitCodes.done;
}

async function pageAt(agent: string, from: number) {
  const silent = `no agent answers at ${agent}: name one with --agent`;
  const response = await fetch(`${agent}/served?from=${from}`, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new Error(silent);
  });
  const { data } = leftOutPage.safeParse(await response.json().catch(() => undefined));
  if (response.ok && data !== undefined) return data;
  throw new Error(response.status === 503 ? `the agent at ${agent} is still starting` : silent);
}
