import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hashing } from '@bowline/chain/hashing';
import { readEvidence } from '@bowline/core/replay/evidence';
import type { Line } from '@bowline/core/replay/line';
import { judgeAgain, looserIn, replay, served } from '@bowline/core/replay/replay';
import { signedPriceLines } from '@bowline/core/replay/signed-price';
import { z } from 'zod';
import { documentIn, isHash } from './audit/evidence.ts';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { placeOf } from './home.ts';
import { hostOf } from './host.ts';
import { chainFactLines, chainIdAt } from './replay/chain-facts.ts';
import { rulesInForce, signerLines } from './replay/signer.ts';

/**
 * `npx bowline replay ticket.json`: recomputes an answer of `GET /verdict` (or check_asset) from its evidence alone, checks the
 * signatures of Pyth's price, and prints every difference. Also takes an evidence document alone, or its hash: `npx bowline replay 0x…`,
 * from the agent's folder (`--store`). The deployment record (`--deployment`) says whose ticket it should be. Makes no request, except
 * with `--rpc URL`, which reads the chain's facts again at their block.
 */
export async function replayTicket(options: Options<'replay'>, [path = '']: readonly string[]): Promise<ExitCode> {
  const store = options.store ?? fileURLToPath(placeOf(`${hostOf().data}/evidence`));
  const text = isHash(path) ? await documentIn(store, path) : readFileSync(path === '-' ? 0 : path, 'utf8');
  const given = JSON.parse(text);
  // A bare document: there is no ticket or answer to compare.
  const isBare = given.evidence === undefined && given.rules !== undefined;
  const {
    success,
    data: answer,
    error,
  } = served.safeParse(isBare ? { verdict: given.verdict, evidence: text.trim(), ticket: null } : given);
  if (!success) throw new Error(z.prettifyError(error), { cause: error });
  const { ticket, evidence } = answer;
  const rules = rulesOf(answer, options.deployment);
  if (rules.said !== rules.found || rules.unchecked !== undefined) {
    print([rules]);
    return rules.said === rules.found ? exitCodes.notLooked : exitCodes.wrong;
  }
  const nodeChainId = options.rpc === undefined ? undefined : await chainIdAt(options.rpc);
  const lines = [
    ...(isBare ? await linesOfDocument(text.trim(), nodeChainId) : await replay(answer, hashing)),
    ...(ticket === null ? [] : signerLines(ticket, options.deployment)),
    ...(ticket === null || nodeChainId === undefined
      ? []
      : [{ what: 'chain of the node', said: `${ticket.domain.chain_id}`, found: `${nodeChainId}` }]),
  ];
  print(lines);
  for (const { limit, own, usual } of looserIn(answer)) {
    process.stdout.write(`note     limit ${limit} is ${own}, looser than the project's ${usual}\n`);
  }
  const { proposal } = readEvidence(typeof evidence === 'string' ? JSON.parse(evidence) : evidence);
  const ofChain = options.rpc === undefined ? [] : await chainFactLines(options.rpc, proposal);
  print(ofChain);
  const all = [...lines, ...ofChain];
  const differing = all.filter(({ said, found }) => said !== found).length;
  const unchecked = all.filter((line) => line.unchecked !== undefined && line.said === line.found).length;
  const notChecked = unchecked === 0 ? '' : ` Not checked: ${unchecked}.`;
  const follows =
    options.rpc === undefined
      ? 'The verdict follows from its evidence.'
      : 'The verdict follows from its evidence, and the evidence matches the chain.';
  process.stdout.write(`\n${differing === 0 ? follows : `Differences: ${differing}.`}${notChecked}\n`);
  return differing === 0 ? exitCodes.done : exitCodes.wrong;
}

/** Evidence under other rules is judged by the release that had them, or not at all. */
function rulesOf({ evidence, ticket }: z.output<typeof served>, deployment: string | undefined): Line {
  const { rules, proposal } = anyEvidence.parse(typeof evidence === 'string' ? JSON.parse(evidence) : evidence);
  return rulesInForce(rules, BigInt(proposal.chain.block.timestamp), ticket?.domain.chain_id, deployment);
}

const anyEvidence = z.looseObject({
  rules: z.int(),
  proposal: z.looseObject({ chain: z.looseObject({ block: z.looseObject({ timestamp: z.string() }) }) }),
});

async function linesOfDocument(text: string, chainId: number | undefined): Promise<Line[]> {
  const { proposal, lines } = judgeAgain(text, hashing.hash);
  return [...lines, ...(await signedPriceLines(proposal, chainId, hashing))];
}

function print(lines: readonly Line[]): void {
  for (const { what, said, found, unchecked } of lines) {
    const same = unchecked === undefined ? `same     ${what}\n` : `no check ${what}\n  ${unchecked}\n`;
    process.stdout.write(said === found ? same : `DIFFERS  ${what}\n  stated  ${said}\n  found   ${found}\n`);
  }
}
