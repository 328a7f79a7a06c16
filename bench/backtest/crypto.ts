import { judgeProposal } from '@bowline/core/verdict/rules';
import { attacks } from '../verdict-accuracy/attacks.ts';
import { honestMarket, lossOf, type Market, proposalOf } from '../verdict-accuracy/market.ts';
import { type Random, random } from '../verdict-accuracy/random.ts';
import type { Slot } from './scorecard.ts';

// Simulates hourly prices, since no package has hourly crypto prices: persistent calm and volatile periods, jumps, and
// occasional attacks.

const HOUR_OF_A_YEAR = 1 / (365 * 24);
const PAST = 168;

/** One slot per hour, each for the same dollars. @param attacked share of the hours with an attack. */
export function slotsOfCrypto(hours: number, attacked: number, seed: number): Slot[] {
  const draw = random(seed);
  const ofCoins = attacks.filter(({ of }) => of === undefined);
  const path: number[] = [60_000];
  let volatility = 0.6;
  const slots: Slot[] = [];
  for (let hour = 0; hour < hours + PAST; hour += 1) {
    volatility = nextVolatility(volatility, draw);
    path.push((path.at(-1) ?? 0) * Math.exp(draw.normal() * volatility * Math.sqrt(HOUR_OF_A_YEAR) + jump(draw)));
    if (hour < PAST) continue;
    const price = path.at(-1) ?? 0;
    const honest: Market = {
      ...honestMarket(draw, { price, volatility }),
      side: 'buy',
      closes: path.slice(-PAST),
    };
    const attack = draw.chance(attacked) ? ofCoins[Math.floor(draw.between(0, ofCoins.length))] : undefined;
    const market = attack?.strike(honest, draw) ?? honest;
    const { verdict, reason } = judgeProposal(proposalOf(market));
    slots.push({ verdict, ...(reason && { reason }), price: market.price, loss: lossOf(market) });
  }
  return slots;
}

/** Reverts to 60 % a year, with peaks of up to 400 %. */
function nextVolatility(now: number, draw: Random): number {
  const next = Math.exp(Math.log(now) + 0.02 * (Math.log(0.6) - Math.log(now)) + draw.normal() * 0.08);
  return Math.min(4, Math.max(0.15, next));
}

/** Once in 500 hours, a jump of some percent. */
const jump = (draw: Random): number => (draw.chance(0.002) ? draw.normal() * 0.04 : 0);
