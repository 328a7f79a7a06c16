/**
 * The build calls this for each `import()` instead of Vite's own helper. It fetches the files before importing them,
 * because some browsers remember a failed module for as long as the page is open (whatwg/html#6768), so no retry could
 * succeed. The page's server lets browsers cache these files, so they are sent once.
 * @param files of the module and all its imports, relative to the page's root.
 */
export async function fetchedImport<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.filter(isNew).map(fetchFile));
  return load();
}

const arrived = new Set<string>();

/** Whether the file has not been fetched here and the HTML does not name it either. */
const isNew = (file: string): boolean =>
  !arrived.has(file) && !['href', 'src'].some((name) => document.querySelector(`[${name}="/${file}"]`));

async function fetchFile(file: string): Promise<void> {
  const response = await fetch(`/${file}`);
  if (!response.ok) throw new Error(`The page's server answers ${response.status} for ${file}.`);
  await response.arrayBuffer();
  arrived.add(file);
}
