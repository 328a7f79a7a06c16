import type { Log } from '@bowline/core/domain/log';

/** Warns the operator that verdicts lack a source. */
export function warnOfVerdictSettings({ pythKeyMissing }: { readonly pythKeyMissing: boolean }, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.' });
}
