import { grouped } from '@bowline/core/domain/readable';
import { counted } from '@bowline/core/texts/counts';
import { said } from '../language.ts';

// What Portfolio says, in English.

export const portfolioWords = said('portfolioWords', {
  lead: 'Prices from the exchange and the chain, with a verdict on buying now.',
  holdings: 'Your holdings',
  total: 'Total balance',
  atLeast: (value: string) => `at least ${value}`,
  balancesAsOf: (time: string) => `balances as of ${time}`,
  pricesAsOf: (time: string) => `at prices of ${time}`,
  fees: (bnb: string) => `${bnb} BNB for network fees`,
  unpriced: (symbols: string) => `excluding ${symbols}: no price`,
  connect: 'Connect a wallet, or paste any address, to see balances.',
  readingPrices: 'Reading prices',
  prices: 'The prices',
  oldPrices: (time: string) => `Prices and verdicts are as of ${time}`,
  age: (age: string) => `That is ${age} ago.`,
  underAMinute: 'less than a minute',
  nothingNewer: 'No newer data has arrived.',
  balances: 'Your balances',
  shownAsOf: (time: string) => `This data is as of ${time}.`,
  assets: 'Assets',
  lastDay: (symbol: string) => `Price of ${symbol} over the last day`,
  noPrice: 'no price',
  changeUnknown: '24 h change unknown',
  noVerdict: 'No verdict now',
  noVerdictFor: (reason: string) => `No verdict: ${reason}`,
  verdictOn: (symbol: string, verdict: string) => `Verdict on ${symbol}: ${verdict}. Its findings`,
  passes: (symbol: string) => `Buying $100 of ${symbol} now passes every check.`,
  fails: (symbol: string, reason: string) => `Buying $100 of ${symbol} now does not pass every check: ${reason}.`,
  chart: 'Chart',
  chartOf: (symbol: string) => `Price chart of ${symbol}`,
  range: 'Range',
  lasting: (hours: number) => (hours <= 24 ? `${hours} h` : hours < 8_760 ? `${hours / 24} days` : '1 year'),
  loadingChart: 'Loading the chart',
  noHistoryShort: 'no history',
  noHistory: 'The exchange returned no prices to chart.',
  historyUnread: 'Past prices could not be read.',
  source: (points: number, isDaily: boolean, zone: string) =>
    `${counted(points, isDaily ? 'daily close' : 'hourly close')} from the exchange, relayed by this page’s server. Times in ${zone}.`,
  band: (from: string, to: string) =>
    `Fair band now: ${from} to ${to}, the range around the oracle price that the price checks accept.`,
  noBand: 'No fair band: there is no current verdict.',
  bandUnstated: 'No fair band: the current verdict does not give the limits of its price checks.',
  bandUnpriced: 'No fair band: there is no current price.',
  marks: (buys: number, skips: number) =>
    `Yours in this range: ${counted(buys, 'buy')} (dots), ${grouped(skips)} skipped (crosses).`,
  someMarks: 'Yours in this range: your newest buys (dots) and skipped buys (crosses). There may be earlier ones.',
  summary: (low: string, high: string, last: string) => `From ${low} to ${high}, last ${last}.`,
  down: 'down',
  up: 'up',
  lastHours: ' 24 h',
});
