import { HOUR } from '../../prices/prices.ts';
import { hourOf } from '../path.ts';
import type { Scene } from '../scene.ts';
import { pushAll, rampPast, silence } from './moves.ts';

// Somebody moves the price on every venue, against the trader: no source knows the true one, and only the past shows it.

export interface Pump {
  readonly name: string;
  /** Whether it took at most an hour. If so, no verdict may be GO from 10 % on. */
  readonly isSudden: boolean;
  /** @param by how far the price now is from the true one: 0.1 is 10 %. */
  readonly strike: (scene: Scene, by: number) => Scene;
}

/** Shares of the true price. */
export const pumpedBy = [0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** The same moment after two hours without any move, so that the pump is all that has happened. */
function settled(scene: Scene): Scene {
  const close = scene.usd / scene.quoteUsd;
  const from = hourOf(scene.blockAt) - 3 * HOUR;
  const closes = scene.closes.map((each) => (each.at >= from ? { ...each, close } : each));
  return { ...scene, closes, feedPast: [scene.usd, scene.usd] };
}

const sudden = (scene: Scene, by: number): Scene => pushAll(settled(scene), by, 1);

export const pumps: readonly Pump[] = [
  { name: 'within the hour', isSudden: true, strike: sudden },
  {
    name: 'within the hour, exchange silent',
    isSudden: true,
    strike: (scene, by) => silence(sudden(scene, by), 'exchange'),
  },
  {
    name: 'within the hour, exchange just back from an outage',
    isSudden: true,
    strike: (scene, by) => ({ ...sudden(scene, by), closes: sudden(scene, by).closes.slice(-1) }),
  },
  { name: 'over a day', isSudden: false, strike: (scene, by) => rampPast(pushAll(scene, by, 1), by, 24) },
  { name: 'over a week', isSudden: false, strike: (scene, by) => rampPast(pushAll(scene, by, 1), by, 160) },
];
