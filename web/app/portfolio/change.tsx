/** The change over 24 hours; the arrow carries the meaning, and the colour repeats it. */
export function Change({ percent }: { readonly percent: string | undefined }) {
  if (percent === undefined) return <p className="faint">24 h change unknown</p>;
  const isDown = percent.startsWith('-');
  const [whole = '0', fraction = ''] = percent.replace('-', '').split('.');
  return (
    <p className={`change ${isDown ? 'down' : 'up'}`}>
      <span aria-hidden="true">{isDown ? '▾' : '▴'}</span>
      <span className="unseen">{isDown ? 'down' : 'up'}</span> {whole}.{fraction.slice(0, 2).padEnd(2, '0')} %
      <span className="faint"> 24 h</span>
    </p>
  );
}
