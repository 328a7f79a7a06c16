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

/** Warns the operator about settings that weaken verdicts. */
export function warnOfVerdictSettings(config: VerdictSettings, log: Log): void {
  warnOfLooserLimits(config, log);
  warnOfPythOff(config, log);
}

/** A verdict's readers must be able to see that its limits are looser than the project's. */
function warnOfLooserLimits({ limits }: VerdictSettings, log: Log): void {
  const looser = assetClasses.flatMap((kind) =>
    looserLimits(limitsOf[kind], limits[kind]).map(({ limit, ...values }) => ({
      limit: `${kind}.${limit}`,
      ...values,
    })),
  );
  if (looser.length > 0) log.warn('limits.own', { looser });
}

/** A verdict's readers must be able to find out why Pyth is missing. */
function warnOfPythOff({ pythKeyMissing }: VerdictSettings, log: Log): void {
  if (!pythKeyMissing) return;
  const cause = 'Pyth requires an API key, and PYTH_API_KEY is not set: verdicts are made without Pyth.';
  log.warn('pyth.off', { cause, remedy: 'Set PYTH_API_KEY, or set PYTH_URL to off to do without Pyth.' });
}
