import { type PerChain, type Setting, type Settings, textOn } from '@bowline/http/environment';
import { isSecret } from '@bowline/http/setting-schemas';
import { settings as agentSettings } from '../../../agent/src/settings.ts';
import { settings as webSettings } from '../../../web/server/settings.ts';

// The pages generated from the settings' declarations.

interface Documented extends Setting {
  readonly name: string;
  /** The programs that read it. */
  readonly readers: string;
}

const programs: readonly (readonly [string, Settings])[] = [
  ['agent', agentSettings],
  ['page server', webSettings],
];

const all: Settings = Object.assign({}, ...programs.map(([, settings]) => settings));

const documented = Object.entries(all).map(([name, setting]): Documented => {
  const readers = programs.filter(([, settings]) => Object.hasOwn(settings, name)).map(([program]) => program);
  return { ...setting, name, readers: readers.join(', ') };
});

const groups = [...new Set(documented.map(({ group }) => group))].map((title) => ({
  title,
  settings: documented.filter(({ group }) => group === title),
}));

/** The text for the default value. `quote` formats text that can be typed literally. */
function defaultOf(setting: Setting, quote: (text: string) => string): string {
  const absent = setting.schema.safeParse(undefined).success ? 'none' : 'required';
  const [local, bsc] = (['local', 'bsc'] as const).map((chain) => {
    const text = (of: PerChain | undefined) => textOn(of, chain);
    const typed = text(setting.default);
    return text(setting.defaultName) ?? (typed === undefined ? absent : quote(typed));
  });
  return local === bsc ? `${local}` : `${local} on local, ${bsc} on bsc`;
}

/** Comment lines of at most 110 columns. */
function comment(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length > 107) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}`);
}

const sources = 'agent/src/settings.ts and web/server/settings.ts';

const envLines = (setting: Documented): string[] => [
  ...comment(setting.about),
  `# Default: ${defaultOf(setting, (text) => text)}`,
  `${setting.name}=`,
];

/** `.env.example` */
export const envExample = (): string =>
  [
    `# Settings, made by npm run lab -- settings from ${sources}.`,
    ...comment(
      'Copy this file to .env and fill in what you need. The local chain needs nothing. An empty setting keeps its default. The environment overrides .env. Instead of a secret X, you may set X_FILE to a file that holds it.',
    ),
    ...groups.flatMap(({ title, settings }) => ['', `# --- ${title} ---`, ...settings.flatMap(envLines)]),
    '',
  ].join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|');

const row = (...cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const tableOf = (settings: readonly Documented[]): string[] => [
  row('setting', 'sets', 'default', 'secret', 'read by'),
  row('---', '---', '---', '---', '---'),
  ...settings.map((setting) =>
    row(
      `\`${setting.name}\``,
      setting.about,
      defaultOf(setting, (text) => `\`${text}\``),
      isSecret(setting.schema) ? 'yes' : '',
      setting.readers,
    ),
  ),
];

/** `docs/reference/settings.md` */
export const settingsPage = (): string =>
  [
    '# Settings',
    '',
    `<!-- Made by npm run lab -- settings from ${sources}. -->`,
    '',
    'For anyone who configures the agent or the page server. [Operations](../operations.md#settings-for-bnb-chain) lists the settings to decide',
    'before going live.',
    '',
    'The agent and the page server read their settings from the environment. For what the environment does not set, they read the file `.env`',
    'in the working directory; [.env.example](../../.env.example) lists every setting. An empty setting counts as not set. If a setting is',
    'missing, malformed or in conflict with another, the program does not start, and prints one line for each that does not repeat its',
    'value.',
    '',
    'Each setting is declared once, with its default: in [agent/src/settings.ts](../../agent/src/settings.ts),',
    '[web/server/settings.ts](../../web/server/settings.ts), or for both in',
    '[packages/http/common-settings.ts](../../packages/http/common-settings.ts).',
    '',
    'No error, log line or answer contains a secret setting. Addresses of services are secret too, because providers put keys into them.',
    '',
    'Instead of a secret setting `X`, you may set `X_FILE` to a file that holds the value. For a list, name several files, separated by commas.',
    'Only the owner of the file and its group may have access. A file with a private key may be an encrypted keystore, with its password',
    'in the file that `X_PASSWORD_FILE` names ([how to keep keys](../operations.md#keep-the-keys)).',
    ...groups.flatMap(({ title, settings }) => ['', `## ${title}`, '', ...tableOf(settings)]),
    '',
  ].join('\n');
