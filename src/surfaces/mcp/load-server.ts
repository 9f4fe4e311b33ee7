// Loads the MCP server, which is bundled into a separate file: no other command needs the protocol.

export function loadServer(): Promise<typeof import('./mcp-server.ts')> {
  return import('./mcp-server.js');
}
