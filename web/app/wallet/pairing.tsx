import encodeQR from 'qr';
import { useEffect, useState } from 'react';
import type { Connector } from 'wagmi';
import { CopyButton } from '../parts/copy-button.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { pairingWords } from '../words/en/pairing.ts';
import { useConnecting } from './connecting.tsx';

/** Asks for a connection to a wallet on another device, and shows the code that the wallet scans. */
export function Pairing({ connector }: { readonly connector: Connector }) {
  const { connect } = useConnecting();
  const [uri, setUri] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one request for each time that it is opened.
  useEffect(() => {
    const onMessage = ({ type, data }: { readonly type: string; readonly data?: unknown }) => {
      if (type === 'display_uri') setUri(String(data));
    };
    connector.emitter.on('message', onMessage);
    connect(connector);
    return () => connector.emitter.off('message', onMessage);
  }, []);
  return (
    <div className="own-wallet stack small">
      {uri === undefined ? <Skeleton lines={4} label={pairingWords.asking} /> : <Code uri={uri} />}
      <p className="faint">{pairingWords.third}</p>
    </div>
  );
}

const Code = ({ uri }: { readonly uri: string }) => (
  <>
    <p>{pairingWords.scan}</p>
    <img
      className="qr"
      src={`data:image/svg+xml,${encodeURIComponent(encodeQR(uri, 'svg', { border: 4 }))}`}
      alt={pairingWords.code}
      width="240"
      height="240"
    />
    <div className="buttons">
      <a className="button" href={uri}>
        {pairingWords.open}
      </a>
      <CopyButton text={uri} of={pairingWords.link} />
    </div>
  </>
);
