import { readdirSync } from 'node:fs';
import { basename, extname, relative, sep } from 'node:path';
import express, { type RequestHandler, type Response } from 'express';

/** Suffix that the build appends to a file's compressed copy, by encoding. */
const copies = { br: '.br', gzip: '.gz' } as const;
/** Smallest output first, because clients list encodings in any order. */
const kinds = ['br', 'gzip'] as const;

/** Folder of the page that the build writes for each section: the same page, plus preloads of the section's code. */
export const sectionPages = 'sections';

/**
 * Serves the built page: its files, compressed where the build made a copy and the client accepts it, and the page at
 * every path that a person visits, because the page does its own routing. The documentation has no routing: an unknown
 * path under /docs/ gets its own 404 page.
 */
export function pageFiles(folder: string): RequestHandler[] {
  const names = new Set(readdirSync(folder, { recursive: true }).map((name) => `/${name}`));
  const copied: RequestHandler = (request, response, next) => {
    response.vary('Accept-Encoding');
    const path = request.path.endsWith('/') ? `${request.path}index.html` : request.path;
    const kind = kinds.find((each) => names.has(path + copies[each]) && request.acceptsEncodings(each));
    if (kind) request.url = path + copies[kind];
    next();
  };
  const visit: RequestHandler = (request, response, next) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (isPage && names.has(`${request.path}/index.html`)) return response.redirect(`${request.path}/`);
    // A navigating browser asks for HTML explicitly; programs that accept anything get the problem.
    const isVisit = isPage && request.accepts(['json', 'html']) === 'html';
    const isOfDocs = request.path.startsWith('/docs/');
    if (!isVisit || request.path.startsWith('/api/') || (extname(request.path) !== '' && !isOfDocs)) return next();
    const ofSection = `/${sectionPages}/${request.path.split('/')[1]}.html`;
    request.url = isOfDocs ? '/docs/404.html' : names.has(ofSection) ? ofSection : '/index.html';
    if (isOfDocs) response.status(404);
    files(request, response, next);
  };
  const found = express.static(folder, { index: 'index.html', redirect: false, setHeaders: headersIn(folder) });
  const files: RequestHandler = (request, response, next) =>
    copied(request, response, (error?: unknown) => (error ? next(error) : found(request, response, next)));
  return [files, visit];
}

/** Names of built files change with their content; the page's own name does not. */
const headersIn = (folder: string) => (response: Response, path: string) => {
  const kind = Object.entries(copies).find(([, ending]) => path.endsWith(ending));
  if (kind) {
    response.set('Content-Encoding', kind[0]);
    response.type(extname(basename(path, kind[1])));
  }
  // Relative to the build's folder, because the checkout itself may be inside a folder named assets.
  const isBuilt = relative(folder, path).split(sep)[0] === 'assets';
  response.set('Cache-Control', isBuilt ? 'public, max-age=31536000, immutable' : 'no-cache');
};
