/**
 * Mailbox for LangChain 1.x.
 *
 * @module
 */
export {
  MailLoader,
  type MailLoaderOptions,
  type MailMetadata,
  MailRetriever,
  type MailRetrieverOptions,
} from './langchain/documents'
export { type AgentInboxOptions, type AgentTurn, agentInbox, type InboxAgent } from './langchain/inbox'
export { createMailboxTools, MailboxToolkit } from './langchain/tools'
