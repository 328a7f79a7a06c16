import type { Address } from 'viem';
import { partWords } from '../words/en/parts.ts';
import { CopyButton } from './copy-button.tsx';

/** The contract that the wallet will show as the one that gets an approval: whole, to compare and to copy. */
export function Spender({ address }: { readonly address: Address }) {
  return (
    <p className="field-hint">
      {partWords.spender} <code className="full">{address}</code> <CopyButton text={address} of={partWords.ofAddress} />
    </p>
  );
}
