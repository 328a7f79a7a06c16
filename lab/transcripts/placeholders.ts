// Replaces what differs from recording to recording; everything else stays as it was sent.

/** Names for known values wherever they occur in a text, such as contract addresses. */
export type Names = Readonly<Record<string, string>>;

interface Rule {
  /** Replaces the value; equal values in a file get the same number. */
  readonly name: string;
  /** Its first group is the value. */
  readonly pattern: RegExp;
}

/** The value of one of these keys, also in JSON within a text. */
const keyed = (keys: string, value: string) => new RegExp(`"(?:${keys})\\\\?": ?\\\\?"(${value})(?=\\\\?")`, 'g');

const numbered: readonly Rule[] = [
  // Evidence contains the hash of its block, which follows from every transaction before it.
  { name: 'evidence hash', pattern: keyed('evidence_hash|evidenceHash', '0x[0-9a-f]{64}') },
  { name: 'block hash', pattern: keyed('parentHash', '0x[0-9a-f]{64}') },
  // Operations and transactions contain evidence hashes, and gas that the bundler estimates.
  { name: 'transaction hash', pattern: keyed('hash|by|transaction', '0x[0-9a-f]{64}') },
  // A deliverable contains a ticket.
  { name: 'deliverable hash', pattern: /\/deliverables\/(0x(?!0{64})[0-9a-f]{64})/g },
  // Signed over an evidence hash.
  { name: 'signature', pattern: keyed('signature', '0x[0-9a-f]{130}') },
  // The card's signature, which has a random part.
  { name: 'card signature', pattern: keyed('signature', '[A-Za-z0-9_-]{86}') },
  // Random ids of messages, contexts and tasks.
  { name: 'id', pattern: /"([0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"/g },
];

const replaced: readonly (readonly [pattern: RegExp, by: string])[] = [
  // Limits count down with real time.
  [/^(ratelimit: "[a-z0-9-]+");r=\d+;t=\d+$/gm, '$1;r=<left>;t=<seconds>'],
  [/^(retry-after): \d+$/gm, '$1: <seconds>'],
  [/(A good round ended) \d+ s( ago)/g, '$1 <seconds>$2'],
  [/("lastRoundAt": )"\d+"/g, '$1<time>'],
  [/("last_round": )"[^"]+"/g, '$1<time>'],
  [/("durationMs": )\d+/g, '$1<duration>'],
  [/("revision": )"(?:[0-9a-f]{12}|unknown)"/g, '$1<revision>'],
  // Checked every minute.
  [/"(?:The guards have not been read yet|No plan and no guard is left out)\.(?=")/g, '"<left out>'],
  [/("event": "agent.ready",\s+"port": )\d+/g, '$1<port>'],
];

/** @param names of values that are known in advance, by the value. */
export function withPlaceholders(text: string, names: Names): string {
  let said = text;
  for (const { name, pattern } of numbered) {
    const values = [...new Set([...said.matchAll(pattern)].map(([, value = '']) => value))];
    values.forEach((value, index) => {
      said = said.replaceAll(value, `<${name} ${index + 1}>`);
      // An on-chain record has the first 19 bytes of a hash.
      if (name === 'evidence hash') said = said.replaceAll(value.slice(0, 40), `<19 bytes of ${name} ${index + 1}>`);
    });
  }
  for (const [pattern, by] of replaced) said = said.replace(pattern, by);
  for (const [value, name] of Object.entries(names)) {
    said = said.replaceAll(value, `<${name}>`);
    // Without its checksum, and in calldata without its prefix.
    said = said.replaceAll(value.toLowerCase(), `<${name} in lower case>`);
    if (value.startsWith('0x')) said = said.replaceAll(value.slice(2).toLowerCase(), `<${name}>`);
  }
  return said;
}
