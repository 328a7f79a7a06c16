import {
  completable,
  fromJsonSchema,
  McpServer,
  ResourceTemplate,
  type ServerNotifier,
} from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { createServeCall } from '../../../src/api/mcp/call.ts';
import { listedOf } from '../../../src/api/mcp/listed.ts';
import { createEndpoint } from '../../../src/api/mcp.ts';
import { callTool } from '../../../src/tools/call.ts';
import { world } from '../../tools/world.ts';
import { keepLog } from '../log.ts';
import { contentTools, giveContents, png } from './contents.ts';
import { addAskingTools, requestState } from './inputs.ts';

/** The suite's tools, resources and prompts, served as the agent serves its own. */
export function createFixtures(): RequestHandler {
  const serveCall = createServeCall(
    contentTools,
    callTool(contentTools, world, () => {}),
    giveContents,
  );
  const listed = contentTools.map(listedOf);
  const make = () => {
    const own = { capabilities: { logging: {} }, requestState };
    const server = new McpServer({ name: 'fixtures', version: '1' }, own);
    for (const { name, ...shown } of listed) {
      server.registerTool(name, shown, (input, context) => serveCall(name, input, context));
    }
    addAskingTools(server);
    addTools(server, () => endpoint.notify);
    addResources(server);
    addPrompts(server);
    return server;
  };
  const endpoint = createEndpoint(make, keepLog());
  return endpoint.serve;
}

function addTools(server: McpServer, notify: () => ServerNotifier): void {
  const inputSchema = z.object({});
  const done = { content: [{ type: 'text' as const, text: 'Done.' }] };
  const description = 'A tool of the conformance suite.';
  server.registerTool('test_trigger_tool_change', { description, inputSchema }, () => {
    notify().toolsChanged();
    return done;
  });
  server.registerTool('test_trigger_prompt_change', { description, inputSchema }, () => {
    notify().promptsChanged();
    return done;
  });
  // The keyword is the protocol's, not JSON Schema's.
  const region = { type: 'string', 'x-mcp-header': 'Region' } as const;
  const inHeader = fromJsonSchema({ type: 'object', properties: { region } });
  server.registerTool('test_header', { description, inputSchema: inHeader }, () => done);
  server.registerTool('json_schema_2020_12_tool', { description, inputSchema: fromJsonSchema(rich) }, () => done);
}

/** Copied from the suite. */
const rich = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function addResources(server: McpServer): void {
  const description = 'A resource of the conformance suite.';
  const text = { description, mimeType: 'text/plain' };
  const binary = { description, mimeType: 'image/png' };
  server.registerResource('static-text', 'test://static-text', text, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', binary, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: png }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  server.registerResource('template', template, { description, mimeType }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const description = 'A prompt of the conformance suite.';
  const says = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } });
  server.registerPrompt('test_simple_prompt', { description }, () => ({
    messages: [says('This is a simple prompt for testing.')],
  }));
  const two = z.object({ arg1: completable(z.string(), () => ['paris', 'park', 'party']), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description, argsSchema: two }, ({ arg1, arg2 }) => ({
    messages: [says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  const one = z.object({ resourceUri: z.string() });
  server.registerPrompt('test_prompt_with_embedded_resource', { description, argsSchema: one }, ({ resourceUri }) => {
    const resource = { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
    return {
      messages: [
        { role: 'user', content: { type: 'resource', resource } },
        says('Please process the embedded resource above.'),
      ],
    };
  });
  server.registerPrompt('test_prompt_with_image', { description }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      says('Please analyze the image above.'),
    ],
  }));
}
