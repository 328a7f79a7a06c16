/**
 * What the build calls for each `import()` in place of Vite's own helper: fetches the files, and only then imports them.
 * Some browsers remember a module that did not arrive for as long as the page is open (whatwg/html#6768), so that no later
 * try can succeed. The page's server lets browsers keep these files, so they are sent once.
 * @param files of the module and of all that it imports, relative to the page's root.
 */
export async function fetchedImport<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.filter(isNew).map(fetchFile));
  return load();
}

const arrived = new Set<string>();

/** Whether the HTML does not name it either. */
const isNew = (file: string): boolean =>
  !arrived.has(file) && !['href', 'src'].some((name) => document.querySelector(`[${name}="/${file}"]`));

async function fetchFile(file: string): Promise<void> {
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`The page's server answers ${response.status} for ${file}.`);
  await response.arrayBuffer();
  arrived.add(file);
}
