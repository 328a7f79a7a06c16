import { step } from '@bowline/core/domain/asking';
import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ChargeCall } from '../../../src/api/mcp/call.ts';
import type { Tool } from '../../../src/tools/tool.ts';

/** A red pixel. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==';
/** One silent sample. */
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';

const said = (text: string): ContentBlock => ({ type: 'text', text });
const image: ContentBlock = { type: 'image', data: png, mimeType: 'image/png' };

/** The answers that the suite expects, by tool. */
const contents: Readonly<Record<string, readonly ContentBlock[]>> = {
  test_simple_text: [said('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    {
      type: 'resource',
      resource: {
        uri: 'test://embedded-resource',
        mimeType: 'text/plain',
        text: 'This is an embedded resource content.',
      },
    },
  ],
  test_multiple_content_types: [
    said('Multiple content types test:'),
    image,
    {
      type: 'resource',
      resource: {
        uri: 'test://mixed-content-resource',
        mimeType: 'application/json',
        text: '{"test":"data","value":123}',
      },
    },
  ],
  test_tool_with_progress: [said('Three steps were taken.')],
  test_logging_tool: [said('Nothing was logged.')],
  test_streaming_elicitation: [said('Nothing was asked.')],
};

const nothing = z.object({});

/** The suite's tools that answer at once, defined like our own: they are listed and called the same way. */
export const contentTools: readonly Tool[] = [...Object.keys(contents), 'test_error_handling'].map((name) => ({
  name,
  title: name,
  description: 'A tool of the conformance suite.',
  effect: 'read',
  input: nothing,
  output: nothing,
  async run(_input, _context, asking) {
    if (name === 'test_error_handling') throw new Error('This tool intentionally returns an error for testing');
    for (const done of [0, 50, 100]) step(asking, done, 100, 'testing');
    return {};
  },
}));

/** Replaces our contents with the suite's. */
export const giveContents: ChargeCall = async ({ tool }, free) => {
  const result = await free();
  const content = contents[tool];
  return content === undefined || result.isError ? result : { ...result, content: [...content] };
};
