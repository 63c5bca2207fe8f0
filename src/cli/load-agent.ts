import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Mailbox } from '../mailbox'
import { UsageError } from '../protocol/error'

export type Agent = (mailbox: Mailbox) => unknown

/** The path of an agent's file. @throws UsageError `agent_missing` */
export function findAgent(given: string): string {
  const file = resolve(given)
  if (existsSync(file) && statSync(file).isFile()) return file
  throw new UsageError(
    'agent_missing',
    `There is no agent at ${given}: give the path of a module, such as --agent examples/echo-agent.ts.`,
  )
}

/** Loads the module anew, TypeScript included; what it imports from `node_modules` is left to Node. */
export async function loadAgent(file: string): Promise<Agent> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    moduleCache: false,
    fsCache: false,
    nativeModules: ['restante'],
  })
  const agent = await jiti.import(file, { default: true })
  if (typeof agent === 'function') return agent as Agent
  throw new UsageError(
    'agent_invalid',
    `${file} must have a default export that is a function of the mailbox: export default async (mailbox) => { … }`,
  )
}
