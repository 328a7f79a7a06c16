import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from 'viem';
import { awaited, type Customers } from './actor.ts';
import { filesOf, type KeyFiles } from './keys.ts';
import type { Process, Stage } from './stage.ts';
import type { World } from './world.ts';

/** Where others reach the agent: a proxy with a certificate, as they believe. */
export const publicUrl = 'https://agent.example';

/** Who plays: a person with this checkout, keys in files, and a node. */
export interface Operator {
  readonly world: World;
  readonly stage: Stage;
  /** Folder of the deployment record, as a URL and as the settings name it. */
  readonly deployments: URL;
  readonly folder: string;
  readonly agentUrl: string;
  readonly webPort: number;
  readonly keys: Map<string, KeyFiles>;
  /** The agent's key settings as they are now. */
  settings: Readonly<Record<string, string>>;
  agent?: Process;
  customers?: Customers;
  /** What later steps come back to. */
  readonly kept: {
    foreseen?: readonly (readonly [name: string, address: Address])[];
    plan?: bigint;
    wallet?: Address;
    entry?: bigint;
    backup?: string;
    record?: string;
  };
  lastLog?: () => string;
}

export interface Step {
  readonly title: string;
  /** For the page: what the operator does, and why. */
  readonly why: string;
  /**
   * @returns what the chain, or the world, shows after it.
   * @throws one line that says what is not as it should be.
   */
  play(operator: Operator): Promise<string>;
}

export function keyOf({ keys }: Operator, name: string): KeyFiles {
  const key = keys.get(name);
  if (key === undefined) throw new Error(`There is no key ${name} yet.`);
  return key;
}

export function customers({ customers: found }: Operator): Customers {
  if (found === undefined) throw new Error('Nothing is deployed yet.');
  return found;
}

export function planOf({ kept }: Operator): bigint {
  if (kept.plan === undefined) throw new Error('There is no plan yet.');
  return kept.plan;
}

/** Starts the agent with its settings as they are, and waits until it can do its work. */
export async function startAgent(operator: Operator): Promise<void> {
  const { stage, settings, agentUrl } = operator;
  operator.lastLog = () => {
    const file = join(stage.folder, 'agent.log');
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '';
  };
  const agent = stage.start('agent', 'agent/src/main.ts', settings);
  operator.agent = agent;
  let ended: number | null | undefined;
  void agent.ended.then(({ code }) => (ended = code));
  await awaited(async () => {
    if (ended !== undefined) return false;
    return (await fetch(`${agentUrl}/ready`)).status === 200 ? true : undefined;
  }, 'The agent is not ready');
  if (ended !== undefined) throw new Error(`The agent ended with ${ended}.`);
}

/** @returns its exit code. */
export async function endAgent(operator: Operator, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
  const { agent } = operator;
  if (agent === undefined) throw new Error('The agent does not run.');
  agent.kill(signal);
  return (await agent.ended).code;
}

/** A key setting by its keystores. */
export function by(operator: Operator, setting: string, ...names: readonly string[]): Record<string, string> {
  const keys = names.map((name) => keyOf(operator, name));
  const [keystore, password] = [keys.map((key) => key.keystore).join(), keys.map((key) => key.password).join()];
  return filesOf(setting, { keystore, password });
}
