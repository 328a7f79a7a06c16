import { useState } from 'react';
import type { Address } from 'viem';
import { partWords } from '../words/en/parts.ts';

/** Absent where the page is not served over https or from this machine. */
interface Clipboard {
  readonly writeText: (text: string) => Promise<void>;
}

const clipboard = () => (globalThis.navigator as { readonly clipboard?: Clipboard } | undefined)?.clipboard;

/** The contract that the wallet will show as the one that gets an approval: whole, to compare and to copy. */
export function Spender({ address }: { readonly address: Address }) {
  const [copied, setCopied] = useState<Address>();
  const copy = () =>
    void clipboard()
      ?.writeText(address)
      .then(
        () => setCopied(address),
        () => setCopied(undefined),
      );
  return (
    <p className="field-hint spender">
      {partWords.spender} <code className="mono">{address}</code>{' '}
      {clipboard() && (
        <button type="button" className="button quiet small" onClick={copy}>
          {copied === address ? partWords.copied : partWords.copy}
          <span className="unseen">{partWords.ofAddress}</span>
        </button>
      )}
    </p>
  );
}
