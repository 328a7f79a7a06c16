import { setTimeout as sleep } from 'node:timers/promises';
import { type AddressBook, withAccountFactory } from '@bowline/core/registry/address-book';
import { readAddressBook } from '@bowline/http/address-book';
import type { Secret } from '@bowline/http/secret';
import { type Config, loadConfig, secretsOf } from '../agent/src/config.ts';
import { type Finding, notChecked, ofStart, ok, openReport, refused } from './check/finding.ts';
import { agentFindings, diskFinding } from './check/machine.ts';
import { logFinding, lookAtNode, type NodeLook, sendFinding, socketFinding } from './check/nodes.ts';
import * as services from './check/services.ts';
import { bytecodeFinding, type Started, startOf } from './check/start.ts';
import { type ExitCode, exitCodes, type Options } from './commands.ts';
import { placeOf } from './home.ts';
import { type Host, hostOf, shellEnvironment } from './host.ts';
import { bookOf, recordAt } from './record.ts';
import { chainOption } from './values.ts';

/** Anything that has not answered by then counts as refused. */
const deadlineMs = 12_000;

/**
 * `npx bowline check`: runs the agent's own startup with its settings, to test what it needs without acting. Takes no
 * resource that a running agent holds, and sends no transaction that costs anything.
 */
export async function check(given: Options<'check'>): Promise<ExitCode> {
  const environment = withOptions(given);
  const { config, findings } = settingsOf(environment);
  const report = openReport(config ? secretsOf(config).filter(({ length }) => length >= 8) : []);
  const host = orUndefined(() => hostOf(environment));
  if (host === undefined) {
    report.show('Settings', findings);
    return exitCodes.wrong;
  }
  const urls = config?.rpcUrls.map((url) => url.reveal()) ?? orUndefined(() => host.rpcUrls()) ?? [];
  const { book, recorded } = bookAt(host);
  const isRecorded = recorded.state === 'ok';
  const nodes = Promise.all(
    urls
      .filter((url) => URL.canParse(url))
      .map((url, at) => lookAtNode(nameOf('node', urls, at), url, host.chainId, book)),
  );
  const usable = nodes.then((looked) => looked.filter(({ isUsable }) => isUsable).map(({ url }) => url));
  const unread: Started = { findings: [notChecked('keys', 'valid settings and a deployment record')] };
  const started = config && isRecorded ? usable.then((found) => startOf(config, found)) : Promise.resolve(unread);
  const code = usable.then(async ([url]) =>
    url && isRecorded ? [await bytecodeFinding(url, recordAt(host.record))] : [],
  );
  const sections: Readonly<Record<string, Promise<readonly Finding[]>>> = {
    settings: Promise.resolve(findings),
    machine: together(diskFinding(placeOf(`${host.data}/`)), config && agentFindings(config)),
    nodes: nodes.then((looked) => looked.flatMap((node) => node.findings)),
    start: together(
      Promise.resolve(recorded),
      started.then((start) => start.findings),
      code,
    ),
    ways: config ? nodes.then((looked) => wayFindings(config, looked, started)) : Promise.resolve([]),
    services: config ? serviceFindings(config, book, started) : Promise.resolve([]),
  };
  const late = sleep(deadlineMs, undefined, { ref: false });
  const remedy = 'A service accepts requests but does not respond: see the lines above, and use another one.';
  for (const [title, looking] of Object.entries(sections)) {
    const silent = () => [refused(title, 'silent', `Not finished within ${deadlineMs / 1_000} s.`, remedy)];
    report.show(`${title[0]?.toUpperCase()}${title.slice(1)}`, await Promise.race([looking, late.then(silent)]));
  }
  return report.conclude() ? exitCodes.done : exitCodes.wrong;
}

const together = async (...looks: readonly (Promise<Finding | readonly Finding[]> | undefined)[]) =>
  (await Promise.all(looks)).flatMap((found) => found ?? []);

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Adds a number if there are several. */
const nameOf = (name: string, all: readonly unknown[], at: number) => (all.length === 1 ? name : `${name}.${at + 1}`);

/** An option overrides the settings that it replaces. */
function withOptions({ rpc, chain, deployments }: Options<'check'>) {
  if (chain !== undefined) chainOption(chain);
  return {
    ...shellEnvironment(),
    ...(rpc !== undefined && { RPC_URL: rpc, RPC_URL_FILE: '' }),
    ...(chain !== undefined && { CHAIN: chain }),
    ...(deployments !== undefined && { DEPLOYMENTS_DIR: deployments }),
  };
}

interface Read {
  readonly config?: Config;
  readonly findings: readonly Finding[];
}

/** Uses the agent's own parser: one line for each setting that it refuses. */
function settingsOf(environment: ReturnType<typeof shellEnvironment>): Read {
  try {
    const config = loadConfig(environment);
    return { config, findings: [ok('settings', `All are valid, for CHAIN ${config.chain}.`), requestsOf(config)] };
  } catch (error) {
    const remedyOf = (name = '') =>
      `Correct ${name} in the environment or in .env${name.endsWith('_FILE') ? ', or the file that it names' : ''}.`;
    const lines = (error as Error).message.split('\n');
    return {
      findings: lines.map((line) => refused('settings', 'setting_refused', line, remedyOf(line.split(' ')[0]))),
    };
  }
}

const secondsPerMonth = 30 * 86_400;
/** Requests of an agent at rest that sells jobs (`bench:rest`, docs/reference/costs.md): per poll for a block, and per second. */
const [perLook, perSecond] = [0.92, 1.3];

function requestsOf({ guardBlockPollMs, rpcUrls }: Config): Finding {
  const looks = guardBlockPollMs === 0 ? 0 : 1_000 / guardBlockPollMs;
  const millions = Math.ceil(((looks * perLook + perSecond) * secondsPerMonth) / 1e6);
  const whose = rpcUrls.length === 1 ? 'the node' : 'each node';
  return ok('requests', `About ${millions} million a month to ${whose}, by GUARD_BLOCK_POLL_MS.`);
}

/** Without a complete record our own addresses are zero; the node can still be checked. */
function bookAt({ chainId, deployments, accountFactory, record }: Host) {
  try {
    const book = readAddressBook(chainId, placeOf(`${deployments}/`));
    return { book: withAccountFactory(book, accountFactory), recorded: ok('record', `${record}.`) };
  } catch (error) {
    return { book: bookOf(chainId, 'node_modules/.no-record'), recorded: ofStart('record', error) };
  }
}

/**
 * Checks each node's logs, and every address that accepts transactions or announces blocks. The start's requests come
 * first; a WebSocket shares nothing with them, and takes seconds to be found silent.
 */
function wayFindings(config: Config, nodes: readonly NodeLook[], started: Promise<Started>): Promise<Finding[]> {
  const { chainId, rpcUrls, privateSendUrls, rpcWsUrls } = config;
  const broken = nodes.filter(({ isUsable }) => !isUsable).map(({ url }) => url);
  const each = (name: string, all: readonly Secret[], look: (check: string, url: string) => Promise<Finding>) =>
    Promise.all(
      all.flatMap((url, at) => (broken.includes(url.reveal()) ? [] : [look(nameOf(name, all, at), url.reveal())])),
    );
  const requests = async ({ chain }: Started) => {
    const { own, escrow } = chain?.book ?? {};
    const needing = config.payment ? 'Payments' : config.seller && escrow && 'Jobs';
    const address = escrow?.commerce ?? own?.planRegistry;
    return together(
      address && each('logs', rpcUrls, (check, url) => logFinding(check, url, address, needing)),
      each('send', rpcUrls, (check, url) => sendFinding(check, url, chainId, 'RPC_URL')),
      each('relay', privateSendUrls, (check, url) => sendFinding(check, url, chainId, 'PRIVATE_SEND_URLS')),
    );
  };
  const usable = nodes.find(({ isUsable }) => isUsable)?.url;
  return together(
    started.then(requests),
    each('websocket', rpcWsUrls, (check, url) => socketFinding(check, url, usable)),
  );
}

function serviceFindings(config: Config, book: AddressBook, started: Promise<Started>): Promise<Finding[]> {
  const { bundlerUrls, redisUrl, model, payment } = config;
  return together(
    ...bundlerUrls.map(async (url, at) => {
      const { proven } = await started;
      return services.bundlerFinding(nameOf('bundler', bundlerUrls, at), url.reveal(), config.chainId, book, proven);
    }),
    redisUrl && services.redisFinding(redisUrl.reveal()),
    services.sourceFindings(config, book),
    model && services.modelFinding(model),
    payment && services.facilitatorFinding(config.chainId, payment),
    services.webhookFindings(config),
  );
}
