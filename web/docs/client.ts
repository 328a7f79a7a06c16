import '../app/styles/tokens.css';
import '../app/styles/base.css';
import '../app/styles/parts.css';
import '../app/styles/forms.css';
import '../app/frame.css';
import './docs.css';
import type MiniSearch from 'minisearch';
import { searched } from './searched.ts';

// Copy buttons, and a search whose index is loaded when it is first opened.

const part = <T extends HTMLElement>(selector: string): T => document.querySelector(selector) as T;
const dialog = part<HTMLDialogElement>('dialog');
const input = part<HTMLInputElement>('dialog input');
const results = part('.results');
const opener = part<HTMLButtonElement>('.search');
/** Base URL of /docs/, wherever it is served. */
const root = import.meta.url.replace(/[^/]*$/, '');

for (const block of document.querySelectorAll('.code')) {
  // Absent on an insecure connection.
  if (!navigator.clipboard) break;
  const copy = document.createElement('button');
  Object.assign(copy, { className: 'button small', textContent: 'Copy', ariaLive: 'polite' });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent.trimEnd() ?? '');
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 2_000);
  });
  block.append(copy);
}

let loading: Promise<MiniSearch> | undefined;
async function load(): Promise<MiniSearch> {
  const [library, index] = await Promise.all([import('minisearch'), fetch(`${root}search.json`)]);
  return library.default.loadJSON(await index.text(), searched);
}

async function show(): Promise<void> {
  const words = input.value;
  const say = (text: string) => (part('[role=status]').textContent = text);
  try {
    loading ??= load();
    const options = { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } } as const;
    const found = (await loading).search(words, options);
    // The user has typed more in the meantime.
    if (words !== input.value) return;
    const links = found.slice(0, 20).map(({ id, title, page }) =>
      Object.assign(document.createElement('a'), {
        href: root + id,
        textContent: [...new Set([page, title])].join(' › '),
      }),
    );
    results.replaceChildren(...links);
    say(words.trim() === '' ? '' : found.length === 0 ? 'Nothing found' : `${found.length} found`);
  } catch {
    loading = undefined;
    say('The search could not be loaded.');
  }
}

function open(): void {
  dialog.showModal();
  input.select();
  void show();
}

opener.hidden = false;
opener.addEventListener('click', open);
input.addEventListener('input', () => void show());
// A result may be on this page.
results.addEventListener('click', () => dialog.close());
document.addEventListener('keydown', (event) => {
  if (!dialog.open) {
    if (event.key !== '/' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    return open();
  }
  const stops: HTMLElement[] = [input, ...results.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    event.preventDefault();
    stops.at((at + step) % stops.length)?.focus();
  } else if (event.key === 'Enter' && at === 0) {
    event.preventDefault();
    stops[1]?.click();
  }
});
