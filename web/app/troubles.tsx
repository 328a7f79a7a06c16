import { useConnection, useSwitchChain } from 'wagmi';
import { type Network, useNetwork } from './chain/use-line.tsx';
import { Notice } from './parts/notice.tsx';
import { useSettings } from './settings.tsx';
import { ConnectFailed } from './wallet/connecting.tsx';
import { Watching } from './wallet/watching.tsx';
import { words } from './words/en/frame.ts';
import { asOfTime, span } from './words/times.ts';

/** Notices for every section: whose account is shown, and what cannot be trusted or signed now. */
export const Troubles = () => (
  <div className="troubles stack small">
    <Watching />
    <ConnectFailed />
    <WrongNetwork />
    <ChainTrouble />
  </div>
);

function ChainTrouble() {
  const { chainName } = useSettings();
  const trouble = troubleOf(useNetwork(), chainName);
  return trouble && <Notice kind="caution" {...trouble} />;
}

function troubleOf(network: Network, chainName: string) {
  const { frame } = words;
  switch (network.state) {
    case 'silent':
      return { title: frame.chainSilent(chainName, asOfTime(network.since.wall)), more: frame.chainSilentMore };
    case 'stuck':
      return { title: frame.chainStuck(chainName, asOfTime(network.since.wall)), more: frame.chainStuckMore };
    case 'old': {
      const { since, lagMs, isSure } = network;
      const title = frame.chainOld(chainName, asOfTime(since.wall), span(lagMs));
      return { title, more: isSure ? frame.chainOldSure : frame.chainOldMore };
    }
    case 'clock':
      return { title: frame.clock(span(network.fastMs), network.fastMs > 0), more: frame.clockMore };
    default:
      return network.isSlow ? { title: frame.chainSlow(chainName), more: frame.chainSlowMore } : undefined;
  }
}

const tones = {
  unknown: '',
  live: 'good',
  clock: 'caution',
  silent: 'bad',
  stuck: 'caution',
  old: 'caution',
} as const;

/** The chain's name, and whether its node answers. */
export function NetworkName() {
  const { chainName } = useSettings();
  const network = useNetwork();
  return (
    <span className="network row">
      <span className={`dot ${tones[network.state]}`} aria-hidden="true" />
      <span className="network-name">{chainName}</span>
      <span className="unseen">{said(network)}</span>
    </span>
  );
}

function said(network: Network): string {
  switch (network.state) {
    case 'unknown':
      return words.frame.unanswered;
    case 'live':
      return network.movedMs === undefined ? words.frame.answers : words.frame.moved(span(network.movedMs));
    case 'clock':
      return words.frame.clockWrong(span(network.fastMs));
    case 'silent':
      return words.frame.silentSince(asOfTime(network.since.wall));
    case 'stuck':
      return words.frame.stuckSince(asOfTime(network.since.wall));
    case 'old':
      return words.frame.oldSince(asOfTime(network.since.wall), span(network.lagMs));
  }
}

/** A notice if the connected wallet is on another network, with a button that switches it. */
function WrongNetwork() {
  const connection = useConnection();
  const { chainId, chainName } = useSettings();
  const { mutate: switchChain, isPending, isError } = useSwitchChain();
  if (!connection.isConnected || connection.chainId === chainId) return null;
  return (
    <Notice kind="caution" title={words.wallet.elsewhere} more={words.wallet.elsewhereMore(chainName)}>
      {isError && <p>{words.wallet.notSwitched(chainName)}</p>}
      <button type="button" className="button primary" disabled={isPending} onClick={() => switchChain({ chainId })}>
        {isPending ? words.wallet.lookAtWallet : words.wallet.switchTo(chainName)}
      </button>
    </Notice>
  );
}
