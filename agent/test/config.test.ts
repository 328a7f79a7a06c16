import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { createMarketData } from '@bowline/exchange/exchange';
import { isSecret } from '@bowline/http/setting-schemas';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { publicKeys } from '../../lab/world/start/agent-keys.ts';
import { type Config, loadConfig, onlyFor, Secret, secretsOf } from '../src/config.ts';
import { createLog } from '../src/process/log.ts';
import { settings } from '../src/settings.ts';
import { createPyth } from '../src/sources/pyth.ts';

const key = `0x${'a1'.repeat(32)}` as const;
const address = privateKeyToAddress(key);
const raw = { CHAIN: 'bsc', RPC_URL: 'https://node.example/very-secret', KEEPER_PRIVATE_KEY: key };
const bsc = { ...raw, RAW_KEYS: 'accepted' };

/** The problems, one line each. */
function problems(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

// AG-10
describe('loadConfig', () => {
  it('needs nothing on the local chain, where minutes are seconds', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      chain: 'local',
      chainId: 31_337,
      host: '127.0.0.1',
      port: 4020,
      executorIntervalSeconds: 15,
      guardIntervalSeconds: 5,
      gasBounds: {
        maxGasPriceWei: 5n * 10n ** 9n,
        rescueMaxGasPriceWei: 20n * 10n ** 9n,
        maxDayWei: 30n * 10n ** 18n,
      },
      logLevel: 'info',
    });
    expect(config.rpcUrls.map((url) => url.reveal())).toEqual(['http://127.0.0.1:8545']);
    expect(config.marketDataUrl?.reveal()).toBe('http://127.0.0.1:4030');
    expect(config.pythUrl?.reveal()).toBe('http://127.0.0.1:4030');
    expect(config.model).toBeUndefined();
  });

  it('has the intervals of the interface on BNB Chain', () => {
    const config = loadConfig(bsc);
    expect(config).toMatchObject({ chainId: 56, executorIntervalSeconds: 900, guardIntervalSeconds: 300 });
    expect(config.keeperPrivateKey?.reveal()).toBe(key);
    expect(config.marketDataUrl?.reveal()).toBe('https://data-api.binance.vision');
    expect(config.pythUrl).toBeUndefined();
    expect(config.servingPolicy.minimumPeriodSeconds).toBe(3600n);
    expect(config.gasBounds.maxDayWei).toBe(5n * 10n ** 17n);
    expect(config.guardServingPolicy).toEqual({
      maxTriggerHealthWad: 2n * 10n ** 18n,
      minimumRepayUsdWad: 5n * 10n ** 18n,
    });
    expect(config.servingPolicy.gasPerOwnerPerDay).toBe(20_000_000n);
  });

  it('takes what is set, and an empty variable as one that is not', () => {
    const config = loadConfig({
      PORT: '0',
      HOST: ' ',
      MARKET_DATA_URL: 'off',
      PYTH_URL: 'off',
      OPENAI_API_KEY: 'sk-1',
      OPENAI_MODEL: '',
      MAX_GAS_PRICE_GWEI: '0.05',
      MAX_GAS_BNB_PER_DAY: '0.1',
      EXECUTOR_INTERVAL_SECONDS: '16',
    });
    expect(config).toMatchObject({ port: 0, host: '127.0.0.1' });
    expect(config.gasBounds).toEqual({
      maxGasPriceWei: 50_000_000n,
      rescueMaxGasPriceWei: 200_000_000n,
      maxDayWei: 10n ** 17n,
    });
    expect('marketDataUrl' in config).toBe(false);
    expect('pythUrl' in config).toBe(false);
    expect(config).toMatchObject({ executorIntervalSeconds: 16, guardIntervalSeconds: 6 });
    expect(config.servingPolicy).toMatchObject({ minimumPeriodSeconds: 64n, gasPerOwnerPerDay: 400_000_000n });
    expect(config.model?.name).toBe('gpt-5-mini');
    expect(config.model?.apiKey.reveal()).toBe('sk-1');
  });

  it.each([
    [{ CHAIN: 'goerli' }, 'CHAIN must be one of local, bsc, bsc-testnet.'],
    [{ PORT: '65536' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '1e3' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ HOST: 'a b' }, 'HOST must be a host name or an address.'],
    [{ PRICE_USD: '0.01', PAYMENT_RAIL: 'cash' }, 'PAYMENT_RAIL must be x402 or b402.'],
    [{ HOST: '300.1.1.1' }, 'HOST must be a host name or an address.'],
    [{ HOST: '1.2.3' }, 'HOST must be a host name or an address.'],
    [{ HOST: 'localhost:4020' }, 'HOST must be a host name or an address.'],
    [
      { ALLOWED_HOSTS: 'https://agent.example' },
      'ALLOWED_HOSTS must be host names or addresses without a port, separated by commas, or *.',
    ],
    [{ MARKET_DATA_URL: 'none' }, 'MARKET_DATA_URL must be an http or https URL, or off.'],
    [{ PYTH_URL: 'none' }, 'PYTH_URL must be an http or https URL, or off.'],
    [{ PRICE_USD: 'free' }, 'PRICE_USD must be a number of US dollars, like 5 or 0.5.'],
    [{ EXECUTOR_INTERVAL_SECONDS: '0' }, 'EXECUTOR_INTERVAL_SECONDS must be a whole number from 1 to 86400.'],
    [{ MAX_GAS_BNB_PER_DAY: '-1' }, 'MAX_GAS_BNB_PER_DAY must be a number of BNB, like 5 or 0.5.'],
    [{ MAX_GAS_PRICE_GWEI: '0' }, 'MAX_GAS_PRICE_GWEI must be above 0.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent.'],
    [{ RPC_URL: 'http://10.0.0.1:8545' }, 'RPC_URL must be on this machine (127.0.0.1) when CHAIN is local.'],
    [{ RPC_URL: 'http://127.0.0.1.evil.example' }, 'RPC_URL must be on this machine (127.0.0.1) when CHAIN is local.'],
    [
      { RPC_URL: 'http://127.0.0.1:1,http://10.0.0.1' },
      'RPC_URL must be on this machine (127.0.0.1) when CHAIN is local.',
    ],
    [{ RPC_URL: 'http://127.0.0.1,ws://10.0.0.1' }, 'RPC_URL must be on this machine (127.0.0.1) when CHAIN is local.'],
    [
      { PRIVATE_SEND_URLS: 'http://10.0.0.1' },
      'PRIVATE_SEND_URLS must be on this machine (127.0.0.1) when CHAIN is local.',
    ],
    [{ RPC_URL: 'ws://127.0.0.1' }, 'RPC_URL must have an http or https URL.'],
    [
      { RPC_URL: 'http://127.0.0.1,ws://127.0.0.1/#a' },
      'RPC_URL must be http, https, ws or wss URLs without #, separated by commas.',
    ],
    [{ RPC_URL: 'http://127.0.0.1,x' }, 'RPC_URL must be http, https, ws or wss URLs without #, separated by commas.'],
    [{ RPC_URL: 'http://127.0.0.1, http://127.0.0.1' }, 'RPC_URL must not name the same twice.'],
    // AG-10
    [{ GUARD_MAX_TRIGGER: '3' }, 'GUARD_MAX_TRIGGER is no longer a setting: unset it.'],
    [{ RPC_URLS_FILE: '/nowhere' }, 'RPC_URLS is no longer a setting: set RPC_URL instead.'],
    [{ OPENAI_BASE_URL: 'http://127.0.0.1:1' }, 'OPENAI_BASE_URL has no effect without OPENAI_API_KEY.'],
    [{ ...bsc, KEEPER_PRIVATE_KEY: '' }, 'KEEPER_PRIVATE_KEY is required when CHAIN is bsc.'],
    [{ ...bsc, RPC_URL: '' }, 'RPC_URL is required when CHAIN is bsc.'],
  ])('says of %j: %s', (environment, line) => {
    expect(problems(environment)).toEqual([line]);
  });

  describe('asks Pyth', () => {
    const apiKey = 'pyth-key-hidden-7';
    const pythOf = (environment: Record<string, string>) => {
      const { pythUrl, pythApiKey, pythKeyMissing } = loadConfig(environment);
      return { url: pythUrl?.reveal(), key: pythApiKey?.reveal(), pythKeyMissing };
    };
    const own = 'https://pyth.dourolabs.app/hermes';
    const copy = 'https://hermes.example/of-ours';

    it('on BNB Chain at its own address with a key, and not without', () => {
      expect(pythOf({ ...bsc, PYTH_API_KEY: apiKey })).toEqual({ url: own, key: apiKey, pythKeyMissing: false });
      expect(pythOf(bsc)).toEqual({ url: undefined, key: undefined, pythKeyMissing: true });
      // Pyth's own address needs a key, even when it is set explicitly.
      expect(pythOf({ ...bsc, PYTH_URL: `${own}/` })).toMatchObject({ url: undefined, pythKeyMissing: true });
    });

    it('at another address as it is told, with a key or without', () => {
      expect(pythOf({ ...bsc, PYTH_URL: copy })).toEqual({ url: copy, key: undefined, pythKeyMissing: false });
      expect(pythOf({ ...bsc, PYTH_URL: copy, PYTH_API_KEY: apiKey })).toMatchObject({ url: copy, key: apiKey });
      expect(pythOf({})).toMatchObject({ url: 'http://127.0.0.1:4030', pythKeyMissing: false });
    });

    it('not at all where it is off, whatever key there is', () => {
      for (const key of ['', apiKey]) {
        const said = pythOf({ ...bsc, PYTH_URL: 'off', PYTH_API_KEY: key });
        expect(said).toMatchObject({ url: undefined, pythKeyMissing: false });
      }
    });

    it.each(['two words', 'Bearer abc', 'a\nb', 'a\r\nx-evil: 1', 'a\tb', 'a\u0000b', 'clé', 'a\u00a0b'])(
      'with no key that is none, and does not repeat it: %j',
      (wrong) => {
        expect(problems({ ...bsc, PYTH_API_KEY: wrong })).toEqual([
          'PYTH_API_KEY must be the key alone: printable ASCII without spaces.',
        ]);
      },
    );

    it.each([
      ['http://pyth.dourolabs.app/hermes', false],
      ['http://10.0.0.1:4030', false],
      ['http://127.0.0.1.evil.example', false],
      ['http://127.0.0.1@evil.example', false],
      ['http://127.0.0.1:4030', true],
      ['http://[::1]:4030', true],
      ['https://10.0.0.1', true],
    ])('over nothing that can be overheard when there is a key: %s %s', (url, isTaken) => {
      const line =
        'PYTH_URL must use https or be on this machine when PYTH_API_KEY is set: others on the network could read the key.';
      expect(problems({ ...bsc, PYTH_URL: url, PYTH_API_KEY: apiKey })).toEqual(isTaken ? [] : [line]);
      expect(problems({ ...bsc, PYTH_URL: url })).toEqual([]);
    });
  });

  // AG-28
  it('is called by its own host, by loopback, and by what is allowed', () => {
    const loopback = ['localhost', '127.0.0.1', '[::1]'];
    expect(loadConfig({}).allowedHosts).toEqual(['127.0.0.1', ...loopback]);
    expect(loadConfig({ HOST: '::', ALLOWED_HOSTS: 'Agent.example, fe80::1' }).allowedHosts).toEqual([
      '[::]',
      ...loopback,
      'agent.example',
      '[fe80::1]',
    ]);
    expect(loadConfig({ ALLOWED_HOSTS: '*' }).allowedHosts).toContain('*');
  });

  it('does not let the public key of the local chain onto BNB Chain', () => {
    const publicKey = loadConfig({}).keeperPrivateKey?.reveal() ?? '';
    expect(problems({ ...bsc, KEEPER_PRIVATE_KEY: publicKey })).toEqual([
      'KEEPER_PRIVATE_KEY is a publicly known key of local chains.',
    ]);
  });

  it('needs an address that buyers can reach to sell on BNB Chain', () => {
    const selling = { ...bsc, SELLER_PRIVATE_KEY: `0x${'b2'.repeat(32)}` };
    const why = 'with SELLER_PRIVATE_KEY, buyers on bsc fetch what they paid for from it.';
    expect(problems(selling)).toEqual([`PUBLIC_URL is missing: ${why}`]);
    const hidden = ['127.0.0.1:4020', 'localhost', '10.1.2.3', '[::1]', '[fd00::1]', 'agent', 'agent.local', '0.0.0.0'];
    for (const host of hidden)
      expect(problems({ ...selling, PUBLIC_URL: `http://${host}` }), host).toEqual([
        `PUBLIC_URL is not public: ${why}`,
      ]);
    for (const host of ['agent.example', '8.8.8.8', 'agent.example:8443/bowline', '[2606:4700::1111]'])
      expect(problems({ ...selling, PUBLIC_URL: `https://${host}` }), host).toEqual([]);
    expect(problems(bsc)).toEqual([]);
  });

  // DP-19
  it('takes no unencrypted key from the environment on BNB Chain, unless that is accepted', () => {
    const refused = (name: string) =>
      `${name} is an unencrypted private key in the environment, which is refused on bsc: ` +
      `use ${name}_FILE or a remote signer, or set RAW_KEYS to accepted.`;
    const others = {
      RESCUE_PRIVATE_KEYS: `0x${'b2'.repeat(32)}`,
      SELLER_PRIVATE_KEY: `0x${'c3'.repeat(32)}`,
      VERDICT_PRIVATE_KEY: `0x${'d4'.repeat(32)},0x${'e5'.repeat(32)}`,
    };
    const all = { ...raw, ...others, PUBLIC_URL: 'https://agent.example' };
    expect(problems(all)).toEqual(['KEEPER_PRIVATE_KEY', ...Object.keys(others)].map(refused));
    expect(problems({ ...all, RAW_KEYS: 'yes' })).toEqual(['RAW_KEYS must be accepted, or not be set.']);
    expect(loadConfig({ ...all, RAW_KEYS: 'accepted' }).rawKeys).toHaveLength(4);
    expect(loadConfig({ ...all, CHAIN: 'bsc-testnet' }).rawKeys).toEqual([]);
    expect(loadConfig({}).rawKeys).toEqual([]);
    // A key in a file or at a remote signer is not in the environment.
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    const config = loadConfig({ ...raw, KEEPER_PRIVATE_KEY: '', KEEPER_PRIVATE_KEY_FILE: file });
    expect([config.keeperPrivateKey?.reveal(), config.rawKeys]).toEqual([key, []]);
    expect(secretsOf(config)).toContain(key);
    const remote = { ...raw, KEEPER_PRIVATE_KEY: `signer:${address}`, SIGNER_URL: 'http://signer.example' };
    expect(loadConfig(remote).signerUrl?.reveal()).toBe('http://signer.example');
    const off = { ...raw, KEEPER_PRIVATE_KEY: 'off', RESCUE_PRIVATE_KEYS: `signer:${address}` };
    expect(problems(off)).toEqual(['SIGNER_URL is missing: RESCUE_PRIVATE_KEYS names a key of a remote signer.']);
  });

  // DP-18
  it('knows a key by its address, wherever it is', () => {
    const signer = { ...bsc, SIGNER_URL: 'http://signer.example' };
    expect(problems({ ...signer, RESCUE_PRIVATE_KEYS: `signer:${address.toLowerCase()}` })).toEqual([
      'RESCUE_PRIVATE_KEYS must not be the same key as KEEPER_PRIVATE_KEY.',
    ]);
    // The local chain's keys are public, whoever else holds them.
    const known = publicKeys.rescuer.address;
    expect(problems({ ...signer, RESCUE_PRIVATE_KEYS: `signer:${known}` })).toEqual([
      'RESCUE_PRIVATE_KEYS is a publicly known key of local chains.',
    ]);
    expect(problems({ ...signer, KEEPER_PRIVATE_KEY: 'signer:hidden' })).toEqual([
      'KEEPER_PRIVATE_KEY must be 64 hexadecimal digits, with or without 0x, signer: and an address, or off.',
    ]);
  });

  it('has former verdict keys behind the present one', () => {
    const [present, former] = [`0x${'d4'.repeat(32)}`, `0x${'e5'.repeat(32)}`];
    const keys = loadConfig({ VERDICT_PRIVATE_KEY: `${present}, ${former}` });
    expect(keys.verdictPrivateKey?.reveal()).toBe(present);
    expect(keys.formerVerdictPrivateKeys.map((each) => each.reveal())).toEqual([former]);
    expect(problems({ VERDICT_PRIVATE_KEY: `${present},${present}` })).toEqual([
      'VERDICT_PRIVATE_KEY must not name a key twice.',
    ]);
  });

  // AG-38
  it('takes no key for rescues that is used for something else, or that everybody has', () => {
    const [other, third] = [`0x${'B2'.repeat(32)}`, `0x${'c3'.repeat(32)}`];
    const revealed = (config: Config) => config.rescuePrivateKeys.map((each) => each.reveal());
    expect(loadConfig({}).rescuePrivateKeys).toEqual([]);
    const config = loadConfig({ ...bsc, RESCUE_PRIVATE_KEYS: `${other}, ${third}` });
    expect(revealed(config)).toEqual([other, third]);
    expect(secretsOf(config)).toEqual(expect.arrayContaining([other, third]));
    expect(String(config.rescuePrivateKeys)).toBe('[secret],[secret]');
    for (const name of ['KEEPER_PRIVATE_KEY', 'SELLER_PRIVATE_KEY', 'VERDICT_PRIVATE_KEY']) {
      const keys = { [name]: other.toLowerCase(), RESCUE_PRIVATE_KEYS: `${third},${other}` };
      expect(problems({ ...bsc, PUBLIC_URL: 'https://agent.example', ...keys })).toEqual([
        `RESCUE_PRIVATE_KEYS must not be the same key as ${name}.`,
      ]);
    }
    // The local chain's own keys are set by default.
    const { keeperPrivateKey, seller, verdictPrivateKey } = loadConfig({});
    for (const key of [keeperPrivateKey, seller?.privateKey, verdictPrivateKey]) {
      expect(problems({ RESCUE_PRIVATE_KEYS: key?.reveal() ?? '' })).toHaveLength(1);
      expect(problems({ ...bsc, RESCUE_PRIVATE_KEYS: key?.reveal() ?? '' })).toEqual([
        'RESCUE_PRIVATE_KEYS is a publicly known key of local chains.',
      ]);
    }
    expect(problems({ ...bsc, RESCUE_PRIVATE_KEYS: publicKeys.rescuer.key })).toEqual([
      'RESCUE_PRIVATE_KEYS is a publicly known key of local chains.',
    ]);
    expect(revealed(loadConfig({ RESCUE_PRIVATE_KEYS: publicKeys.rescuer.key }))).toEqual([publicKeys.rescuer.key]);
    expect(problems({ RESCUE_PRIVATE_KEYS: `${other},0xhidden` })).toEqual([
      'RESCUE_PRIVATE_KEYS must be 64 hexadecimal digits, with or without 0x, or signer: and an address.',
    ]);
    // Two queues would use the same nonces.
    expect(problems({ RESCUE_PRIVATE_KEYS: `${other},${other.toLowerCase()}` })).toEqual([
      'RESCUE_PRIVATE_KEYS must not name a key twice.',
    ]);
  });

  // AG-371
  it('serves everybody, or one owner alone', () => {
    const all = loadConfig({});
    expect([all.servingPolicy.owner, all.guardServingPolicy.owner]).toEqual([undefined, undefined]);
    const only = onlyFor(all, address);
    expect(only.servingPolicy).toEqual({ ...all.servingPolicy, owner: address });
    expect(only.guardServingPolicy).toEqual({ ...all.guardServingPolicy, owner: address });
  });

  it('shares work through Redis with a key of its own', () => {
    const [key, address] = [`0x${'B2'.repeat(32)}`, 'rediss://:word@redis.example:6380'];
    expect(loadConfig({}).redisUrl).toBeUndefined();
    const config = loadConfig({ ...bsc, REDIS_URL: address, RESCUE_PRIVATE_KEYS: key });
    expect(config.redisUrl?.reveal()).toBe(address);
    expect(secretsOf(config)).toContain(address);
    expect(problems({ ...bsc, REDIS_URL: address })).toEqual([
      'RESCUE_PRIVATE_KEYS is missing: with REDIS_URL each worker needs keys of its own.',
    ]);
    expect(problems({ ...bsc, RESCUE_PRIVATE_KEYS: key, REDIS_URL: 'http://redis.example' })).toEqual([
      'REDIS_URL must be a redis or rediss URL.',
    ]);
  });

  // AG-145
  it('sells a verdict and a job at one price', () => {
    const priced = { PRICE_USD: '0.02', X402_FACILITATOR_URL: 'http://127.0.0.1:9' };
    const cent = 10n ** 16n;
    expect(loadConfig({}).seller?.priceWad).toBe(100n * cent);
    expect(loadConfig({ JOB_PRICE: '3' }).seller?.priceWad).toBe(300n * cent);
    const config = loadConfig(priced);
    expect([config.payment?.priceUsdWad, config.seller?.priceWad]).toEqual([2n * cent, 2n * cent]);
    expect(config.payments.pathname).toMatch(/\/data\/payments\/$/);
    expect(loadConfig({ ...priced, JOB_PRICE: '0.02' }).seller?.priceWad).toBe(2n * cent);
    expect(problems({ ...priced, JOB_PRICE: '0.03' })).toEqual([
      'JOB_PRICE must be PRICE_USD, or not be set: a verdict costs the same as a job.',
    ]);
    const onBsc = { ...bsc, ...priced, PAYMENT_RAIL: 'x402', PAY_TO: `0x${'1'.repeat(40)}` };
    expect(problems(onBsc)).toEqual([
      'VERDICT_PRIVATE_KEY is missing: PRICE_USD is above 0, and it signs the verdicts that are sold.',
    ]);
  });

  // AG-38
  it('runs without an operator by rescue keys, and not without any key', () => {
    const config = loadConfig({ KEEPER_PRIVATE_KEY: 'off', RESCUE_PRIVATE_KEYS: `0x${'c3'.repeat(32)}` });
    expect(config.keeperPrivateKey).toBeUndefined();
    expect(problems({ KEEPER_PRIVATE_KEY: 'off' })).toEqual([
      'RESCUE_PRIVATE_KEYS is missing: KEEPER_PRIVATE_KEY is off, so that no key could make a rescue.',
    ]);
  });

  // AG-59, AG-62
  it('takes several nodes, relays and bundlers, in order', () => {
    const { RPC_URL: _, ...others } = bsc;
    const config = loadConfig({
      ...others,
      RPC_URL: 'https://a.example/key, wss://a.example/key, https://b.example',
      PRIVATE_SEND_URLS: 'https://d.example',
      BUNDLER_URL: 'https://e.example,https://f.example',
    });
    const { rpcUrls, rpcWsUrls, privateSendUrls, bundlerUrls } = config;
    expect([rpcUrls, rpcWsUrls, privateSendUrls, bundlerUrls].map((list) => list.map((url) => url.reveal()))).toEqual([
      ['https://a.example/key', 'https://b.example'],
      ['wss://a.example/key'],
      ['https://d.example'],
      ['https://e.example', 'https://f.example'],
    ]);
  });

  it('says everything that is wrong at once, and never repeats a secret', () => {
    const wrong = {
      CHAIN: 'bsc',
      RPC_URL: 'hidden-1',
      MARKET_DATA_URL: 'hidden-2',
      PYTH_URL: 'hidden-6',
      KEEPER_PRIVATE_KEY: '0xhidden-3',
      OPENAI_API_KEY: 'hidden-4',
      OPENAI_BASE_URL: 'hidden-5',
      PYTH_API_KEY: 'hidden 7',
      PORT: '-1',
    };
    const lines = problems(wrong);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(
      ['RPC_URL', 'PORT', 'MARKET_DATA_URL', 'PYTH_URL', 'PYTH_API_KEY', 'KEEPER_PRIVATE_KEY', 'OPENAI_BASE_URL'].sort(
        (a, b) => Object.keys(settings).indexOf(a) - Object.keys(settings).indexOf(b),
      ),
    );
    expect(lines.join('\n')).not.toContain('hidden');
  });
});

// AG-10: a library would quote the number that it refuses.
it.each([`0x${'f'.repeat(64)}`, `0x${'0'.repeat(64)}`])(
  'a key that is none of the curve is refused unquoted: %s',
  (key) => {
    expect(() => loadConfig({ KEEPER_PRIVATE_KEY: key })).toThrow(
      /^KEEPER_PRIVATE_KEY is not a valid secp256k1 private key\.$/,
    );
  },
);

// AG-10
describe('secrets', () => {
  const config: Config = loadConfig({ ...bsc, OPENAI_API_KEY: 'sk-hidden', PYTH_API_KEY: 'pyth-hidden' });

  it('are not shown by accident', () => {
    for (const text of [
      JSON.stringify(config, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      inspect(config, { depth: 9, showHidden: true }),
      `${config.keeperPrivateKey}`,
      `${new Secret('sk-hidden')}`,
    ]) {
      expect(text).toContain('[secret]');
      for (const secret of ['sk-hidden', 'pyth-hidden', 'very-secret', key]) expect(text).not.toContain(secret);
    }
  });

  // DP-16
  it('are each of the settings that can hold one, and all are known to whoever keeps them out of the log', () => {
    const secrets = Object.entries(settings).filter(([, { schema }]) => isSecret(schema));
    const names = secrets.map(([name]) => name);
    const telling = Object.keys(settings).filter((name) => /_(KEYS?|TOKEN|SECRET|URLS?)$/.test(name));
    // Not secret: the address that the agent tells everybody, and a word of consent.
    expect(telling.filter((name) => !names.includes(name))).toEqual(['PUBLIC_URL', 'RAW_KEYS']);
    const keyOf = (name: string) => `0x${String(names.indexOf(name) + 1).padStart(64, '0')}`;
    const textOf = (name: string) => {
      if (/PRIVATE_KEYS?$/.test(name)) return keyOf(name);
      if (name === 'REDIS_URL') return 'redis://127.0.0.1/0?name=redis-hidden';
      return /_URLS?$/.test(name)
        ? `http://127.0.0.1/${name.toLowerCase()}-hidden`
        : `hidden-${name.toLowerCase()}-${'x'.repeat(32)}`;
    };
    // The two groups are alternatives: each replaces the other.
    const apart = [['X402_FACILITATOR_URL'], ['B402_BASE_URL', 'B402_ACCESS_TOKEN', 'B402_PRIVATE_KEY']] as const;
    for (const [at, without] of apart.entries()) {
      const given = names.filter((name) => !(without as readonly string[]).includes(name));
      const environment = {
        ...Object.fromEntries(given.map((name) => [name, textOf(name)])),
        ...{
          PRICE_USD: '0.05',
          PAYMENT_RAIL: at === 0 ? 'b402' : 'x402',
          PAY_TO: `0x${'1'.repeat(40)}`,
          PUBLIC_URL: 'https://agent.example',
        },
        ...(at === 0 && { B402_CLIENT_ID: 'client' }),
      };
      const known = secretsOf(loadConfig(environment)).join(' ');
      expect(
        given.filter((name) => !known.includes(textOf(name))),
        String(problems(environment)),
      ).toEqual([]);
    }
  });

  it('are all known to whoever keeps them out of the log', () => {
    expect(secretsOf(config)).toEqual(expect.arrayContaining(['sk-hidden', 'pyth-hidden', bsc.RPC_URL, key]));
  });

  it('in the addresses of providers stay out of the log, whatever becomes of the question', async () => {
    const nobody = loadConfig({
      MARKET_DATA_URL: 'http://user:hidden-1@127.0.0.1:9/hidden-2/',
      PYTH_URL: 'http://user:hidden-3@127.0.0.1:9/hidden-4/',
      PYTH_API_KEY: 'hidden-5',
    });
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: secretsOf(nobody) }, { write: (line) => void lines.push(line) });
    const market = createMarketData(nobody.marketDataUrl?.reveal() ?? '', () => 0n);
    const questions = await Promise.allSettled([
      market.bookTicker('BTCUSDT'),
      market.candles('BTCUSDT', '1h', 2),
      createPyth(nobody.pythUrl?.reveal() ?? '', () => 0n, {
        signers: [],
        apiKey: nobody.pythApiKey?.reveal() ?? '',
      }).price('0x12'),
    ]);
    for (const question of questions)
      if (question.status === 'rejected') log.error('failed', { error: question.reason });
    expect(lines).toHaveLength(questions.length);
    expect(lines.every((line) => line.includes('does not answer') && line.includes('cause'))).toBe(true);
    expect(lines.join()).not.toContain('hidden');
  });
});

it('a folder may have "#", "?" or "%" in its name', () => {
  const folder = '/srv/one #1 50%20?';
  const { evidence, registration, deployments, stopFile } = loadConfig({
    ...{ DATA_DIR: folder, DEPLOYMENTS_DIR: folder },
  });
  expect([evidence, registration, deployments, stopFile].map((place) => fileURLToPath(place))).toEqual(
    ['/evidence/', '/deliverables/registration.json', '/', '/stop'].map((path) => `${folder}${path}`),
  );
});
