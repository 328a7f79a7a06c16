import { expect, it } from 'vitest';
import { loadConfig } from '../server/config.ts';

const bsc = { CHAIN: 'bsc', WEB_RPC_URL: 'https://node.example' };

/** The problems, one per line. */
function problems(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

// AG-10
it('needs nothing on the local chain', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({ chainId: 31_337, host: '127.0.0.1', port: 3000, rpcUrl: 'http://127.0.0.1:8545' });
  expect(config.agentUrl.reveal()).toBe('http://127.0.0.1:4020');
  expect(config.marketDataUrl?.reveal()).toBe('http://127.0.0.1:4030');
  expect(config.marketDataKey).toBeUndefined();
});

it('takes what is set', () => {
  const config = loadConfig({ ...bsc, WEB_PORT: ' 0 ', MARKET_DATA_URL: 'off', MARKET_DATA_KEY: 'k', WEB_HOST: '' });
  expect(config).toMatchObject({ chainId: 56, host: '127.0.0.1', port: 0, rpcUrl: 'https://node.example' });
  expect('marketDataUrl' in config).toBe(false);
  expect(config.marketDataKey?.reveal()).toBe('k');
});

it.each([
  [{ WEB_PORT: '99999' }, 'WEB_PORT must be a whole number from 0 to 65535.'],
  [{ WEB_PORT: '65536' }, 'WEB_PORT must be a whole number from 0 to 65535.'],
  [{ WEB_HOST: '300.1.1.1' }, 'WEB_HOST must be a host name or an address.'],
  [
    { ALLOWED_HOSTS: 'https://page.example' },
    'ALLOWED_HOSTS must be host names or addresses without a port, separated by commas, or *.',
  ],
  [{ AGENT_URL: '127.0.0.1:4020' }, 'AGENT_URL must be an http or https URL.'],
  [{ MARKET_DATA_KEY: 'a b' }, 'MARKET_DATA_KEY must be the key alone: printable ASCII without spaces.'],
  [{ CHAIN: 'bsc' }, 'WEB_RPC_URL is required when CHAIN is bsc.'],
  // AG-10
  [{ WEB_ALLOWED_HOSTS: 'a.example' }, 'WEB_ALLOWED_HOSTS is no longer a setting: set ALLOWED_HOSTS instead.'],
])('says of %j: %s', (environment, line) => {
  expect(problems(environment)).toEqual([line]);
});

it('says everything that is wrong at once', () => {
  const lines = problems({ CHAIN: 'bsc', WEB_PORT: '-1', AGENT_URL: 'x' });
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['WEB_PORT', 'AGENT_URL', 'WEB_RPC_URL']);
});

it('is called by its own host, by loopback, and by what is allowed', () => {
  expect(loadConfig({ ALLOWED_HOSTS: 'Page.example, fe80::1' }).allowedHosts).toEqual([
    '127.0.0.1',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'page.example',
    '[fe80::1]',
  ]);
});
