import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The file or folder that a setting or an option names, relative to `root`. Its name may hold "#" and "?", which mean something else in
 * a URL. A slash at the end stays.
 */
export const placeIn = (root: URL, path: string): URL =>
  pathToFileURL(join(resolve(fileURLToPath(root), path), path.endsWith('/') ? '/' : ''));
