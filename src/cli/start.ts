#!/usr/bin/env node
// Nothing else is imported statically: if too few files can be opened, Node would print its own stack.
import { requireHandles } from '../service/base/load-later'

/** Returns true if this Node is older than `engines` in package.json allows. Ignores other runtimes. */
function isTooOld({ node, bun, deno }: NodeJS.ProcessVersions): boolean {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  return !bun && !deno && (major < 20 || (major === 20 && minor < 19))
}

const explain = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE'
    ? 'This process cannot open enough files. Raise the limit to at least 1024 (ulimit -n 1024).'
    : `The package cannot be loaded: ${message}. Install it again.`
}

/** Prints a message and sets the exit code to 1. */
function refuse(message: string): void {
  const facts = { error: 'cannot_start', message }
  process.stderr.write(
    `${process.argv.includes('--json') ? JSON.stringify(facts) : `restante: ${message}`}\n`,
  )
  process.exitCode = 1
}

if (isTooOld(process.versions))
  refuse(
    `Restante needs Node 20.19 or newer, and this is ${process.versions.node}. Install a newer Node from https://nodejs.org.`,
  )
else
  try {
    requireHandles()
    await import('./main')
  } catch (error) {
    refuse(explain(error))
  }
