import type { z } from 'zod';
import type { referenceList } from '../../tools/reference-list.ts';
import { grouped, short, sourceName } from './words.ts';

type Listed = z.output<typeof referenceList>;

/** Who says what, those that count first: "Chainlink 100,000, exchange 100,010; Venus 100,000 by the same feed". */
export function sourcesLine(references: Listed): string {
  const said = ({ source, usd }: Listed[number]) => `${sourceName(source)} ${short(usd)}`;
  const counted = references.filter(({ independent }) => independent);
  const line = `${counted.map(said).join(', ')}${counted.length === 1 ? ' alone' : ''}`;
  const rest = references.filter(({ independent }) => !independent);
  const how = ({ origin }: Listed[number]) => (origin === 'unknown' ? 'by an unknown feed' : 'by the same feed');
  return [line, ...rest.map((each) => `${said(each)} ${how(each)}`)].join('; ');
}

/** Which of those that count are old; empty where none is known to be. */
export function staleLine(references: Listed): string {
  const old = references.filter(({ independent, fresh }) => independent && fresh === false);
  if (old.length === 0) return '';
  const named = old.map(({ source, age_seconds }) => `${sourceName(source)} (${grouped(age_seconds ?? '')} s old)`);
  return ` This is not a price of now: it rests on ${named.join(', ')}.`;
}
