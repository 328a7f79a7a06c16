import type { Hex } from 'viem';
import { useSettings } from '../settings.tsx';
import { words } from '../words/en/frame.ts';

/** A link to a transaction in the explorer, if the chain has one. */
export function TransactionLink({ hash }: { readonly hash: Hex }) {
  const { explorerUrl } = useSettings();
  const short = <span className="mono">{`${hash.slice(0, 10)}…${hash.slice(-6)}`}</span>;
  if (explorerUrl === null)
    return (
      <p className="faint">
        {words.frame.transaction} {short}
      </p>
    );
  return (
    <a className="faint" href={`${explorerUrl}/tx/${hash}`} target="_blank" rel="noreferrer">
      {words.frame.transaction} {short}
    </a>
  );
}
