import { useNetwork } from './chain/use-line.tsx';
import { Notice } from './parts/notice.tsx';
import { useSettings } from './settings.tsx';
import { ConnectFailed } from './wallet/connecting.tsx';
import { Watching } from './wallet/watching.tsx';
import { WrongNetwork } from './wallet/wrong-network.tsx';
import { words } from './words/en/frame.ts';
import { asOfTime, span } from './words/times.ts';

/** What holds for every section: whose account is shown, and what cannot be trusted or signed now. */
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
  const network = useNetwork();
  if (network.state === 'silent') {
    return (
      <Notice
        kind="caution"
        title={words.frame.chainSilent(chainName, asOfTime(network.since.wall))}
        more={words.frame.chainSilentMore}
      />
    );
  }
  if (network.state === 'stuck') {
    return (
      <Notice
        kind="caution"
        title={words.frame.chainStuck(chainName, asOfTime(network.since.wall))}
        more={words.frame.chainStuckMore}
      />
    );
  }
  if (network.state === 'old') {
    const { since, lagMs, isSure } = network;
    return (
      <Notice
        kind="caution"
        title={words.frame.chainOld(chainName, asOfTime(since.wall), span(lagMs))}
        more={isSure ? words.frame.chainOldSure : words.frame.chainOldMore}
      />
    );
  }
  if (network.state === 'clock') {
    return (
      <Notice kind="caution" title={words.frame.clock(span(network.fastMs), network.fastMs > 0)}>
        <p>{words.frame.clockMore}</p>
      </Notice>
    );
  }
  if ('isSlow' in network && network.isSlow) {
    return (
      <Notice kind="caution" title={words.frame.chainSlow(chainName)}>
        <p>{words.frame.chainSlowMore}</p>
      </Notice>
    );
  }
  return null;
}
