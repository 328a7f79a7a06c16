import { shortUnits } from '../../domain/readable.ts';
import { leftByFees } from '../../domain/route.ts';
import { BPS, formatBps, mulDivDown, mulDivUp } from '../../domain/units.ts';
import { type Check, judge, unmeasured } from '../check.ts';

// An asset that can be bought but not sold, or only at a loss, is a trap rather than a bargain.
export const wayBack: Check = {
  id: 'way_back',
  question: 'Can it be traded back?',
  rests: ['block'],
  run({ chain, limits, asset, quoteAsset }) {
    const { play, quote } = chain;
    const band = limits.roundTripBps;
    if (quote === undefined || play === undefined || play === 'refused') {
      const why = play === 'refused' ? 'is refused' : 'could not be played';
      const detail = `The swap ${why}, so that the way back could not be tried.`;
      return unmeasured('no_data', 'simulation_missing', band.noGo, detail);
    }
    const [from, to] = quote.side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
    if (play.returned === undefined) {
      const detail = `The swap back of ${shortUnits(play.received, to.decimals)} ${to.symbol} is refused.`;
      return unmeasured('no_go', 'no_way_back', band.noGo, detail);
    }
    // The pools take their fees twice; the second swap reverses the first one's price impact.
    const { numerator, denominator } = leftByFees(chain, asset);
    const due = mulDivDown(quote.amountIn * numerator, numerator, denominator * denominator);
    const short = due > play.returned ? due - play.returned : 0n;
    const measured = due > 0n ? mulDivUp(short, BPS, due) : BPS;
    const statement =
      `${shortUnits(quote.amountIn, from.decimals)} ${from.symbol} there and back leaves ` +
      `${shortUnits(play.returned, from.decimals)} ${from.symbol}, ${formatBps(measured)} less than the pool's fees leave`;
    return judge(measured, band, 'way_back_dear', statement);
  },
};
