import { SettingsRefused } from './api/pinned.ts';
import { words } from './words/en/frame.ts';

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
