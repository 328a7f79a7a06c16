import type { ReactNode } from 'react';
import { Explained } from './term.tsx';

const address = /(0x[0-9a-fA-F]{38,64})/;

interface Props {
  readonly name: string;
  /** More about the value, on hover. */
  readonly title?: string | undefined;
  /** Class of the value. */
  readonly className?: string;
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** A name and its value, in a `dl`. */
export const Fact = ({ name, title, className, isLong = false, children }: Props) => (
  <div className={isLong ? 'long' : undefined}>
    <dt>
      <Explained text={name} isLabel />
    </dt>
    <dd {...{ title, className }}>{children}</dd>
  </div>
);

/** Names and values. Addresses and hashes stand out and may break anywhere. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [name: string, value: string])[] }) => (
  <dl className="facts roomy">
    {rows.map(([name, value]) => (
      <Fact key={name} name={name}>
        {value.split(address).map((part) => (address.test(part) ? <code key={part}>{part}</code> : part))}
      </Fact>
    ))}
  </dl>
);
