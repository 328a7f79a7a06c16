import type { Plugin, Rolldown } from 'vite';
import { sectionPages } from './server/files.ts';

/** Such as `app/plans/plans.tsx`: a section is a folder with a file of the same name, loaded when shown. */
const sectionFile = /\/app\/(?<name>[a-z]+)\/\k<name>\.tsx$/;
/** Sections whose path has a different name. */
const paths: Readonly<Record<string, string>> = { guard: 'loans', buy: 'trade' };

/**
 * Writes a page for each section that preloads its code and the settings along with the frame's code. Otherwise a
 * browser would request them only after running the frame. index.html is the first section's page.
 */
export function firstLoad(first: string): Plugin {
  return {
    name: 'first-load',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const { 'index.html': page } = bundle;
        if (page?.type !== 'asset') throw new Error('The build has made no index.html.');
        const frame = String(page.source);
        const pageOf = (chunk: Rolldown.OutputChunk) => {
          const files = [...withImports(chunk, bundle)].filter((file) => !frame.includes(file));
          const links = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
          links.unshift('<link rel="preload" as="fetch" crossorigin href="/config.json">');
          return frame.replace('</head>', `${links.map((link) => `  ${link}\n`).join('  ')}  </head>`);
        };
        for (const chunk of Object.values(bundle)) {
          const name = chunk.type === 'chunk' && sectionFile.exec(chunk.facadeModuleId ?? '')?.groups?.name;
          if (!name) continue;
          if (name === first) page.source = pageOf(chunk);
          else
            this.emitFile({
              type: 'asset',
              fileName: `${sectionPages}/${paths[name] ?? name}.html`,
              source: pageOf(chunk),
            });
        }
        if (page.source === frame) throw new Error(`No section is called ${first}.`);
      },
    },
  };
}

/** A chunk's own file and the files of all its static imports. */
function withImports(
  chunk: Rolldown.OutputChunk,
  bundle: Rolldown.OutputBundle,
  found = new Set<string>(),
): Set<string> {
  found.add(chunk.fileName);
  for (const file of chunk.imports) {
    const imported = bundle[file];
    if (imported?.type === 'chunk' && !found.has(file)) withImports(imported, bundle, found);
  }
  return found;
}
