import { type AssetClass, assetClasses } from '../domain/assets.ts';
import type { Band, Limits } from '../domain/facts.ts';
import { limitsOf } from './limits.ts';

type Setting = Readonly<Record<string, unknown>>;

// Upper bounds for overrides: an extra zero must not disable a check.
const MAX_BPS = 5_000n;
const MAX_SECONDS = 7n * 86_400n;
/** Multiple of the default, for limits in blocks and hours. */
const MAX_TIMES = 10n;

/**
 * The limits with an operator's overrides: JSON of class, limit and value, as in `{"crypto": {"costBps": {"noGo":
 * 80}, "referenceAgeSeconds": 120}}`. Limits not named keep their values.
 * @throws an error that says what would be accepted, without a full stop.
 */
export function withOwnLimits(json: string): Readonly<Record<AssetClass, Limits>> {
  const given = parsed(json);
  for (const name of Object.keys(given)) known(name, assetClasses, 'class');
  const ofClass = (name: AssetClass) => [name, merged(limitsOf[name], given[name], name)] as const;
  return Object.fromEntries(assetClasses.map(ofClass)) as Record<AssetClass, Limits>;
}

function parsed(json: string): Setting {
  try {
    return settingOf(JSON.parse(json), 'it');
  } catch (cause) {
    throw new Error('must be JSON of classes and their limits, like {"crypto": {"costBps": {"noGo": 80}}}', {
      cause,
    });
  }
}

function merged(limits: Limits, given: unknown, name: AssetClass): Limits {
  const own = given === undefined ? {} : settingOf(given, name);
  const changed = Object.keys(own).map((limit) => {
    const path = `${name}.${limit}`;
    const usual = limits[known(limit, Object.keys(limits) as (keyof Limits)[], `limit of ${name}`)];
    return [
      limit,
      typeof usual === 'bigint'
        ? wholeNumber(own[limit], path, maxOf(limit, usual))
        : bandOf(usual, own[limit], path, maxOf(limit, usual.noGo)),
    ];
  });
  return { ...limits, ...Object.fromEntries(changed) };
}

function maxOf(limit: string, usual: bigint): bigint {
  const max = limit.endsWith('Bps') ? MAX_BPS : limit.endsWith('Seconds') ? MAX_SECONDS : usual * MAX_TIMES;
  return max > usual ? max : usual;
}

function bandOf(usual: Band, given: unknown, path: string, max: bigint): Band {
  const own = settingOf(given, path);
  for (const part of Object.keys(own)) known(part, ['caution', 'noGo'], `part of ${path}`);
  const part = (name: keyof Band) =>
    Object.hasOwn(own, name) ? wholeNumber(own[name], `${path}.${name}`, max) : usual[name];
  const band = { caution: part('caution'), noGo: part('noGo') };
  if (band.caution <= band.noGo) return band;
  throw new Error(`must not have the caution of ${path}, ${band.caution}, above its noGo, ${band.noGo}`);
}

function wholeNumber(given: unknown, path: string, max: bigint): bigint {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 && given <= max) return BigInt(given);
  throw new Error(`must have a whole number from 0 to ${max} at ${path}`);
}

function settingOf(given: unknown, path: string): Setting {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Setting;
  throw new Error(`must have an object at ${path}`);
}

function known<Name extends string>(name: string, names: readonly Name[], what: string): Name {
  const found = names.find((each) => each === name);
  if (found !== undefined) return found;
  throw new Error(`names ${JSON.stringify(name)}, which is not a ${what}: use one of ${names.join(', ')}`);
}
