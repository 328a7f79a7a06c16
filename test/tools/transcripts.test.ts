import { expect, test } from 'vitest';
import { layout } from '../../lab/transcripts/layout.ts';
import { withPlaceholders } from '../../lab/transcripts/placeholders.ts';

// The recorder of answers must keep every change except those that its rules name.

test('a large value is written once, and one that differs in a letter is another', () => {
  const [large, other] = [['x'.repeat(5_000)], [`${'x'.repeat(4_999)}y`]];
  const place = { path: 'answer', written: new Map<string, string>() };
  const text = layout({ one: large, two: large, three: other }, place);
  expect(text.split('\n').filter((line) => line.includes('<as answer.one>'))).toHaveLength(1);
  expect(text).toContain('xxxy"');
});

test('a placeholder stands for one value, and for no other key', () => {
  const [one, other] = [`0x${'1a'.repeat(32)}`, `0x${'2b'.repeat(32)}`];
  const said = (text: string) => withPlaceholders(text, { '0xAbCd': 'registry' });
  expect(said(`"evidence_hash": "${one}" /evidence/${one.slice(0, 40)} "evidence_hash": "${other}" ${one}`)).toBe(
    '"evidence_hash": "<evidence hash 1>" /evidence/<19 bytes of evidence hash 1> "evidence_hash": "<evidence hash 2>" <evidence hash 1>',
  );
  expect(said(`"code_hash": "${one}", "by_hash": "${one}"`)).toBe(`"code_hash": "${one}", "by_hash": "${one}"`);
  expect(said('0xAbCd 0xabcd 00abcd00')).toBe('<registry> <registry in lower case> 00<registry>00');
  expect(said('ratelimit: "x402";r=9;t=60\nratelimit-policy: "x402";q=20;w=60')).toBe(
    'ratelimit: "x402";r=<left>;t=<seconds>\nratelimit-policy: "x402";q=20;w=60',
  );
});
