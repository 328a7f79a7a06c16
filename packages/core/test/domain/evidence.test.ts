import { expect, test } from 'vitest';
import { canonicalJson, evidenceOf } from '../../domain/evidence.ts';
import { judgeProposal } from '../../verdict/rules.ts';

import { fairProposal } from '../verdict/proposals.ts';

test('has one spelling, whatever the order of the keys', () => {
  expect(canonicalJson({ b: [1, { z: null, a: true }], a: 'x"\u20ac', Z: 10n ** 30n, gone: undefined })).toBe(
    '{"Z":"1000000000000000000000000000000","a":"x\\"€","b":[1,{"a":true,"z":null}]}',
  );
});

test('is JSON that says everything a verdict follows from', () => {
  const proposal = fairProposal();
  const { verdict, findings } = judgeProposal(proposal);
  const text = evidenceOf(1, proposal, verdict, findings);
  const plain = JSON.stringify(proposal, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
  expect(JSON.parse(text)).toMatchObject({ rules: 1, verdict: 'GO', findings: { length: findings.length } });
  expect(JSON.parse(text).proposal).toEqual(JSON.parse(plain));
  expect(canonicalJson(JSON.parse(text))).toBe(text);
});
