import type { PageConfig } from '../../wire.ts';
import { sentence, textOf } from '../words/core-words.ts';

type SettingsReason =
  | 'contracts_not_built_in'
  | 'contracts_not_pinned'
  | 'server_unavailable'
  | 'server_error'
  | 'answer_malformed';

/** Why the page refuses its server's settings. The message is the page's own text, never the server's. */
export class SettingsRefused extends Error {
  readonly reason: SettingsReason;

  constructor(reason: SettingsReason) {
    super(sentence(textOf(reason)));
    this.reason = reason;
  }
}

/**
 * The pinned settings, if the server's match them. The server may list fewer assets.
 * @throws SettingsRefused
 */
export function agreedSettings(told: PageConfig, pinned: PageConfig | null): PageConfig {
  if (pinned === null) throw new SettingsRefused('contracts_not_built_in');
  const listed = new Set(told.assets.map(jsonOf));
  const assets = pinned.assets.filter((asset) => listed.has(jsonOf(asset)));
  const settings = { ...pinned, assets };
  const isSame = assets.length === told.assets.length && jsonOf({ ...told, assets }) === jsonOf(settings);
  if (!isSame) throw new SettingsRefused('contracts_not_pinned');
  return settings;
}

/** The same text for equal values, whatever the order of their fields. */
const jsonOf = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
