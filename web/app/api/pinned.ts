import type { PageConfig } from '../../wire.ts';

const sentences = {
  contracts_not_built_in: 'This page was built without the addresses of its contracts. Deploy them and build it again.',
  contracts_not_pinned:
    'The page’s server names another chain, node, contract or token than this page was built with. Build it again if they have changed on purpose.',
  server_unavailable: 'The page’s server does not answer.',
  server_error: 'The page’s server answers with an error.',
  answer_malformed: 'The page’s server answers with something that this page cannot read.',
} as const;

/** Why the page does not work with what its server says. The words are the page's own, never the server's. */
export class SettingsRefused extends Error {
  readonly reason: keyof typeof sentences;

  constructor(reason: keyof typeof sentences) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

/**
 * The pinned settings, if the server says the same. It may list fewer assets: a fork of BNB Chain has no invented ones.
 * @throws SettingsRefused
 */
export function agreedSettings(told: PageConfig, pinned: PageConfig | null): PageConfig {
  if (pinned === null) throw new SettingsRefused('contracts_not_built_in');
  const listed = new Set(told.assets.map(textOf));
  const assets = pinned.assets.filter((asset) => listed.has(textOf(asset)));
  const settings = { ...pinned, assets };
  const isSame = assets.length === told.assets.length && textOf({ ...told, assets }) === textOf(settings);
  if (!isSame) throw new SettingsRefused('contracts_not_pinned');
  return settings;
}

/** The same for equal values, whatever the order of their fields. */
const textOf = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
