import type { ReactNode } from 'react';
import type { Address } from 'viem';
import { words } from '../words/en/frame.ts';
import { Account } from './account.tsx';
import { useOwner } from './use-owner.ts';
import { WatchForm } from './watching.tsx';

interface Props {
  /** The purpose of the wallet, as the end of "Connect a wallet to …". */
  readonly to: string;
  readonly children: (owner: Address) => ReactNode;
}

/** Shows its children only for an account: the connected one, or one that is only watched. */
export function NeedsWallet({ to, children }: Props) {
  const { owner } = useOwner();
  if (owner !== undefined) return children(owner);
  return (
    <div className="empty">
      <h2>{words.wallet.connectTo(to)}</h2>
      <p>{words.wallet.connectMore}</p>
      <Account hasMore />
      <WatchForm />
    </div>
  );
}
