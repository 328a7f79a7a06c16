import { useConnection } from 'wagmi';
import { useQuote } from '../api/quote.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from '../wallet/account.tsx';
import { shortAmount, usd } from '../words/amounts.ts';
import { AssetRow } from './asset-row.tsx';
import { totalUsdWad } from './total.ts';
import { useBalances } from './use-balances.ts';

export function Portfolio() {
  const { assets } = useSettings();
  const { address, isConnected } = useConnection();
  const quote = useQuote();
  const balances = useBalances(address);
  const total = balances.data && quote.data && totalUsdWad(assets, balances.data, quote.data.assets);
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Portfolio</h1>
          <p className="lead">Prices from the exchange and the chain, and whether the guard would buy at them now.</p>
        </div>
      </div>
      {isConnected ? (
        <section className="hero" aria-label="Your holdings">
          <p className="hero-label">Worth of what is listed here</p>
          <p className="hero-number">{total === undefined ? '—' : usd(total.usdWad)}</p>
          <p className="faint">
            {balances.data && `${shortAmount(balances.data.native, 18)} BNB for network fees`}
            {total !== undefined && total.unpriced.length > 0 && ` · without ${total.unpriced.join(', ')}: no price`}
          </p>
        </section>
      ) : (
        <section className="hero inviting">
          <div>
            <p className="hero-title">Buy on a schedule. Keep your loan safe.</p>
            <p>
              Sign a plan or a guard once; an agent carries it out, and the contracts hold it to your terms. Your tokens
              stay in your wallet until the moment they are used.
            </p>
          </div>
          <Account />
        </section>
      )}
      {quote.isPending && <Skeleton lines={5} label="Reading prices" />}
      {quote.isError && quote.data === undefined && <ReadFailed what="The prices" retry={() => void quote.refetch()} />}
      {balances.isError && <ReadFailed what="Your balances" retry={() => void balances.refetch()} />}
      {quote.data && (
        <ul className="assets" aria-label="Assets">
          {assets.map((asset) => (
            <AssetRow
              key={asset.symbol}
              asset={asset}
              quoted={quote.data.assets.find(({ symbol }) => symbol === asset.symbol)}
              balance={balances.data?.of[asset.symbol]}
            />
          ))}
        </ul>
      )}
    </>
  );
}
