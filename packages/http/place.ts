import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * The file or folder that a setting or an option names, relative to `root`. Its name may contain "#" and "?", which
 * have a special meaning in a URL. A trailing slash is kept.
 */
export const placeIn = (root: URL, path: string): URL =>
  pathToFileURL(join(resolve(fileURLToPath(root), path), path.endsWith('/') ? '/' : ''));
