import { Title } from '../parts/title.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { buyWords } from '../words/en/buy.ts';
import { words } from '../words/en/frame.ts';
import { BuyOnce } from './buy-once.tsx';

export function Buy() {
  return (
    <>
      <Title title={words.frame.sections.trade} lead={buyWords.lead} />
      <NeedsWallet to={buyWords.purpose}>{(owner) => <BuyOnce key={owner} owner={owner} />}</NeedsWallet>
    </>
  );
}
