import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

/** A file that is served under /docs/. */
interface DocsFile {
  /** Under /docs/. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** What a reader finds in the list at the top of each page. */
const readers = [
  ['README.md', 'Overview'],
  ['docs/owners.md', 'Owners'],
  ['docs/integrators.md', 'Integrators'],
  ['docs/operations.md', 'Operators'],
  ['docs/runbook.md', 'Runbook'],
  ['AUDIT.md', 'Auditors'],
  ['CONTRIBUTING.md', 'Contributors'],
] as const;

/**
 * The project's Markdown as static pages: no script, no inline style, nothing from elsewhere. A link to a page, or to a
 * folder with a README.md, leads to that page. A link to any other file stays as text, since a reader of the web has no checkout.
 * @param root the checkout, with a slash at its end.
 * @param css of the pages.
 */
export function docsFiles(root: string, css: string): DocsFile[] {
  const pages = markdownOf(root);
  const images = new Set<string>();
  const files: DocsFile[] = pages.map((page) => ({
    path: htmlPath(page),
    content: htmlOf(page, readFileSync(join(root, page), 'utf8'), new Set(pages), images),
  }));
  const pictures = [...images]
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path: path.replace(/^docs\//, ''), content: readFileSync(join(root, path)) }));
  return [...files, ...pictures, { path: 'docs.css', content: css }];
}

/** Puts them beside the page in its build. */
export const docsPlugin = (root: string, stylesheets: readonly string[]): Plugin => ({
  name: 'docs',
  generateBundle() {
    const css = stylesheets.map((path) => readFileSync(path, 'utf8')).join('\n');
    for (const { path, content } of docsFiles(root, css)) {
      this.emitFile({ type: 'asset', fileName: `docs/${path}`, source: content });
    }
  },
});

const markdownOf = (root: string): string[] => [
  ...[
    'README.md',
    'AUDIT.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/README.md',
    'packages/sdk/README.md',
  ],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

/** README.md is the first page. */
function htmlPath(page: string): string {
  if (page === 'README.md') return 'index.html';
  return page.replace(/^docs\//, '').replace(/(README)?\.md$/, (_, readme) => (readme ? 'index.html' : '.html'));
}

function htmlOf(page: string, markdown: string, pages: ReadonlySet<string>, images: Set<string>): string {
  const up = '../'.repeat(htmlPath(page).split('/').length - 1);
  const hrefOf = (target: string) => `${up}${htmlPath(target)}`;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(html)}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        if (/^(https?:|#)/.test(href)) return `<a href="${escaped(href)}">${text}</a>`;
        const [path = '', anchor] = href.split('#');
        const named = normalize(join(dirname(page), path));
        const target = [named, join(named, 'README.md')].find((each) => pages.has(each));
        return target ? `<a href="${hrefOf(target)}${anchor ? `#${escaped(anchor)}` : ''}">${text}</a>` : text;
      },
      image({ href, text }: Tokens.Image) {
        const target = normalize(join(dirname(page), href));
        images.add(target);
        return `<img src="${up}${target.replace(/^docs\//, '')}" alt="${escaped(text)}">`;
      },
      // What scrolls can be reached by keyboard.
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      // Markdown may contain HTML; ours has none, and what looks like it is a placeholder.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  const name = /^# (.+)$/m.exec(markdown)?.[1] ?? page;
  const title = name === 'Bowline' ? name : `${name} – Bowline`;
  const links = readers
    .map(([path, name]) => `<a href="${hrefOf(path)}"${path === page ? ' aria-current="page"' : ''}>${name}</a>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${up}docs.css">
<header><a class="skip" href="#content">Skip to content</a>
<nav aria-label="Documentation">
<a href="/">The page</a>
${links}
</nav></header>
<main id="content">
${body}</main>
</html>
`;
}

/** As GitHub makes them of headings. */
const anchorOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>|&[a-z#0-9]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
