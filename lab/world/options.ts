import { parseArgs } from 'node:util';

/**
 * Parses options with their values, and the words between them.
 * @param defaults every supported option.
 * @throws one line that lists the options.
 */
export function readLine<Name extends string>(command: string, defaults: Readonly<Record<Name, string>>) {
  const names = Object.keys(defaults);
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values, positionals, tokens } = parseArgs({ options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'option' && (token.value === undefined || !names.includes(token.name)))
      throw unknown(command, names, token.rawName);
  }
  return { options: { ...defaults, ...values } as Readonly<Record<Name, string>>, words: positionals };
}

/** For commands that take only options. */
export function onlyOptions<Name extends string>(command: string, defaults: Readonly<Record<Name, string>>) {
  const { options, words } = readLine(command, defaults);
  if (words[0] !== undefined) throw unknown(command, Object.keys(defaults), words[0]);
  return options;
}

const unknown = (command: string, names: readonly string[], arg: string): Error =>
  new Error(`${command} takes ${names.map((name) => `--${name} …`).join(', ') || 'no options'}, not "${arg}".`);
