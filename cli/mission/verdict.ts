import { hashing } from '@bowline/chain/hashing';
import { sameAddress } from '@bowline/core/domain/same-address';
import { replay, served } from '@bowline/core/replay/replay';
import { keccak256, stringToHex } from 'viem';
import { signerLines } from '../replay/signer.ts';
import { Absent, ask, good, lacksTokens, must, type Promised, post, unpriced, type World } from './promise.ts';

// What the agent promises of a verdict: evidence, ticket, replay, and drafts that follow it.

const size = { asset: 'BTCB', side: 'buy', amount_usd: 100 };
const verdicts = ['GO', 'CAUTION', 'NO_GO', 'NO_DATA'];

async function judged(world: World) {
  unpriced(world);
  return ask(`${world.agentUrl}/verdict?asset=${size.asset}&side=${size.side}&amount_usd=${size.amount_usd}`);
}

export const ticketPromise: Promised = {
  that: 'a verdict follows from its evidence alone, and its ticket is signed by whom the record names',
  keep: async (world) => {
    const { text } = await judged(world);
    const answer = served.parse(JSON.parse(text));
    const lines = await replay(answer, hashing);
    const ofSigner = answer.ticket === null ? [] : signerLines(answer.ticket, world.recordFile);
    const differing = [...lines, ...ofSigner].filter(({ said, found }) => said !== found);
    must(differing.length === 0, `differs in ${differing.map(({ what }) => what).join(', ')}`);
    if (answer.ticket === null) return `${lines.length} values recomputed; no ticket`;
    return `${lines.length + ofSigner.length} values recomputed`;
  },
};

export const draftPromise: Promised = {
  that: 'POST /swap-draft gives calldata for a GO, with the simulated change of balances, and none for a refusal',
  keep: async (world) => {
    unpriced(world);
    const { agentUrl, owner } = world;
    const { verdict, calls, simulated, withheld } = good(await post(`${agentUrl}/swap-draft`, { ...size, owner }));
    must(verdicts.includes(verdict), `says ${verdict}`);
    if (verdict !== 'GO') {
      must((calls ?? []).length === 0, `gives calldata for ${verdict}`);
      return `${verdict}, nothing to sign: ${withheld ?? 'no route'}`;
    }
    if (withheld === 'balance_too_low') throw new Absent(lacksTokens(world));
    must(calls?.length > 0 && simulated !== null, `gives nothing to sign for a GO (${withheld})`);
    return `GO, ${calls.length} calls`;
  },
};

export const verdictPromises: readonly Promised[] = [
  {
    that: 'GET /verdict gives one of four verdicts, with findings, evidence and a signed ticket',
    keep: async (world) => {
      const { verdict, findings, evidence, ticket } = good(await judged(world));
      must(verdicts.includes(verdict), `says ${verdict}`);
      must(findings?.length > 0 && evidence !== undefined, 'lacks findings or evidence');
      must(ticket !== null || verdict === 'NO_DATA', 'has no ticket');
      return `${verdict}, ${findings.length} findings`;
    },
  },
  ticketPromise,
  {
    that: 'GET /evidence/HASH gives exactly the bytes that were hashed',
    keep: async (world) => {
      const { ticket } = good(await judged(world));
      if (ticket === null) throw new Absent('The verdict has no ticket at present, and so names no hash.');
      const { status, text } = await ask(`${world.agentUrl}/evidence/${ticket.evidence_hash}`);
      must(status === 200, `answers ${status}`);
      must(keccak256(stringToHex(text)) === ticket.evidence_hash, 'gives bytes of another hash');
      return `${text.length} bytes`;
    },
  },
  draftPromise,
  {
    that: 'POST /desk-quote gives a quote that the keeper has signed (test network)',
    keep: async (world) => {
      const { agentUrl, record, owner } = world;
      if (record.quoteDesk === undefined) throw new Absent('This chain has a market of its own, and no desk.');
      unpriced(world);
      const { verdict, quote, signature, desk, withheld } = good(
        await post(`${agentUrl}/desk-quote`, { ...size, owner }),
      );
      if (quote === null && verdict !== 'GO') {
        throw new Absent(
          `The desk sells by a verdict of GO alone, and it is ${verdict} at present (${withheld ?? 'no quote'}).`,
        );
      }
      must(quote !== null && /^0x[0-9a-f]{130}$/.test(signature), `gives no quote for a ${verdict} (${withheld})`);
      must(sameAddress(desk, record.quoteDesk), `names the desk ${desk}`);
      return 'signed';
    },
  },
  {
    that: 'GET /plans/1/outlook says when and why the next runs succeed or fail',
    keep: async ({ agentUrl }) => {
      const answer = await ask(`${agentUrl}/plans/1/outlook`);
      if (answer.json?.code === 'unknown_plan') throw new Absent('There is no plan yet.');
      const { slots, obstacles, verdict_now } = good(answer);
      must(Array.isArray(slots) && Array.isArray(obstacles), 'lacks slots or obstacles');
      return `${slots.length} slots, ${obstacles.length} obstacles, now ${verdict_now?.verdict ?? 'without a verdict'}`;
    },
  },
];
