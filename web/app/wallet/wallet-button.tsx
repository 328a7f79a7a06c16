import icon from '../icon.svg';
import { words } from '../words/en/frame.ts';
import type { ShownWallet } from './wallet-names.ts';

interface Props {
  readonly isAsking: boolean;
  readonly connect: () => void;
}

/** One of the wallets that announced themselves. */
export const WalletButton = ({ wallet, isAsking, connect }: Props & { readonly wallet: ShownWallet }) => (
  <button type="button" className="button wallet" disabled={isAsking} onClick={connect}>
    {wallet.icon === undefined ? <span className="wallet-icon" /> : <Picture src={wallet.icon} />}
    <bdi className="wallet-name">{wallet.name ?? words.wallet.nameless}</bdi>
    {wallet.rdns !== undefined && <span className="faint mono full">{wallet.rdns || words.wallet.noRdns}</span>}
  </button>
);

/** The page's own wallet, apart from those of others, in a place that none of them can take. */
export const DemoWallet = ({ isAsking, connect }: Props) => (
  <fieldset className="own-wallet stack small">
    <legend>{words.wallet.demoOfPage}</legend>
    <button type="button" className="button wallet" disabled={isAsking} onClick={connect}>
      <Picture src={icon} />
      <span className="wallet-name">{words.wallet.demo}</span>
    </button>
    <p className="faint">{words.wallet.demoMore}</p>
  </fieldset>
);

const Picture = ({ src }: { readonly src: string }) => (
  <img className="wallet-icon" src={src} alt="" width="24" height="24" />
);
