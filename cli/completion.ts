import type { Command } from 'commander';

/** Prints the completion script for bash and zsh, under this command's own name: `. <(bowline completion)`. */
export async function printCompletion(program: Command): Promise<undefined> {
  process.stdout.write(completionOf(program));
}

/** The words that may follow at each position of a command: a group's commands, otherwise options. */
export function completionOf(program: Command): string {
  const name = program.name();
  const wordsOf = (command: Command): string =>
    [...command.commands.map((each) => each.name()), ...command.options.map(({ long }) => long)].join(' ');
  const cases = program.commands.flatMap((command) => [
    ...command.commands.map((each) => [`"${command.name()} ${each.name()}"`, wordsOf(each)]),
    [`"${command.name()} "*`, wordsOf(command)],
  ]);
  return `[ -n "$ZSH_VERSION" ] && autoload -U +X bashcompinit && bashcompinit
_${name}() {
  local words="${wordsOf(program)}"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases.map(([pattern, words]) => `    ${pattern}) words="${words}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
}
