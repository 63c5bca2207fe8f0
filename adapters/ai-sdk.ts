/**
 * Mailbox for the Vercel AI SDK, versions 5, 6 and 7.
 *
 * @module
 */
export { type AgentInboxOptions, type AgentTurn, agentInbox, type InboxAgent } from './ai-sdk/inbox'
export { createMailboxTools, type MailboxTools } from './ai-sdk/tools'
