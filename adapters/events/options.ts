import { type IncomingOptions, type OptionNames, UsageError } from 'restante'

interface Modules {
  'node:events': typeof import('node:events')
  'node:stream': typeof import('node:stream')
}

/** Loads a module of Node on demand, since the rest runs anywhere. @throws UsageError `needs_node` */
export function node<Name extends keyof Modules>(name: Name): Modules[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name)
  if (found) return found as Modules[Name]
  throw new UsageError(
    'needs_node',
    `there is no ${name} here: take mailStream, mailObservable, onMail or mailbox.incoming()`,
  )
}

/** Option names of each view of `mailbox.incoming()`, which checks their values. */
export const incomingNames: OptionNames<IncomingOptions> = {
  consumer: true,
  from: true,
  acknowledge: true,
  maxInFlight: true,
  signal: true,
  inbox: true,
  spam: true,
  unanswerable: true,
  filter: true,
}
