import { shortUnits } from '../../domain/readable.ts';
import { BPS, formatBps, mulDivUp } from '../../domain/units.ts';
import { type Check, judge, noQuote, unmeasured } from '../check.ts';

// A pool quotes from its own reserves. Transfer taxes, refusals and frozen balances show only when the swap is
// simulated and balances are compared.
export const executability: Check = {
  id: 'executability',
  question: 'Does the swap deliver what it quotes?',
  rests: ['block'],
  run(proposal) {
    const { side, limits, asset, quoteAsset } = proposal;
    const { play, quote } = proposal.chain;
    const band = limits.taxBps;
    const [from, to] = side === 'buy' ? [quoteAsset, asset] : [asset, quoteAsset];
    // A pool whose token cannot leave it gives no quote, either.
    if (play === 'refused') {
      const detail = `The swap of ${from.symbol} for ${to.symbol} is refused.`;
      return unmeasured('no_go', 'swap_would_revert', band.noGo, detail);
    }
    if (quote === undefined || quote.amountOut <= 0n) {
      return unmeasured('no_data', 'quote_missing', band.noGo, noQuote(proposal));
    }
    if (play === undefined) {
      return unmeasured('no_data', 'simulation_missing', band.noGo, 'The swap could not be played.');
    }
    const short = quote.amountOut > play.received ? quote.amountOut - play.received : 0n;
    const measured = mulDivUp(short, BPS, quote.amountOut);
    const statement =
      `${shortUnits(quote.amountIn, from.decimals)} ${from.symbol} brings ` +
      `${shortUnits(play.received, to.decimals)} ${to.symbol}, ${formatBps(measured)} less than quoted`;
    return judge(measured, band, 'token_taxed', statement);
  },
};
