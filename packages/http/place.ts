import { existsSync } from 'node:fs';

/** Where earlier versions kept what stands in `data` by default. */
const former: Readonly<Record<string, string>> = {
  'data/evidence': '.cache/evidence',
  'data/deliverables': '.cache/deliverables',
  'data/notices.json': '.cache/notices.json',
};

/**
 * Where a setting's file or folder is, from the project's root. What an earlier version wrote is used where it stands until
 * somebody moves it: nothing that was kept is out of reach after an update.
 */
export function placeOf(path: string, root: URL): string {
  const before = former[path];
  const isLeft = before !== undefined && !existsSync(new URL(path, root)) && existsSync(new URL(before, root));
  return isLeft ? before : path;
}
