import { SettingsRefused } from './api/pinned.ts';
import { words } from './words/en/frame.ts';

interface Props {
  readonly refused: SettingsRefused;
  readonly isAsking: boolean;
  readonly retry: () => void;
}

/** Replaces the sections: without trusted settings, the page shows no section rather than guess. */
export const Unavailable = ({ refused, isAsking, retry }: Props) => (
  <div className="empty">
    <h1>{words.frame.onlyStop}</h1>
    <p role="alert">{refused.message}</p>
    <p>{words.frame.onlyStopMore}</p>
    <p className="faint mono">{refused.reason}</p>
    <button type="button" className="button" disabled={isAsking} onClick={retry}>
      {isAsking ? words.frame.askingAgain : words.readings.retry}
    </button>
  </div>
);

/** A page built without contracts has nothing to show, and nothing to stop. */
export function NotBuilt() {
  const { message, reason } = new SettingsRefused('contracts_not_built_in');
  return (
    <main className="empty">
      <h1>Bowline</h1>
      <p role="alert">
        {message}
        {words.frame.notBuilt}
      </p>
      <p className="faint mono">{reason}</p>
    </main>
  );
}
