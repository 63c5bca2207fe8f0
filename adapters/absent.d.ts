// Frameworks that are too heavy for a plain `npm install` lie in test/frameworks. Where they are not installed the
// adapters are built all the same: these patterns count only for what is not found.
declare module '@langchain/*'
declare module 'langchain*'
declare module '@dbos-inc/*'
declare module '@restatedev/*'
declare module 'rxjs*'
declare module '@mastra/core/*'
declare module '@openai/agents*'
declare module '@google/adk*'
declare module '@anthropic-ai/*'
declare module '@strands-agents/*'
declare module 'genkit*'
declare module '@voltagent/*'
