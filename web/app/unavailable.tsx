import type { SettingsRefused } from './api/pinned.ts';

interface Props {
  readonly refused: SettingsRefused;
  readonly isAsking: boolean;
  readonly retry: () => void;
}

/** Replaces the sections: without settings that it can trust, the page shows none rather than guess. */
export const Unavailable = ({ refused, isAsking, retry }: Props) => (
  <div className="empty">
    <h1>Only “Stop everything” is available</h1>
    <p role="alert">{refused.message}</p>
    <p>
      The page uses nothing that the server says, and shows no portfolio, plans or guards. You can still connect your
      wallet, stop everything and take back approvals: the chain, node and contracts for that were built into the page.
    </p>
    <p className="faint mono">{refused.reason}</p>
    <button type="button" className="button" disabled={isAsking} onClick={retry}>
      {isAsking ? 'Asking the server …' : 'Try again'}
    </button>
  </div>
);
