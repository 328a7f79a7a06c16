import { once } from 'node:events';
import { type IncomingMessage, request as open } from 'node:http';
import { layout, type Place, parse } from './layout.ts';

export interface Call {
  /** GET, or POST if there is a body. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export type Answer = Awaited<ReturnType<typeof send>>;

/** Sends a call to the recorded program, and writes down call and answer under a heading that is unique in the file. */
export type Ask = (heading: string, call: Call) => Promise<Answer>;

/** A recorded file is a list of blocks, each below a unique heading. */
export const block = (heading: string, text: string): string => `===== ${heading} =====\n${text}`;

/** Headers of the connection, and those derived from the body, which is recorded itself. */
const leftOut = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'etag']);

export function createRecorder(url: string, blocks: string[]): Ask {
  const written = new Map<string, string>();
  return async (heading, call) => {
    const place = { path: heading, written };
    if (blocks.some((each) => each.startsWith(block(heading, '')))) throw new Error(`Two calls are "${heading}".`);
    const answer = await send(url, call);
    blocks.push(block(heading, `${writtenCall(call, place)}\n\n${writtenAnswer(call.path, answer, place)}`));
    return answer;
  };
}

function writtenCall({ method, path, headers = {}, body }: Call, place: Place): string {
  const text = typeof body === 'string' ? body : layout(body, place);
  // Filler that only makes a body too long is shortened.
  const brief = text?.replace(/x{1000,}/, (all) => `${all.length} times x`);
  return [`${method ?? (body === undefined ? 'GET' : 'POST')} ${path}`, ...lines(headers, place), brief ?? []]
    .flat()
    .join('\n');
}

function writtenAnswer(path: string, { status, headers, text }: Answer, place: Place): string {
  const told = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !leftOut.has(name))
      .sort(),
  );
  return [String(status), ...lines(told, place), ...(text === '' ? [] : [writtenBody(path, text, place)])].join('\n');
}

const lines = (headers: Readonly<Record<string, unknown>>, place: Place): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${writtenHeader(String(value), place)}`);

/** Also lays out JSON in base64, as x402 sends it. */
function writtenHeader(value: string, place: Place): string {
  const text = Buffer.from(value, 'base64').toString();
  const parsed = value.length > 40 ? parse(text) : undefined;
  return parsed !== undefined && Buffer.from(text).toString('base64') === value
    ? `base64 of ${layout(text, place)}`
    : value;
}

function writtenBody(path: string, text: string, place: Place): string {
  // Values of metrics depend on time; their names are what others rely on.
  if (path === '/metrics') return text.replace(/^[^#].*\n/gm, '').trimEnd();
  const parsed = parse(text);
  if (parsed !== undefined) return layout(parsed, place);
  return text.trimEnd().replace(/^data: (.*)$/gm, (line, data) => {
    const event = parse(data);
    return event === undefined ? line : `data: ${layout(event, place)}`;
  });
}

/** Does not use `fetch`, which adds its own headers. */
async function send(url: string, { method, path, headers = {}, body }: Call) {
  const request = open(new URL(path, url), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  request.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return { status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) };
}
