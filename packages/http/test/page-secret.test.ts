import { commonSettings } from '@bowline/http/common-settings';
import { Secret } from '@bowline/http/secret';
import { expect, it } from 'vitest';
import { pageHeaders, pageRecogniser } from '../caller.ts';

const text = 'q'.repeat(32);
const secret = new Secret(text);

it('the page is whoever sends the whole secret, and nobody else', () => {
  const isPage = pageRecogniser(secret);
  expect(isPage({ headers: pageHeaders(secret) })).toBe(true);
  const others = [{}, { 'x-bowline-page': '' }, { 'x-bowline-page': text.slice(1) }, { 'x-bowline-page': `${text}q` }];
  for (const headers of others) expect(isPage({ headers })).toBe(false);
});

it('without a secret nobody is the page, whatever is sent', () => {
  const isPage = pageRecogniser(undefined);
  expect(pageHeaders(undefined)).toEqual({});
  for (const sent of ['', 'undefined', text]) expect(isPage({ headers: { 'x-bowline-page': sent } })).toBe(false);
});

it.each([
  ['31 characters', 'q'.repeat(31), false],
  ['32 characters', text, true],
  ['a space', `${text} q`, false],
  ['a line break', `${text}\n${text}`, false],
  ['letters that no header carries', 'é'.repeat(32), false],
])('a secret of %s', (_, value, isTaken) => {
  expect(commonSettings.PAGE_SECRET.schema.safeParse(value).success).toBe(isTaken);
});
