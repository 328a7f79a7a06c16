import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Address } from 'viem';
import type { Progress } from '../chain/use-steps.ts';
import { partWords } from '../words/en/parts.ts';
import { CopyButton } from './copy-button.tsx';
import { Signing } from './signing.tsx';

interface Props {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly close: () => void;
  readonly isBusy: boolean;
  readonly progress: Progress;
  /** The spender of the approval; undefined while unknown. */
  readonly spender: Address | undefined;
  /** Whether the input can be signed, and the label of the button. */
  readonly state: { readonly isReady: boolean; readonly label: string };
  /** Why signing must wait, in a sentence. */
  readonly waits: string | undefined;
  readonly submit: () => void;
  /** What would be signed, shown next to the fields. */
  readonly beside: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that ends with a signature. It takes the focus, because the button that opened it may be far below. */
export function FormCard(props: Props) {
  const { title, lead, close, isBusy, progress, spender, state, waits, submit, beside, children } = props;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <div>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {lead && <p className="faint">{lead}</p>}
        </div>
        <button type="button" className="button quiet" onClick={close} disabled={isBusy}>
          {partWords.close}
        </button>
      </div>
      <form
        className="split"
        onSubmit={(event) => {
          event.preventDefault();
          if (state.isReady) submit();
        }}
      >
        <div className="form">{children}</div>
        <div className="stack">{beside}</div>
        <div className="form">
          <button type="submit" className="button primary wide" disabled={!state.isReady}>
            {state.label}
          </button>
          {waits && <p className="field-hint">{waits}</p>}
          {spender && <Spender address={spender} />}
          <Signing progress={progress} done="" />
        </div>
      </form>
    </section>
  );
}

/** The contract that the wallet will show as the spender of an approval: in full, to compare and copy. */
export function Spender({ address }: { readonly address: Address }) {
  return (
    <p className="field-hint">
      {partWords.spender} <code className="full">{address}</code> <CopyButton text={address} of={partWords.ofAddress} />
    </p>
  );
}
