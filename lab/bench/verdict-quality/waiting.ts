import { HOUR } from '../prices/prices.ts';
import { type CoinSymbol, coins, past, secondOf } from './history.ts';
import type { Judge } from './judge.ts';
import { assetOf } from './moment.ts';
import { neutralScene } from './neutral.ts';
import { type Slot, scorecard } from './scorecard.ts';

// What waiting cost a plan that buys every hour, by real prices and the checks that hourly closes can answer.

const USD = 100;
const FROM = secondOf('2020-01-10');

export interface Waited {
  readonly symbol: string;
  readonly slots: number;
  readonly deferred: number;
  /** USD, at 100 USD per slot. */
  readonly saved: number;
  readonly lost: number;
  /** Mean cost of a deferral in 1/10,000 of what it would have bought at once; negative for a gain. */
  readonly costBps: number;
  readonly longestWait: number;
  readonly reasons: Readonly<Record<string, number>>;
}

export function waitedFor(symbol: CoinSymbol, judge: Judge): Waited {
  const ofCoin = past(coins[symbol]);
  const { asset } = assetOf(symbol);
  const slots: Slot[] = [];
  let [wait, longestWait] = [0, 0];
  for (let at = FROM; at <= ofCoin.last; at += HOUR) {
    const scene = neutralScene({ asset, past: ofCoin, at, side: 'buy', quoteUsd: 1 });
    if (scene === undefined) continue;
    const { verdict, reason } = judge(scene);
    slots.push({ verdict, ...(reason && { reason }), price: scene.usd, loss: 0 });
    wait = verdict === 'GO' ? 0 : wait + 1;
    longestWait = Math.max(longestWait, wait);
  }
  const { rows } = scorecard(slots, USD);
  const sum = (of: 'deferrals' | 'saved' | 'lost') => rows.reduce((all, row) => all + row[of], 0);
  const [deferred, saved, lost] = [sum('deferrals'), sum('saved'), sum('lost')];
  return {
    symbol,
    slots: slots.length,
    deferred,
    saved: Number(saved.toFixed(2)),
    lost: Number(lost.toFixed(2)),
    costBps: deferred === 0 ? 0 : Number((((lost - saved) / deferred / USD) * 10_000).toFixed(1)),
    longestWait,
    reasons: Object.fromEntries(rows.map(({ reason, deferrals }) => [reason, deferrals])),
  };
}
