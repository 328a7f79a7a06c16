import { type Network, useNetwork } from './chain/use-line.tsx';
import { useSettings } from './settings.tsx';
import { words } from './words/en/frame.ts';
import { asOfTime, span } from './words/times.ts';

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
