const address = /(0x[0-9a-fA-F]{38,64})/;

/** Names and values. Addresses and hashes stand out and may break anywhere. */
export const Facts = ({ rows }: { readonly rows: readonly (readonly [name: string, value: string])[] }) => (
  <dl className="facts roomy">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value.split(address).map((part) => (address.test(part) ? <code key={part}>{part}</code> : part))}</dd>
      </div>
    ))}
  </dl>
);
