import { hashing } from '@bowline/chain/hashing';
import { judgeDocument } from '@bowline/core/audit/evidence';
import { evidenceOf } from '@bowline/core/domain/evidence';
import { BTCB, fairProposal, USDT } from '@bowline/core/test/verdict/proposals';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { expect, it } from 'vitest';
import { findingsOf } from '../app/audit/held.ts';

// RP-3
it('evidence of earlier rules is none of this page to judge where they were in force, and differs where they were not', async () => {
  const proposal = fairProposal();
  const { verdict, findings } = judgeProposal(proposal);
  const text = evidenceOf(rulesVersion - 1, proposal, verdict, findings);
  const run = {
    evidencePrefix: hashing.hash(text).slice(0, 40),
    verdict: 3,
    time: 150,
    isAttested: false,
    amountIn: 0n,
  };
  const traded = { tokenIn: USDT.address, tokenOut: BTCB.address };
  const heldBy = async (until: number) => {
    const rules = [{ version: rulesVersion - 1, from: 100, until, release: '1.0.0' }];
    const judged = await judgeDocument(traded, [run as never], text, 'evidence.json', { hashing, chainId: undefined });
    return findingsOf(judged, 'evidence.json', [run as never], rules).byRecord.get(0);
  };
  expect(await heldBy(151)).toMatchObject({ state: 'earlier', version: rulesVersion - 1, release: '1.0.0' });
  expect(await heldBy(150)).toMatchObject({ state: 'differs' });
});
