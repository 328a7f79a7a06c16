import type { Moment } from '../api/age.ts';
import { isAnswerOld, isReadingOld, isVerdictOld } from '../api/freshness.ts';
import type { useQuote } from '../api/quote.ts';
import { type Asset, buyable } from '../api/settings.ts';
import { BNB, wrappedOf } from '../chain/bnb.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { Folded } from '../parts/folded.tsx';
import { useSettings } from '../settings.tsx';
import { portfolioWords } from '../words/en/portfolio.ts';
import { asOfTime } from '../words/times.ts';
import { AssetRow } from './asset-row.tsx';
import type { Worth } from './read-worth.ts';

interface Props {
  readonly worth: Worth;
  readonly native: bigint | undefined;
  readonly quote: ReturnType<typeof useQuote>['data'];
  readonly now: Moment;
}

/** Every listed asset; those that the account holds nothing of are folded away. */
export function AssetList({ worth: { prices, wallet }, native, quote, now }: Props) {
  const { assets } = useSettings();
  const chainTime = useChainTime();
  const wrapped = wrappedOf(assets);
  const row = (asset: Asset, balance: bigint | undefined, name?: string) => {
    const quoted = quote?.assets.find(({ symbol }) => symbol === asset.symbol);
    // No verdict is about BNB itself, nor about a dollar that another one buys.
    const isJudged = name === undefined && buyable(assets).includes(asset);
    const element = (
      <AssetRow
        key={name ?? asset.symbol}
        {...{ asset, balance, name }}
        quoted={quoted && (isJudged ? quoted : { ...quoted, judged: null, unavailable: [] })}
        usdWad={prices.data?.of[asset.symbol]}
        asOf={quote ? asOfTime(quote.asOf.wall) : ''}
        isQuoteOld={quote !== undefined && isAnswerOld(quote, now)}
        isPriceOld={isReadingOld(prices.data, now)}
        isBalanceOld={isReadingOld(wallet?.data, now)}
        isVerdictOld={quote && quoted?.judged ? isVerdictOld(quoted.judged, quote, now, chainTime) : false}
      />
    );
    return { balance, element };
  };
  const rows = [
    ...(wrapped && native !== undefined ? [row(wrapped, native, BNB.symbol)] : []),
    ...assets.map((asset) => row(asset, wallet?.data?.of[asset.symbol])),
  ];
  const unheld = rows.filter(({ balance }) => balance === 0n);
  const list = (of: typeof rows) =>
    of.length > 0 && (
      <ul className="assets" aria-label={portfolioWords.assets}>
        {of.map(({ element }) => element)}
      </ul>
    );
  return (
    <>
      {list(rows.filter((each) => !unheld.includes(each)))}
      {unheld.length > 0 && <Folded summary={portfolioWords.unheld(unheld.length)}>{list(unheld)}</Folded>}
    </>
  );
}
