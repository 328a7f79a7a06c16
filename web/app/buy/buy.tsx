import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { buyWords } from '../words/en/buy.ts';
import { BuyOnce } from './buy-once.tsx';

export function Buy() {
  return (
    <>
      <div className="title-row">
        <div>
          <h1>{buyWords.title}</h1>
          <p className="lead">{buyWords.lead}</p>
        </div>
      </div>
      <NeedsWallet to={buyWords.purpose}>{(owner) => <BuyOnce key={owner} owner={owner} />}</NeedsWallet>
    </>
  );
}
