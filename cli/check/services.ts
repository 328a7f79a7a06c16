import { overHttp } from '@bowline/chain/chain-client';
import { sameAddress } from '@bowline/core/domain/same-address';
import type { AddressBook } from '@bowline/core/registry/address-book';
import { clock } from '@bowline/http/clock';
import { createBundlerClient } from 'viem/account-abstraction';
import { createLanguageModel } from '../../agent/src/ask/language-model.ts';
import { facilitatorOf } from '../../agent/src/compose/payments.ts';
import type { proveSending } from '../../agent/src/compose/sending.ts';
import { openOffChain } from '../../agent/src/compose/verdict.ts';
import type { Config } from '../../agent/src/config.ts';
import { openRegistrations } from '../../agent/src/notify/registrations.ts';
import { addressesOf, createResolve } from '../../agent/src/notify/resolve.ts';
import { beatOf, connectRedis } from '../../agent/src/workers/redis.ts';
import { asked, type Finding, note, ok, refused } from './finding.ts';
import { otherChain } from './nodes.ts';

// The agent's services other than nodes: one request each, of the kind that the agent makes.

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** @param proven undefined if the operator account is unknown. */
export const bundlerFinding = (
  check: string,
  url: string,
  chainId: number,
  { accountAbstraction: { entryPoint } }: AddressBook,
  proven: Awaited<ReturnType<typeof proveSending>> | undefined,
): Promise<Finding> =>
  asked(check, { url, setting: 'BUNDLER_URL' }, async () => {
    const client = createBundlerClient({ transport: overHttp(url) });
    const [chain, served] = await Promise.all([client.getChainId(), client.getSupportedEntryPoints()]);
    if (chain !== chainId) return otherChain(check, url, chain, 'BUNDLER_URL');
    if (!served.some((each) => sameAddress(each, entryPoint))) {
      const found = `${new URL(url).host} does not serve EntryPoint ${entryPoint}.`;
      const remedy = `Set BUNDLER_URL to bundlers of EntryPoint ${entryPoint} on this chain.`;
      return refused(check, 'entry_point_missing', found, remedy);
    }
    if (proven?.operation === undefined) return 'serves the EntryPoint';
    const operation = { ...proven.operation, entryPointAddress: entryPoint };
    const { callGasLimit } = await client.estimateUserOperationGas(operation);
    return `prices an operation of the wallet (${callGasLimit} gas)`;
  });

export async function redisFinding(url: string): Promise<Finding> {
  const keys = 'REDIS_URL to redis://:PASSWORD@HOST:PORT, and its password';
  const redis = connectRedis(url, silent);
  const finding = await asked('redis', { url, setting: 'REDIS_URL', keys }, async () => {
    await readied(redis);
    // For a set that nobody uses.
    await beatOf(redis, 'bowline:check')(undefined);
    return 'runs the workers’ script';
  });
  redis.disconnect();
  return finding;
}

/** The client retries by itself; a timeout rejects with its last error. */
function readied(redis: ReturnType<typeof connectRedis>): Promise<void> {
  return new Promise((resolve, reject) => {
    let last: Error = new DOMException('no answer', 'TimeoutError');
    redis.on('error', (error) => (last = error));
    redis.once('ready', resolve);
    setTimeout(() => reject(last), redisMs);
  });
}

const redisMs = 4_000;

/** Gets a price from the exchange and from Pyth, and checks this machine's clock against the exchange's. */
export async function sourceFindings(config: Config, { assets }: Pick<AddressBook, 'assets'>): Promise<Finding[]> {
  const { exchange, pyth } = openOffChain(config, silent);
  const { marketDataUrl, pythUrl } = config;
  const pair = assets.find(({ exchangePair }) => exchangePair !== undefined)?.exchangePair;
  const id = assets.find(({ pythId }) => pythId !== undefined)?.pythId;
  const clocks: Finding[] = [];
  const looks: Promise<Finding>[] = [];
  if (exchange && marketDataUrl && pair) {
    const ask = async () => {
      const { answeredAt } = await exchange.bookTicker(pair);
      clocks.push(clockFinding(clock() - answeredAt));
      return `has a price of ${pair}`;
    };
    looks.push(asked('exchange', { url: marketDataUrl.reveal(), setting: 'MARKET_DATA_URL' }, ask));
  }
  if (pyth && pythUrl && id) {
    const at = { url: pythUrl.reveal(), setting: 'PYTH_URL', keys: 'PYTH_API_KEY' };
    looks.push(asked('pyth', at, () => pyth.price(id).then(() => 'has a signed price')));
  }
  return [...(await Promise.all(looks)), ...clocks];
}

const maxOffSeconds = 2n;

function clockFinding(ahead: bigint): Finding {
  const isOff = ahead > maxOffSeconds || ahead < -maxOffSeconds;
  if (!isOff) return ok('clock', 'This machine’s clock agrees with the exchange’s.');
  const found = `This machine’s clock is ${ahead < 0n ? `${-ahead} s behind` : `${ahead} s ahead of`} the exchange’s.`;
  return refused('clock', 'clock_wrong', found, 'Set this machine’s clock by NTP (timedatectl set-ntp true).');
}

export function modelFinding({ apiKey, baseUrl, name }: NonNullable<Config['model']>): Promise<Finding> {
  const url = baseUrl.reveal();
  const reached = { apiKey: apiKey.reveal(), baseUrl: url, model: name, timeoutMs: 8_000, maxRetries: 0 };
  return asked(
    'model',
    { url, setting: 'OPENAI_BASE_URL (or the name in OPENAI_MODEL)', keys: 'OPENAI_API_KEY' },
    async () => {
      await createLanguageModel(reached).respond([{ role: 'user', text: 'Say ok.' }], []);
      return `answers as ${name}`;
    },
  );
}

export function facilitatorFinding(chainId: number, { rail }: NonNullable<Config['payment']>): Promise<Finding> {
  const at =
    rail.name === 'x402'
      ? { url: rail.facilitatorUrl.reveal(), setting: 'X402_FACILITATOR_URL' }
      : { url: rail.baseUrl.reveal(), setting: 'B402_BASE_URL', keys: 'B402_CLIENT_ID and the two keys of B402' };
  return asked('facilitator', at, async () => {
    const { client } = facilitatorOf(rail);
    const { kinds } = await client.getSupported().catch((error: Error) => {
      // The x402 library gives the status only in its message.
      const [, status] = /\((\d{3})\)/.exec(error.message) ?? [];
      throw status === undefined ? error : Object.assign(error, { status: Number(status) });
    });
    if (kinds.some(({ network }) => network === `eip155:${chainId}`)) return `accepts payments on chain ${chainId}`;
    const remedy = `Set ${at.setting} to a facilitator of chain ${chainId}.`;
    return refused(
      'facilitator',
      'chain_id',
      `${new URL(at.url).host} accepts no payments on chain ${chainId}.`,
      remedy,
    );
  });
}

/** Maximum number of hosts that are looked up. */
const maxHosts = 20;

/** Whether the hosts of owners' webhooks resolve. */
export async function webhookFindings({ notices }: Pick<Config, 'notices'>): Promise<Finding[]> {
  const registrations = await openRegistrations(notices, clock).catch(() => undefined);
  if (registrations === undefined) {
    const found = 'notices.json in DATA_DIR cannot be read: no notices are sent.';
    return [refused('webhooks', 'notices_off', found, 'Repair or remove notices.json in DATA_DIR, then restart.')];
  }
  const urls = registrations.owners().flatMap((owner) =>
    registrations
      .of(owner)
      .map(({ url }) => new URL(url))
      .filter(({ host }) => host !== ''),
  );
  const hosts = [...new Map(urls.map((url) => [url.hostname, url])).values()].slice(0, maxHosts);
  const resolve = createResolve();
  const known = await Promise.all(hosts.map((url) => addressesOf(url, resolve)));
  const lost = hosts.filter((_, at) => known[at]?.length === 0).map(({ hostname }) => hostname);
  if (lost.length === 0) return hosts.length === 0 ? [] : [ok('webhooks', `${hosts.length} webhook hosts resolve.`)];
  const found = `${lost.length} of ${hosts.length} hosts of owners’ webhooks are not found: ${lost.join(', ')}.`;
  return [note('webhooks', 'host_unknown', found, 'Tell their owners; if all are lost, repair this machine’s DNS.')];
}
