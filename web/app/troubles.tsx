import { useNetwork } from './chain/use-line.tsx';
import { Notice } from './parts/notice.tsx';
import { useSettings } from './settings.tsx';
import { ConnectFailed } from './wallet/connecting.tsx';
import { Watching } from './wallet/watching.tsx';
import { WrongNetwork } from './wallet/wrong-network.tsx';
import { timeOfDay } from './words/times.ts';

/** What holds for every section: whose account is shown, and what cannot be trusted or signed now. */
export const Troubles = () => (
  <div className="troubles">
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
      <Notice kind="caution" title={`${chainName} has not answered since ${timeOfDay(network.since.wall)}`}>
        <p>What the page shows of the chain is no newer than that. The page keeps asking.</p>
      </Notice>
    );
  }
  if (network.state === 'stuck') {
    return (
      <Notice kind="caution" title={`${chainName} has shown no new block since ${timeOfDay(network.since.wall)}`}>
        <p>Its node answers, but the chain may be further on: what the page shows is as of then.</p>
      </Notice>
    );
  }
  return null;
}
