import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keystore } from 'ox';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { awaited, must } from '../smoke/requests.ts';
import { customersOf, patienceMs } from './customers.ts';
import type { Environment, Process, Stage } from './stage.ts';
import type { World } from './world.ts';

/** Where others reach the agent. They believe that it is a proxy with a certificate. */
export const publicUrl = 'https://agent.example';

/** An encrypted key in its own files. */
interface KeyFiles {
  readonly address: Address;
  readonly keystore: string;
  readonly password: string;
}

export interface Step {
  readonly title: string;
  /** For the page: what the operator does, and why. */
  readonly why: string;
  /** @returns what the chain, or the world, shows after it. @throws one line that says what is wrong. */
  play(operator: Operator): Promise<string>;
}

/** Makes a key and keeps it as `cast wallet new FOLDER NAME` does (scrypt with 8,192 rounds), its password in a folder of its own. */
export function makeKey(keystores: string, passwords: string, name: string): KeyFiles {
  for (const folder of [keystores, passwords]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [keystore, password] = [join(keystores, name), join(passwords, name)];
  const secret = randomBytes(24).toString('base64');
  const privateKey = generatePrivateKey();
  const [key, options] = Keystore.scrypt({ password: secret, n: 8_192, r: 8, p: 1 });
  writeFileSync(keystore, JSON.stringify(Keystore.encrypt(privateKey, key, options)), { mode: 0o600, flag: 'wx' });
  // Ends with a newline, as a command would write it.
  writeFileSync(password, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return { address: privateKeyToAddress(privateKey), keystore, password };
}

export type Operator = ReturnType<typeof createOperator>;

/**
 * The player: a person with this checkout, keys in files, and a node.
 * @param deployments folder of the deployment record.
 */
export function createOperator(world: World, stage: Stage, deployments: string, agentUrl: string) {
  const keys = new Map<string, KeyFiles>();
  const key = (name: string): KeyFiles => {
    const found = keys.get(name);
    must(found, `There is no key ${name}.`);
    return found;
  };
  const ready = () =>
    fetch(`${agentUrl}/ready`).then(
      ({ status }) => status,
      () => undefined,
    );
  let agent: Process | undefined;
  return {
    ...{ world, stage, deployments, agentUrl, keys, key },
    /** The agent's current settings, besides those of the stage. */
    settings: {} as Environment,
    /** Sets some of them, and deletes others, for the next start. */
    set(changed: Environment, deleted: readonly string[] = []): void {
      const kept = Object.entries(this.settings).filter(([name]) => !deleted.some((each) => name.startsWith(each)));
      this.settings = { ...Object.fromEntries(kept), ...changed };
      const written = Object.entries(changed).map(([name, value]) => `${name}=${value}`);
      const lines = [...written, ...deleted.map((name) => `${name}_… deleted`)];
      stage.note('vi agent.env', {}, lines.join('\n'));
    },
    /** The agent's entry in the registry of agents. */
    entry: -1n,
    /** Asks again for what was paid for, with the same payment. @throws if the answer differs or costs something. */
    askAgain: (): Promise<void> => Promise.reject(new Error('Nothing was paid for.')),
    /** Available once the contracts are recorded. */
    customers: () => customersOf(world, deployments),
    /** The settings that name a key's files. */
    by(setting: string, ...names: readonly string[]): Environment {
      const files = (kind: 'keystore' | 'password') => names.map((name) => key(name)[kind]).join(',');
      return { [`${setting}_FILE`]: files('keystore'), [`${setting}_PASSWORD_FILE`]: files('password') };
    },
    /** Waits until /ready returns this status. */
    isReady: (status: 200 | 503) =>
      awaited(async () => (await ready()) === status || undefined, `/ready is not ${status}`, patienceMs),
    /** Starts the agent with its settings as they are, and waits until it can do its work. @param folder of another version. */
    async start(folder?: string): Promise<void> {
      const options = { settings: this.settings, ...(folder && { folder }) };
      agent = stage.start(folder ? 'node bowline.js agent' : 'npx bowline agent', options);
      let ended: string | undefined;
      void agent.ended.then(({ code, output }) => (ended = `The agent ended with ${code}: ${output.slice(-2_000)}`));
      const isUp = async () => ended !== undefined || (await ready()) === 200 || undefined;
      await awaited(isUp, 'The agent is not ready', patienceMs);
      if (ended) throw new Error(ended);
    },
    /** @returns its exit code, and its output. */
    async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      must(agent, 'The agent does not run.');
      agent.kill(signal);
      return agent.ended;
    },
    /** An owner makes a plan that is due at once. @returns its number, after its first run. */
    async planThatRuns(signer: string): Promise<bigint> {
      const { createPlan, firstRun } = customersOf(world, deployments);
      const id = await createPlan(key(signer).address);
      await firstRun(id);
      return id;
    },
  };
}
