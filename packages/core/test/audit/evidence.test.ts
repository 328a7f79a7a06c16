import { hashing } from '@bowline/chain/hashing';
import { slice } from 'viem';
import { expect, it } from 'vitest';
import { documentsIn, judgeDocument } from '../../audit/evidence.ts';
import { evidenceOf } from '../../domain/evidence.ts';
import { verdictCodes } from '../../domain/verdict.ts';
import { limitsOfAsset } from '../../registry/asset-limits.ts';
import { judgeProposal, rulesVersion } from '../../verdict/rules.ts';
import { BTCB, fairProposal, NOW, USDT } from '../verdict/proposals.ts';

// AU-4: documents from anyone, matched with records by their hashes.

const { hash } = hashing;
const judging = { hashing, chainId: undefined };
const proposal = fairProposal();
const { verdict, findings } = judgeProposal(proposal);
const text = evidenceOf(rulesVersion, proposal, verdict, findings);
const recordOf = (document: string, code: number = verdictCodes.GO) => ({
  ...{
    evidencePrefix: slice(hash(document), 0, 19),
    verdict: code,
    time: Number(NOW),
    isAttested: false,
    amountIn: 0n,
  },
});
const traded = { tokenIn: USDT.address, tokenOut: BTCB.address };
const other = recordOf('another');

it('a document is its records’, and bears them out if the verdict follows and is the recorded one', async () => {
  const runs = [other, recordOf(text), recordOf(text, verdictCodes.CAUTION)];
  const judged = await judgeDocument(traded, runs, text, 'evidence.json', judging);
  expect(judged).toMatchObject({
    ...{ hash: hash(text), records: [1, 2], borneOut: [1], untimely: [], tooSmall: [], spoilt: [] },
    again: { outcome: 'judged', verdict: 'GO', differing: [], ticket: { issuedAt: NOW, expiresAt: NOW + 120n } },
  });
});

it('with any byte changed it is no record’s; its name tells whose it was', async () => {
  const runs = [other, recordOf(text)];
  for (let at = 0; at < text.length; at += 1_171) {
    const changed = `${text.slice(0, at)}${text[at] === '7' ? '8' : '7'}${text.slice(at + 1)}`;
    expect(await judgeDocument(traded, runs, changed, 'evidence.json', judging)).toMatchObject({
      records: [],
      spoilt: [],
    });
    for (const name of [
      `${hash(text)}.json`,
      `ab/${hash(text).toUpperCase().replace('0X', '0x')}`,
      slice(hash(text), 0, 19),
    ])
      expect(await judgeDocument(traded, runs, changed, name, judging)).toMatchObject({ records: [], spoilt: [1] });
  }
});

it('a forged conclusion does not bear out the record that has its hash', async () => {
  const forged = text.replace('"verdict":"GO"', '"verdict":"CAUTION"');
  // Whatever verdict the record has.
  for (const code of [verdictCodes.CAUTION, verdictCodes.GO])
    expect(await judgeDocument(traded, [recordOf(forged, code)], forged, '', judging)).toMatchObject({
      records: [0],
      borneOut: [],
    });
  const none = await judgeDocument(traded, [recordOf('{}')], '{}', '', judging);
  expect(none).toMatchObject({ records: [0], borneOut: [], again: { outcome: 'unreadable' } });
});

it('AU-4: sound evidence of another trade, or of the other side, bears out nothing', async () => {
  const runs = [recordOf(text)];
  const others = [
    { tokenIn: USDT.address, tokenOut: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8' },
    { tokenIn: BTCB.address, tokenOut: USDT.address },
  ] as const;
  for (const other of others) {
    const judged = await judgeDocument(other, runs, text, '', judging);
    expect(judged).toMatchObject({ records: [0], borneOut: [], again: { differing: ['tokens of the plan'] } });
  }
  const spelt = { tokenIn: USDT.address.toLowerCase(), tokenOut: BTCB.address.toLowerCase() } as typeof traded;
  expect(await judgeDocument(spelt, runs, text, '', judging)).toMatchObject({ borneOut: [0] });
});

it('AU-4: a signed record needs evidence of its own time', async () => {
  const signed = (time: bigint) => ({ ...recordOf(text), time: Number(time), isAttested: true });
  const runs = [signed(NOW - 1n), signed(NOW), signed(NOW + 119n), signed(NOW + 120n)];
  expect(await judgeDocument(traded, runs, text, '', judging)).toMatchObject({ borneOut: [1, 2], untimely: [0, 3] });
});

it('AU-4: a signed run needs evidence of at least its own amount', async () => {
  const most = proposal.chain.quote?.amountIn ?? 0n;
  const signed = (amountIn: bigint) => ({ ...recordOf(text), isAttested: true, amountIn });
  const judged = await judgeDocument(traded, [signed(0n), signed(most), signed(most + 1n)], text, '', judging);
  expect(judged).toMatchObject({ borneOut: [0, 1], untimely: [], tooSmall: [2] });
});

it('RP-3: looser limits than the project’s are told of evidence that follows by them', async () => {
  const loose = { ...proposal, limits: { ...limitsOfAsset(BTCB), pegBps: { caution: 9_000n, noGo: 9_999n } } };
  const again = judgeProposal(loose);
  const written = evidenceOf(rulesVersion, loose, again.verdict, again.findings);
  const judged = await judgeDocument(traded, [recordOf(written)], written, '', judging);
  expect(judged).toMatchObject({ borneOut: [0], again: { looser: [{ own: 9_000n }, { own: 9_999n }] } });
});

it('RP-3: evidence that names other rules bears out nothing, and says why', async () => {
  for (const version of [1, rulesVersion - 1, rulesVersion + 1]) {
    const other = evidenceOf(version, proposal, verdict, findings);
    const judged = await judgeDocument(traded, [recordOf(other)], other, '', judging);
    expect(judged).toMatchObject({ records: [0], borneOut: [], again: { outcome: 'unsupported_rules' } });
  }
});

it('documents are found alone, in an answer, in a log line, and in a log', () => {
  for (const written of [text, `${text}\n`, JSON.stringify({ evidence: text }), `{"evidence":${text},"verdict":"GO"}`])
    expect(documentsIn(written)).toEqual([text]);
  const log = ['{"msg":"tick.end"}', JSON.stringify({ evidence: text }), 'no JSON', JSON.stringify({ evidence: '{}' })];
  expect(documentsIn(log.join('\n'))).toEqual([text, '{}']);
  // A broken text is one document, which matches nothing.
  expect(documentsIn(text.slice(1))).toEqual([text.slice(1)]);
  expect(documentsIn('null')).toEqual(['null']);
  expect(documentsIn('')).toEqual(['']);
});
