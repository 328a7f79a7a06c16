import { SettingsRefused } from './api/pinned.ts';

interface Props {
  readonly error: unknown;
  readonly retry: () => void;
}

/** Without settings that it can trust the page shows nothing rather than guess. */
export function Unavailable({ error, retry }: Props) {
  const why =
    error instanceof SettingsRefused
      ? `${error.message} The page shows nothing and signs nothing.`
      : 'The page cannot reach its server, so it does not know which chain to read. Nothing was sent.';
  return (
    <main className="lone">
      <h1>Bowline</h1>
      <p role="alert">{why}</p>
      {error instanceof SettingsRefused && <p className="faint mono">{error.reason}</p>}
      <button type="button" className="button primary" onClick={retry}>
        Try again
      </button>
    </main>
  );
}
