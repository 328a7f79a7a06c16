/** A parsed command line: options with their values, and the words between them. */
export interface Line<Name extends string> {
  readonly options: Readonly<Record<Name, string>>;
  readonly words: readonly string[];
}

/**
 * Reads `--name value` and `--name=value`. Everything else is a word, including "-5", which Node's own parser takes for
 * an option.
 * @param defaults every supported option.
 * @throws one line that lists the options.
 */
export function readLine<Name extends string>(
  command: string,
  defaults: Readonly<Record<Name, string>>,
  args: readonly string[] = process.argv.slice(2),
): Line<Name> {
  const options: Record<string, string> = { ...defaults };
  const words: string[] = [];
  const rest = args.flatMap((arg) => (/^--[\w-]+=/.test(arg) ? arg.split(/=(.*)/s, 2) : [arg]));
  for (let at = 0; at < rest.length; at += 1) {
    const arg = rest[at] ?? '';
    if (!arg.startsWith('--')) {
      words.push(arg);
      continue;
    }
    const value = rest[at + 1];
    if (!Object.hasOwn(defaults, arg.slice(2)) || value === undefined)
      throw unknown(command, Object.keys(defaults), arg);
    options[arg.slice(2)] = value;
    at += 1;
  }
  return { options: options as Record<Name, string>, words };
}

/** For commands that take only options. */
export function onlyOptions<Name extends string>(command: string, defaults: Readonly<Record<Name, string>>) {
  const { options, words } = readLine(command, defaults);
  if (words[0] !== undefined) throw unknown(command, Object.keys(defaults), words[0]);
  return options;
}

const unknown = (command: string, names: readonly string[], arg: string): Error =>
  new Error(`${command} takes ${names.map((name) => `--${name} …`).join(', ') || 'no options'}, not "${arg}".`);
