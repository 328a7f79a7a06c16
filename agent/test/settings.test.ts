import { inspect } from 'node:util';
import { type Setting, type Settings, textOn } from '@bowline/http/environment';
import { isSecret } from '@bowline/http/setting-schemas';
import { describe, expect, it } from 'vitest';
import { envExample, settingsPage } from '../../lab/tools/settings/pages.ts';
import { loadConfig as loadWebConfig } from '../../web/server/config.ts';
import { settings as webSettings } from '../../web/server/settings.ts';
import { loadConfig, secretsOf } from '../src/config.ts';
import { createLog } from '../src/process/log.ts';
import { x402Facilitator } from '../src/selling/payments/facilitators.ts';
import { settings } from '../src/settings.ts';

const all: Readonly<Record<string, Setting>> = { ...settings, ...webSettings };
const names = Object.keys(all);

/** A recognisable text that the schema accepts. */
function marked(name: string, { schema }: Setting): string {
  const number = String(names.indexOf(name)).padStart(2, '0');
  const texts = [
    `0x${'5ec2e7'.repeat(10)}00${number}`,
    `https://node.example/hidden-${number}`,
    `wss://node.example/hidden-${number}`,
    `redis://:hidden-${number}@node.example`,
    `hidden-${number}`,
  ];
  const text = texts.find((each) => schema.safeParse(each).success);
  if (text === undefined) throw new Error(`${name} takes none of the marked texts.`);
  return text;
}

const secretsIn = (table: Settings) =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([, { schema }]) => isSecret(schema))
      .map(([name, setting]) => [name, marked(name, setting)]),
  );

const secrets = secretsIn(settings);
const sold = {
  CHAIN: 'bsc',
  RAW_KEYS: 'accepted',
  PUBLIC_URL: 'https://agent.example',
  PRICE_USD: '1',
  PAY_TO: `0x${'1'.repeat(40)}`,
  B402_CLIENT_ID: 'client',
};
const configs = [
  loadConfig({ ...sold, ...secrets, PAYMENT_RAIL: 'x402' }),
  loadConfig({ ...sold, ...secrets, PAYMENT_RAIL: 'b402' }),
  loadWebConfig({ CHAIN: 'bsc', WEB_RPC_URL: 'https://public.example', ...secretsIn(webSettings) }),
];

function complaintsOf(load: (environment: Record<string, string>) => unknown, environment: Record<string, string>) {
  try {
    load(environment);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

// AG-10
it('at most 35 settings are beside those of selling, the model, Redis, Telegram and wallets', () => {
  const optional = ['Questions', 'Payment for answers', 'Jobs', 'Several workers', 'Telegram', 'Other wallets'];
  const needed = names.filter((name) => !optional.includes(all[name]?.group ?? ''));
  expect(needed.length, needed.join(', ')).toBeLessThanOrEqual(35);
});

// AG-10
describe('a secret setting', () => {
  it('is every key, token and address of a service', () => {
    const expected = names.filter((name) => /(_KEYS?|_TOKEN|_SECRET|_URLS?)$/.test(name));
    const shown = ['PUBLIC_URL', 'RAW_KEYS', 'WEB_RPC_URL'];
    expect(names.filter((name) => isSecret(all[name]?.schema))).toEqual(
      expected.filter((name) => !shown.includes(name)),
    );
  });

  it('is known to whoever keeps secrets out of the log', () => {
    const kept = new Set(configs.flatMap(secretsOf));
    const texts = { ...secrets, ...secretsIn(webSettings) };
    expect(Object.entries(texts).filter(([, text]) => !kept.has(text))).toEqual([]);
  });

  it('is shown neither by the configuration nor by a line of the log', () => {
    const lines: string[] = [];
    for (const config of configs) {
      const shown = inspect(config, { depth: 9, showHidden: true });
      const json = JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      const log = createLog({ level: 'debug', secrets: secretsOf(config) }, { write: (line) => void lines.push(line) });
      for (const text of secretsOf(config))
        log.error('failed', { error: new Error(`quoted ${text}/verify`), [text]: text });
      expect(shown + json).not.toMatch(/hidden|5ec2e7/);
    }
    expect(lines.length).toBeGreaterThan(Object.keys(secrets).length);
    expect(lines.join()).not.toMatch(/hidden|5ec2e7/);
  });

  it.each(names)('%s is not repeated when it is wrong', (name) => {
    const load = Object.hasOwn(settings, name) ? loadConfig : loadWebConfig;
    for (const wrong of ['hidden text\nhidden line', '0xhidden', 'ftp://hidden', '{"hidden'])
      expect(complaintsOf(load, { [name]: wrong })).not.toContain('hidden');
  });

  it('that is the address of a facilitator stays out of the log when the facilitator fails', async () => {
    const url = 'http://127.0.0.1:9/hidden-in-the-path';
    const config = loadConfig({ PRICE_USD: '1', X402_FACILITATOR_URL: url });
    if (config.payment?.rail.name !== 'x402') throw new Error('The rail is not x402.');
    const { client } = x402Facilitator(config.payment.rail.facilitatorUrl.reveal(), { timeoutMs: 1_000 });
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: secretsOf(config) }, { write: (line) => void lines.push(line) });
    await client.getSupported().catch((error) => log.error('failed', { error, url }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('[secret]');
    expect(lines[0]).not.toContain('hidden');
  });
});

// AG-10
describe('the declarations', () => {
  it('of a name that two programs read are the same', () => {
    for (const [name, setting] of Object.entries<Setting>(settings))
      if (Object.hasOwn(webSettings, name)) expect(webSettings[name as keyof typeof webSettings]).toBe(setting);
  });

  it('put settings that share a prefix under one heading', () => {
    const headings = Map.groupBy(names, (name) => name.split('_')[0]);
    for (const [prefix, sharing] of headings)
      expect([prefix, ...new Set(sharing.map((name) => all[name]?.group))]).toHaveLength(2);
  });

  it('have defaults that they accept, and need none on the local chain', () => {
    for (const [name, setting] of Object.entries(all)) {
      expect([name, setting.schema.safeParse(textOn(setting.default, 'local')).success]).toEqual([name, true]);
      const onBsc = textOn(setting.default, 'bsc');
      if (onBsc !== undefined) expect([name, setting.schema.safeParse(onBsc).success]).toEqual([name, true]);
    }
  });

  it('keep GUARD_ for loan guards', () => {
    const guards = names.filter((name) => name.startsWith('GUARD_'));
    expect(new Set(guards.map((name) => all[name]?.group))).toEqual(new Set(['Loan guards and rescues']));
  });
});

// AG-10
describe('the pages that are made of them', () => {
  it('.env.example has every setting, and used as it is changes nothing', () => {
    const lines = envExample()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.map((line) => line.split('=')[0]).toSorted()).toEqual(names.toSorted());
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2) as [string, string]));
    expect(inspect(loadConfig(environment), { depth: 9 })).toBe(inspect(loadConfig({}), { depth: 9 }));
  });

  it('tell the defaults, and no private key', () => {
    for (const page of [envExample(), settingsPage().replaceAll('`', '')]) {
      expect(page).toContain('30 on local, 0.5 on bsc');
      expect(page).toContain('http://127.0.0.1:8545 on local, required on bsc');
      expect(page).toContain("anvil's seventh account on local, none on bsc");
      expect(page).not.toMatch(/0x[0-9a-f]{64}/i);
    }
  });

  it('the reference has a row for each, which says whether it is secret and who reads it', () => {
    for (const [name, { schema }] of Object.entries(all)) {
      const row = settingsPage()
        .split('\n')
        .find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row?.includes('| yes |')).toBe(isSecret(schema));
      expect(row?.includes('agent')).toBe(Object.hasOwn(settings, name) || name === 'AGENT_URL');
    }
  });
});
