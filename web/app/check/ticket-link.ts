// A ticket in a link's fragment, which browsers send to no server: base64url of its JSON, or of the JSON's gzip.

/** A ticket with its evidence has 20 kB. */
const MAX_CHARS = 1_000_000;

/** The text behind a link's `#`; undefined if there is none. @throws Error if it is not such a text, or too long. */
export async function textOfFragment(fragment: string): Promise<string | undefined> {
  const encoded = fragment.replace(/^#/, '');
  if (encoded === '') return undefined;
  if (encoded.length > MAX_CHARS || !/^[\w-]+={0,2}$/.test(encoded)) throw new Error('no ticket');
  const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = new Blob([bytes]).stream();
  return readAll(isGzip ? stream.pipeThrough(new DecompressionStream('gzip')) : stream);
}

/** The fragment for a text, without its `#`. */
export async function fragmentOf(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A kilobyte of gzip can unpack to a megabyte, and anyone can make a link. */
async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = '';
  const reader = stream.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > MAX_CHARS) {
      await reader.cancel();
      throw new Error('no ticket');
    }
  }
  return text;
}
