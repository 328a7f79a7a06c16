import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

const maxBytes = 65_536;

/**
 * The text of a file that holds a secret, without white space at its ends.
 * @throws an error whose message continues a sentence that begins with a setting's name, and names neither path nor content.
 */
export function readSecretFile(path: string): string {
  const file = opened(path);
  try {
    // Checks the opened file, not the path: a link could be swapped in between.
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error('must name a regular file');
    if ((stat.mode & 0o007) !== 0) throw new Error('names a file that others may open: run chmod o= on it');
    if (stat.size > maxBytes) throw new Error(`names a file of more than ${maxBytes} bytes`);
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') throw new Error('names an empty file');
    return text;
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number {
  try {
    // With O_NONBLOCK, opening a pipe does not wait for a writer.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error('names a file that does not exist');
    throw new Error(`names a file that cannot be opened (${code ?? 'unknown'})`);
  }
}
