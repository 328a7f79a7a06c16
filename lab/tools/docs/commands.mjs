/** How a line of shell begins in these pages, with variables that it sets, or with a prompt. */
const command = /^\s*(?:\$ )?(?:[A-Z_]+=\S+ +)*(?:npm|npx|node|curl) /;

/** A block between fences: its indentation, its language and its lines. */
const fenced = /^( *)```(\w*)\n(.*?)^ *```$/gms;

/**
 * The lines of a page's `sh` blocks, without comments. A line that ends with a backslash goes on in the next.
 * @param {string} text
 */
export function commandsIn(text) {
  return [...text.matchAll(fenced)]
    .filter(([, , language]) => language === 'sh')
    .flatMap(([, , , block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => line.replace(/ +#.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Lines of a page that a reader takes for commands, and that are neither in a block of `sh`, which is run, nor of `text`, which says that
 * nobody can run it as it stands: in an indented block, or between fences of another language or of none.
 * @param {string} text
 */
export function unmarkedIn(text) {
  const inOthers = [...text.matchAll(fenced)]
    .filter(([, , language]) => language !== 'sh' && language !== 'text')
    .flatMap(([, , , block = '']) => block.split('\n'));
  const indented = text
    .replaceAll(fenced, '')
    .split('\n')
    .filter((line) => /^(?: {4}|\t)/.test(line));
  return [...inOthers, ...indented].filter((line) => command.test(line)).map((line) => line.trim());
}
