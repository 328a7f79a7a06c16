import type { z } from 'zod';
import { readSecretFile } from './secret-file.ts';
import { isSecret, isSecretList } from './setting-schemas.ts';

// Reads settings from the environment. Each setting is declared once: from its declaration come its parsing,
// `.env.example` and docs/reference/settings.md (`npm run lab -- settings`).

export type Environment = Readonly<Record<string, string | undefined>>;

/** The test network has BNB Chain's defaults. */
type Chain = 'local' | 'bsc';

/** One value for every chain, or one per chain. */
export type PerChain = string | { readonly [Name in Chain]?: string };

export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Heading in the documentation. Settings that share the first word of their names share the heading. */
  readonly group: string;
  /** One or two sentences. */
  readonly about: string;
  /** Parses the text. If it accepts undefined, the setting is optional. */
  readonly schema: Schema;
  /** The text when the variable is not set. */
  readonly default?: PerChain;
  /** How the documentation names the default if the value itself would not help. */
  readonly defaultName?: PerChain;
  /**
   * Decrypts the content of NAME_FILE if it is encrypted with the password in NAME_PASSWORD_FILE; returns other content
   * unchanged. Throws an error whose message continues a sentence that begins with NAME_FILE.
   */
  readonly unlock?: (content: string, password: string | undefined) => string;
}

export type Settings = Readonly<Record<string, Setting>>;

export type Values<Table extends Settings> = { readonly [Name in keyof Table]: z.output<Table[Name]['schema']> };

/** Puts settings under a heading. */
export const group = <Table extends Readonly<Record<string, Omit<Setting, 'group'>>>>(title: string, settings: Table) =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, { ...setting, group: title }])) as {
    readonly [Name in keyof Table]: Table[Name] & Pick<Setting, 'group'>;
  };

/**
 * Reports conflicts between individually valid settings, one line each.
 * @param isSet whether a setting is set, by its variable or by a file.
 * @param isInEnvironment the variable itself holds the value, so anyone who can read the process's environment knows it.
 */
type Conflicts<Table extends Settings> = (
  values: Values<Table>,
  isSet: (name: keyof Table & string) => boolean,
  isInEnvironment: (name: keyof Table & string) => boolean,
) => string[];

export const textOn = (text: PerChain | undefined, chain: Chain): string | undefined =>
  typeof text === 'object' ? text[chain] : text;

/**
 * The values of the settings. An empty variable counts as not set. A secret setting may instead be given by NAME_FILE,
 * the path of a file with its value. If it has several values: several paths, and one password for all or one for each.
 * @throws an error whose message has one line for each variable that is missing or malformed; or, if there
 * are none, for each conflict. A line is the name and the schema's message.
 */
export function readEnvironment<Table extends Settings>(
  settings: Table,
  environment: Environment,
  conflicts: Conflicts<Table> = () => [],
): Values<Table> {
  const textOf = (name: string) => environment[name]?.trim() || undefined;
  const isInEnvironment = (name: string) => textOf(name) !== undefined;
  const isSet = (name: string) =>
    isInEnvironment(name) || (isSecret(settings[name]?.schema) && isInEnvironment(`${name}_FILE`));
  const chain = textOf('CHAIN')?.startsWith('bsc') === true ? 'bsc' : 'local';
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const file = isSecret(setting.schema) ? fromFile(name, setting, textOf) : {};
    if (file.problem !== undefined) {
      problems.push(file.problem);
      continue;
    }
    const text = file.text ?? textOf(name) ?? textOn(setting.default, chain);
    const { success, data, error } = setting.schema.safeParse(text);
    if (success) values[name] = data;
    else if (text === undefined) problems.push(`${name} is required when CHAIN is ${textOf('CHAIN') ?? 'local'}.`);
    else problems.push(`${name} ${error.issues[0]?.message}.`);
  }
  const all = problems.length > 0 ? problems : conflicts(values as Values<Table>, isSet, isInEnvironment);
  if (all.length > 0) throw new Error(all.join('\n'));
  return values as Values<Table>;
}

interface FromFile {
  /** Undefined: no file is named. */
  readonly text?: string;
  readonly problem?: string;
}

/** The value of a secret setting from its file, or the line that says why there is none. It never repeats a path or a value. */
function fromFile(name: string, { schema, unlock }: Setting, textOf: (name: string) => string | undefined): FromFile {
  const paths = textOf(`${name}_FILE`);
  const passwordPaths = unlock && textOf(`${name}_PASSWORD_FILE`);
  if (paths === undefined) {
    return passwordPaths === undefined ? {} : { problem: `${name}_PASSWORD_FILE has no effect without ${name}_FILE.` };
  }
  if (textOf(name) !== undefined) return { problem: `${name} and ${name}_FILE are both set: set one of them.` };
  let reading = `${name}_PASSWORD_FILE`;
  try {
    const filesIn = (list: string) =>
      (isSecretList(schema) ? list.split(',') : [list]).map((path) => readSecretFile(path.trim()));
    const passwords = passwordPaths ? filesIn(passwordPaths) : [];
    reading = `${name}_FILE`;
    const texts = filesIn(paths).map((content, at) =>
      unlock ? unlock(content, passwords.length === 1 ? passwords[0] : passwords[at]) : content,
    );
    return { text: texts.join(',') };
  } catch (error) {
    return { problem: `${reading} ${(error as Error).message}.` };
  }
}

/** A line for each former setting that is still set: its operator believes it applies. @param former name → what to set now, if anything. */
export const formerSettings = (former: Readonly<Record<string, string>>, environment: Environment): string[] =>
  Object.entries(former)
    .filter(([name]) => [name, `${name}_FILE`].some((each) => environment[each]?.trim()))
    .map(([name, now]) => `${name} is no longer a setting: ${now ? `set ${now} instead` : 'unset it'}.`);

/** Adds the variables of `.env` in the working directory to the process environment. */
export function readEnvFile(): Environment {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return process.env;
}
