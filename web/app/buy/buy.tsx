import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { BuyOnce } from './buy-once.tsx';

export function Buy() {
  return (
    <>
      <div className="title-row">
        <div>
          <h1>Buy once</h1>
          <p className="lead">
            First a verdict on the price. Then, where it allows, the exact swap for your own wallet to sign.
          </p>
        </div>
      </div>
      <NeedsWallet to="buy">{(owner) => <BuyOnce key={owner} owner={owner} />}</NeedsWallet>
    </>
  );
}
