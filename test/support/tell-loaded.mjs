// With `node --import`: tells on standard error each file that the process loads. What modules import is told by a hook,
// what CommonJS requires is in its cache.
import { createRequire, register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  process._rawDebug(`loaded ${found.url}`)
  return found
}

// This file is the hook too, in a thread of its own.
if (isMainThread) {
  register(import.meta.url)
  const { cache } = createRequire(import.meta.url)
  process.on('exit', () => {
    for (const path of Object.keys(cache)) process._rawDebug(`loaded file://${path}`)
  })
}
