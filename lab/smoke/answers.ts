import { ask, good, must, post } from './requests.ts';
import type { World } from './stack.ts';

const question = 'Is BTCB fairly priced right now?';

/** The market is calm, so the answer is GO. */
export async function askQuestion({ agentUrl }: World): Promise<string> {
  const { result, tools, answered_by } = good(await post(`${agentUrl}/x402`, { prompt: question }));
  must(tools?.includes('check_asset'), 'is answered without a verdict');
  must(/^Verdict: GO\b/.test(result), `is answered ${String(result).split('\n')[0]}`);
  return `GO, answered by ${answered_by === 'embedded' ? 'rules' : answered_by}`;
}

/** Another size than the question's, whose signed ticket the agent would return again. */
export async function askVerdict({ agentUrl }: World): Promise<string> {
  const { verdict, reason, findings, ticket } = good(await ask(`${agentUrl}/verdict?asset=BTCB&amount_usd=5000`));
  must(verdict === 'GO', `is ${verdict}, ${reason}`);
  must(ticket?.signature !== undefined, 'has no signed ticket');
  return `GO by ${findings.length} findings, evidence ${ticket.evidence_hash}`;
}
