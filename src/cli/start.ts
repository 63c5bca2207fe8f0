#!/usr/bin/env node
import { requireHandles } from '../service/base'

// Nothing else is imported before: where few files may be open, Node would end with a stack of its own.
const explain = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EMFILE' || code === 'ENFILE'
    ? 'This process may not open enough files: raise the limit, to 1024 at least (ulimit -n 1024).'
    : `It cannot be loaded: ${message}. Install the package anew.`
}

try {
  requireHandles()
  await import('./main')
} catch (error) {
  const message = explain(error)
  const facts = { error: 'cannot_start', message }
  process.stderr.write(
    `${process.argv.includes('--json') ? JSON.stringify(facts) : `restante: ${message}`}\n`,
  )
  process.exitCode = 1
}
