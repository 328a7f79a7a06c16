import { hashing } from '@bowline/chain/hashing';
import { replay, served } from '@bowline/core/replay/replay';
import { signerLines } from '../../cli/replay/signer.ts';
import { owner } from '../world/start/demo.ts';
import { ask, good, must, post } from './requests.ts';
import type { World } from './stack.ts';

const size = { asset: 'BTCB', side: 'buy', amount_usd: 100 };
const question = 'Is BTCB fairly priced right now?';

/** The market is calm, so the answer is GO. */
export async function askQuestion({ agentUrl }: World): Promise<string> {
  const { result, tools, answered_by } = good(await post(`${agentUrl}/x402`, { prompt: question }));
  must(tools?.includes('check_asset'), 'is answered without a verdict');
  must(/^Verdict: GO\b/.test(result), `is answered ${String(result).split('\n')[0]}`);
  return `GO, answered by ${answered_by === 'embedded' ? 'rules' : answered_by}`;
}

/** Of another size than the question's, whose signed ticket the agent would give again. */
export async function askVerdict({ agentUrl }: World): Promise<string> {
  const { verdict, reason, findings, ticket } = good(await ask(`${agentUrl}/verdict?asset=BTCB&amount_usd=5000`));
  must(verdict === 'GO', `is ${verdict}, ${reason}`);
  must(ticket?.signature !== undefined, 'has no signed ticket');
  return `GO by ${findings.length} findings, evidence ${ticket.evidence_hash}`;
}

/** Replays a verdict from its evidence, and looks for its signer in the deployment record. */
export async function replayTicket({ agentUrl, recordFile }: World): Promise<string> {
  const { asset, side, amount_usd } = size;
  const { text } = await ask(`${agentUrl}/verdict?asset=${asset}&side=${side}&amount_usd=${amount_usd}`);
  const answer = served.parse(JSON.parse(text));
  must(answer.ticket !== null, 'has no ticket');
  const lines = [...(await replay(answer, hashing)), ...signerLines(answer.ticket, recordFile)];
  const differing = lines.filter(({ said, found }) => said !== found);
  must(differing.length === 0, `differs in ${differing.map(({ what }) => what).join(', ')}`);
  return `${lines.length} values recomputed`;
}

export async function draftSwap({ agentUrl }: World): Promise<string> {
  const { verdict, calls, simulated, withheld } = good(await post(`${agentUrl}/swap-draft`, { ...size, owner }));
  must(verdict === 'GO', `is ${verdict}`);
  must(calls?.length > 0 && simulated !== null, `gives nothing to sign for a GO (${withheld})`);
  return `GO, ${calls.length} calls`;
}
