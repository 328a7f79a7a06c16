import { useNetwork } from './chain/use-line.tsx';
import { useSettings } from './settings.tsx';
import { words } from './words/en/frame.ts';
import { timeOfDay } from './words/times.ts';

const tones = { unknown: '', live: 'good', silent: 'bad', stuck: 'caution' } as const;

/** The chain's name, and whether its node answers. */
export function NetworkName() {
  const { chainName } = useSettings();
  const network = useNetwork();
  return (
    <span className="network">
      <span className={`dot ${tones[network.state]}`} aria-hidden="true" />
      <span className="network-name">{chainName}</span>
      <span className="unseen">
        {network.state === 'unknown' && words.frame.unanswered}
        {network.state === 'live' && words.frame.answers}
        {network.state === 'silent' && words.frame.silentSince(timeOfDay(network.since.wall))}
        {network.state === 'stuck' && words.frame.stuckSince(timeOfDay(network.since.wall))}
      </span>
    </span>
  );
}
