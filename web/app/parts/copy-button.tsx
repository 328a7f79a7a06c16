import { useState } from 'react';
import { partWords } from '../words/en/parts.ts';

/** Absent unless the page is served over https or from this machine. */
interface Clipboard {
  readonly writeText: (text: string) => Promise<void>;
}

const clipboard = () => (globalThis.navigator as { readonly clipboard?: Clipboard } | undefined)?.clipboard;

/** Copies an address; renders nothing if the browser cannot. @param of its name for screen readers, after "Copy". */
export function CopyButton({ text, of }: { readonly text: string; readonly of: string }) {
  const [copied, setCopied] = useState<string>();
  if (!clipboard()) return null;
  const copy = () =>
    void clipboard()
      ?.writeText(text)
      .then(
        () => setCopied(text),
        () => setCopied(undefined),
      );
  return (
    <button type="button" className="button quiet small" onClick={copy}>
      {copied === text ? partWords.copied : partWords.copy}
      <span className="unseen">{of}</span>
    </button>
  );
}
