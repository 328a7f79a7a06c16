// Runs stories with one break of breaks.ts in the code: `node broken.ts INVARIANT`. Prints what notices it, or `nothing`.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { breaks } from './breaks.ts';
import type { Story } from './story.ts';

/** Seeds tried after the one that should notice it, because a change to the stories moves it. */
const others = 60;

const project = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const asked = breaks.find(({ invariant }) => invariant === process.argv[2]);
if (asked === undefined) throw new Error(`No break of ${process.argv[2]}.`);
const { edits, invariant, noticedBy } = asked;
const urlOf = (file: string): string => pathToFileURL(join(project, file)).href;

const sources = new Map(edits.map(({ file }) => [urlOf(file), readFileSync(join(project, file), 'utf8')]));
for (const { file, find, replace } of edits) {
  const [before, after, ...more] = (sources.get(urlOf(file)) ?? '').split(find);
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`${file} has not once: ${find}`);
  sources.set(urlOf(file), `${before}${replace}${after}`);
}
registerHooks({
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined ? next(url, context) : { format: 'module-typescript', source, shortCircuit: true };
  },
});

const { storyOf } = await import('./check-story.ts');
const { limits } = await import('./limits.ts');
const { simulate } = await import('./simulate.ts');

const isNoticed = async (story: Story): Promise<boolean> =>
  (await simulate(story, { limits })).violations.some((each) => each.invariant === invariant);

async function firstSeed(from: number): Promise<string> {
  for (let seed = from; seed <= from + others; seed += 1) if (await isNoticed(storyOf(seed))) return `seed ${seed}`;
  return 'nothing';
}

const noticed =
  typeof noticedBy === 'number' ? firstSeed(noticedBy) : (await isNoticed(noticedBy)) ? 'its story' : 'nothing';
console.log(await noticed);
