import { UsageError } from 'restante'

interface Modules {
  'node:events': typeof import('node:events')
  'node:stream': typeof import('node:stream')
}

/** A module of Node, asked for only when it is needed: the rest runs anywhere. @throws UsageError `needs_node` */
export function node<Name extends keyof Modules>(name: Name): Modules[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name)
  if (found) return found as Modules[Name]
  throw new UsageError(
    'needs_node',
    `there is no ${name} here: take mailStream, mailObservable, onMail or mailbox.incoming()`,
  )
}
