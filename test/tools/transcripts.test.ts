import { expect, test } from 'vitest';
import { block, joined } from '../../lab/transcripts/blocks.ts';
import { differences } from '../../lab/transcripts/compare.ts';
import { layout } from '../../lab/transcripts/layout.ts';
import { withPlaceholders } from '../../lab/transcripts/placeholders.ts';

// What compares recorded answers: it must see every change but those that its rules name.

const file = (...blocks: readonly (readonly [heading: string, text: string])[]) =>
  joined(blocks.map(([heading, text]) => block(heading, text)));
const price = ['A price', 'GET /price\n\n200\n{ "usd": "1" }'] as const;
const plan = ['A plan', 'GET /plan\n\n404'] as const;

test.each<[what: string, after: string, said: readonly RegExp[]]>([
  ['nothing', file(price, plan), []],
  ['a line', file(price, ['A plan', 'GET /plan\n\n410']), [/^http: A plan\n(.*\n)*.* 3 \+ 410\n.* - 404$/]],
  ['a block less', file(price), [/^http: A plan is gone$/]],
  ['a block more', file(price, plan, ['A loan', '200']), [/^http: A loan is new$/]],
  ['the order of blocks', file(plan, price), [/^http: the same blocks in another order$/]],
  ['a blank line', `${file(price, plan)}\n`, [/^http: the same blocks/]],
  ['everything', '', [/^http: A price is gone$/, /^http: A plan is gone$/]],
])('%s has changed', (_, after, said) => {
  const found = differences('http', file(price, plan), after);
  expect(found).toEqual(said.map((each) => expect.stringMatching(each)));
});

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
