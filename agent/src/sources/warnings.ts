import { type AssetClass, assetClasses } from '@bowline/core/domain/assets';
import type { Limits } from '@bowline/core/domain/facts';
import type { Log } from '@bowline/core/domain/log';
import { limitsOf } from '@bowline/core/verdict/limits';
import { looserLimits } from '@bowline/core/verdict/looser';

/** What an operator has set of limits and sources. */
interface VerdictSettings {
  readonly limits: Readonly<Record<AssetClass, Limits>>;
  readonly pythKeyMissing: boolean;
}

/** Warns the operator about settings that weaken verdicts: whoever reads one must be able to find out why. */
export function warnOfVerdictSettings({ limits, pythKeyMissing }: VerdictSettings, log: Log): void {
  const looser = assetClasses.flatMap((kind) =>
    looserLimits(limitsOf[kind], limits[kind]).map((each) => ({ ...each, limit: `${kind}.${each.limit}` })),
  );
  if (looser.length > 0) log.warn('limits.own', { looser });
  if (!pythKeyMissing) return;
  const cause = 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.' });
}
