import { existsSync } from 'node:fs';
import { placeIn } from '@bowline/http/place';

/** Prints a line for the user. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The project's folder: a checkout, or what `npm run lab -- package` makes. */
export const root = new URL('../', import.meta.url);

/** Whether this is a package, which has no `npm start` and compiles nothing: lab/tools/package.mjs puts such words right. */
export const isPackaged = existsSync(new URL('sbom.cdx.json', root));

/** A file or folder as settings and options name it: relative to the project. */
export const placeOf = (path: string): URL => placeIn(root, path);
