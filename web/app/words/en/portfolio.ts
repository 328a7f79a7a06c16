import { grouped } from '@bowline/core/domain/readable';
import { counted } from '@bowline/core/texts/counts';
import { said } from '../language.ts';

// What Portfolio says, in English.

export const portfolioWords = said('portfolioWords', {
  lead: 'Chainlink’s prices, read by this page, with a verdict on buying now.',
  holdings: 'Your holdings',
  netWorth: 'Net worth',
  wallet: 'Wallet with BNB',
  lent: (supplied: string, owed: string) => `${supplied} supplied, ${owed} owed`,
  counted: (protocols: readonly string[]) =>
    `Counts BNB, the listed tokens, and collateral and debt in ${protocols.join(' and ')}; nothing else.`,
  leftOut: (names: readonly string[]) => `Left out now: ${names.join(', ')}.`,
  atLeast: (value: string) => `at least ${value}`,
  connect: 'Connect a wallet, or paste any address, to see balances.',
  readingPrices: 'Reading prices',
  prices: 'Chainlink’s prices',
  verdicts: 'The verdicts',
  oldVerdicts: (time: string) => `Verdicts are as of ${time}`,
  told: (price: string, by: string | undefined) =>
    by === undefined ? `${price} by the page’s server alone` : `${price} by the page’s server: differs by ${by}`,
  native: 'Native coin',
  unheld: (assets: number) => `${counted(assets, 'asset')} you don’t hold`,
  age: (age: string) => `That is ${age} ago.`,
  underAMinute: 'less than a minute',
  nothingNewer: 'No newer data has arrived.',
  balances: 'Your balances',
  assets: 'Assets',
  lastDay: (symbol: string) => `Price of ${symbol} over the last day`,
  noPrice: 'no price',
  changeUnknown: '24 h change unknown',
  noVerdictFor: (reason: string) => `No verdict: ${reason}`,
  verdictOn: (symbol: string, verdict: string) => `Verdict on ${symbol}: ${verdict}. Its findings`,
  passes: (symbol: string) => `Buying $100 of ${symbol} now passes every check.`,
  fails: (symbol: string, reason: string) => `Buying $100 of ${symbol} now does not pass every check: ${reason}.`,
  chart: 'Chart',
  chartOf: (symbol: string) => `Price chart of ${symbol}`,
  range: 'Range',
  lasting: (hours: number) => (hours <= 24 ? `${hours} h` : hours < 8_760 ? `${hours / 24} days` : '1 year'),
  loadingChart: 'Loading the chart',
  noHistory: 'The exchange returned no prices to chart.',
  historyUnread: 'Past prices could not be read.',
  source: (points: number, isDaily: boolean, zone: string) =>
    `${counted(points, isDaily ? 'daily close' : 'hourly close')} from the exchange, relayed by this page’s server. Times in ${zone}.`,
  band: (from: string, to: string) =>
    `Fair band now: ${from} to ${to}, the range around the oracle price that the price checks accept.`,
  noBand: 'No fair band: there is no current verdict.',
  bandUnstated: 'No fair band: the current verdict does not include its price limits.',
  bandUnpriced: 'No fair band: there is no current price.',
  marks: (trades: number, skips: number) =>
    `Yours in this range: ${counted(trades, 'trade')} (dots), ${grouped(skips)} skipped (crosses).`,
  someMarks: 'Yours in this range: your newest trades (dots) and skipped trades (crosses). There may be earlier ones.',
  summary: (low: string, high: string, last: string) => `From ${low} to ${high}, last ${last}.`,
  down: 'down',
  up: 'up',
  lastHours: ' 24 h',
});
