import { existsSync } from 'node:fs';
import { placeIn } from '@bowline/http/place';

/** Prints a line for the user. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The project's folder: a checkout, or what `npm run lab -- package` builds. */
export const root = new URL('../', import.meta.url);

/** Whether this is a package, without `npm start` or a compiler: lab/tools/package.mjs adapts such words. */
export const isPackaged = existsSync(new URL('sbom.cdx.json', root));

/** Resolves a path from a setting or option, relative to the project. */
export const placeOf = (path: string): URL => placeIn(root, path);
