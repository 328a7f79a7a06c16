import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import GithubSlugger from 'github-slugger';
import { Marked } from 'marked';
import MiniSearch from 'minisearch';
import { type BuildOptions, build, type Plugin, type Rolldown } from 'vite';
import groups from './pages.json' with { type: 'json' };
import { searched } from './searched.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readRoot = (path: string) => readFileSync(at(`../../${path}`));

interface DocsPage {
  /** Relative to /docs/. */
  readonly path: string;
  readonly title: string;
  readonly body: string;
  readonly headings: { readonly id: string; readonly title: string; readonly depth: number }[];
}

/** Adds the documentation to the build of the page. */
export const docsPlugin: Plugin = {
  name: 'docs',
  async generateBundle() {
    const { target, cssTarget, cssMinify } = this.environment.config.build;
    for (const [path, source] of await docsFiles({ target, cssTarget, cssMinify }))
      this.emitFile({ type: 'asset', fileName: `docs/${path}`, source });
  },
};

/**
 * The files under /docs/, by path: the project's Markdown as static pages, with no external resources and nothing that
 * the page's policy forbids. Scripts add search and copy buttons; the rest works without them.
 */
export async function docsFiles(browsers: BuildOptions = {}): Promise<Map<string, string | Uint8Array>> {
  const images = new Map<string, Uint8Array>();
  const pages = Object.values(groups)
    .flatMap((group) => Object.keys(group))
    .map((source) => pageOf(source, images));
  const index = new MiniSearch(searched);
  for (const { path, title: page, body, headings } of pages) {
    const texts = body.split(/(?=<h\d id=)/).map((html) => html.replaceAll(/<[^>]*>|&#?\w+;/g, ' '));
    index.addAll(headings.map(({ id, title }, at) => ({ id: `${path}#${id}`, page, title, text: texts[at] })));
  }
  const missing: DocsPage = {
    ...{ path: '404.html', title: 'Page not found', headings: [] },
    body: '<h1>Page not found</h1><p>The documentation has no page at this address. Search for it, or start at the <a href="/docs/">overview</a>.</p>',
  };
  return new Map<string, string | Uint8Array>([
    ...pages.map((page) => [page.path, htmlOf(page, upFrom(page.path))] as const),
    // Served at any depth.
    [missing.path, htmlOf(missing, '/docs/')],
    ...images,
    ['icon.svg', readRoot('web/app/icon.svg')],
    ['search.json', JSON.stringify(index)],
    ...(await scripts(browsers)),
  ]);
}

/** docs.js, docs.css, and the script that docs.js loads for the first search. */
async function scripts(browsers: BuildOptions): Promise<(readonly [string, string | Uint8Array])[]> {
  const names = { entryFileNames: 'docs.js', chunkFileNames: 'search.js', assetFileNames: 'docs[extname]' };
  const { output } = (await build({
    ...{ configFile: false, root: at('.'), base: './', logLevel: 'warn' },
    build: {
      ...{ ...browsers, write: false, modulePreload: false },
      rolldownOptions: { input: at('client.ts'), output: names },
    },
  })) as Rolldown.RolldownOutput;
  return output.map((made) => [made.fileName, made.type === 'chunk' ? made.code : made.source]);
}

/** README.md is the first page. */
const htmlPath = (source: string): string =>
  source === 'README.md'
    ? 'index.html'
    : source.replace(/^docs\//, '').replace(/(README)?\.md$/, (_, readme) => (readme ? 'index.html' : '.html'));

const upFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);

const isPage = (source: string): boolean => Object.values(groups).some((group) => source in group);

/**
 * A link to a page, or to a folder with a README.md, leads to that page. A link to any other file becomes plain text,
 * because web readers have no checkout.
 */
function pageOf(source: string, images: Map<string, Uint8Array>): DocsPage {
  const path = htmlPath(source);
  const headings: DocsPage['headings'] = [];
  const slugger = new GithubSlugger();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const title = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = slugger.slug(title);
        headings.push({ id, title, depth });
        const html = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}">${depth === 1 ? html : `<a href="#${id}">${html}</a>`}</h${depth}>\n`;
      },
      link(token) {
        if (/^(https?:|#)/.test(token.href)) return false;
        const [file = '', anchor] = token.href.split('#');
        const named = normalize(join(dirname(source), file));
        const target = [named, join(named, 'README.md')].find(isPage);
        if (target === undefined) return this.parser.parseInline(token.tokens);
        token.href = upFrom(path) + htmlPath(target) + (anchor ? `#${anchor}` : '');
        return false;
      },
      image(token) {
        const file = normalize(join(dirname(source), token.href));
        const name = file.replace(/^docs\//, '');
        images.set(name, readRoot(file));
        token.href = upFrom(path) + name;
        return false;
      },
      // The only HTML in our Markdown is comments; anything else that looks like HTML is a placeholder.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
  // Scrollable elements must be reachable by keyboard.
  const body = marked
    .parse(`${readRoot(source)}`, { async: false })
    .replaceAll('<pre>', '<div class="code"><pre class="box" tabindex="0">')
    .replaceAll('</pre>', '</pre></div>')
    .replaceAll('<table>', '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll('</table>', '</table></div>');
  return { path, title: headings[0]?.title ?? source, body, headings };
}

function htmlOf({ path, title, body, headings }: DocsPage, up: string): string {
  const sidebar = Object.entries(groups).map(([name, pages], at) => {
    const links = Object.entries(pages).map(([source, label]) => {
      const current = htmlPath(source) === path ? ' aria-current="page"' : '';
      return `<li><a href="${up}${htmlPath(source)}"${current}>${label}</a></li>`;
    });
    const isOpen = at < 2 || Object.keys(pages).some((source) => htmlPath(source) === path);
    return `<details${isOpen ? ' open' : ''}><summary>${name}</summary><ul>\n${links.join('\n')}\n</ul></details>`;
  });
  const contents = headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ id, title, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escaped(title)}</a></li>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === 'Bowline' ? title : `${title} – Bowline`)}</title>
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}docs.css">
<script type="module" src="${up}docs.js"></script>
<header class="top"><a class="skip" href="#content">Skip to content</a>
<button class="menu button small" popovertarget="pages">Pages</button>
<a class="brand" href="${up}index.html">Bowline <span>docs</span></a>
<button class="search button small" hidden>Search <kbd>/</kbd></button>
<a href="/">Open app</a>
</header>
<nav id="pages" popover aria-label="Documentation">
${sidebar.join('\n')}
</nav>
<main id="content">
${body}</main>
${contents.length > 0 ? `<nav class="contents" aria-label="On this page">On this page<ul>\n${contents.join('\n')}\n</ul></nav>` : ''}
<dialog class="box" aria-label="Search">
<form method="dialog" class="row"><span class="input"><input aria-label="Search the documentation" placeholder="Search the documentation"></span><button class="button">Close</button></form>
<p role="status"></p>
<nav class="results" aria-label="Found"></nav>
</dialog>
</html>
`;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
