/** The entry point for MCP: offers an object's methods as tools of an agent. */
export { mcp, type McpOptions } from './http/mcp/mcp.ts';
export type { McpDoor } from './http/route.ts';
