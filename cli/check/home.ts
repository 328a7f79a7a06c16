import { existsSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** Whether this runs from what `npm run lab -- package` makes, which has no `npm start` and compiles nothing: lab/tools/package.mjs puts such words right. */
export const isPackaged = existsSync(new URL('sbom.cdx.json', root));
