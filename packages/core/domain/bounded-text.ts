/**
 * The body of a response as text.
 * @throws if it breaks off, or is longer than `maxBytes` when unpacked: it could fill the memory of the process.
 */
export async function boundedText({ body }: Pick<Response, 'body'>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    // Leaving the loop ends the request.
    if (length > maxBytes) throw new Error(`The answer is longer than ${maxBytes} bytes.`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
