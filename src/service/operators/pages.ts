import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { loadLater } from '../base/load-later'
import { refuse } from '../base/refuse'
import { codingFor } from '../http/compress'
import type { HttpPorts } from '../http/handlers/ports'
import { htmlFrame } from './html-frame'

/** Files of the console, as listed by the build. Their names contain a hash of their content. */
interface Manifest {
  script: string
  style: string
  /** Files that the script imports statically. */
  preload: string[]
  /** Inline scripts of the document that shows the HTML of messages, in order; none is served separately. */
  frame: string[]
  /** All files that are served. */
  files: string[]
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const security = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const built = loadLater(async () => {
  const path = createRequire(import.meta.url).resolve('#console')
  return { folder: dirname(path), manifest: JSON.parse(await readFile(path, 'utf8')) as Manifest }
})

/** Scripts of the document that shows the HTML of messages. */
const frameScripts = loadLater(async () => {
  const { folder, manifest } = await built()
  return Promise.all(manifest.frame.map((name) => readFile(join(folder, name), 'utf8')))
})

/** Suffixes of the precompressed files, best first. */
const encodings = { br: '.br', gzip: '.gz' }

/** Reads a file in the best encoding that the browser accepts. */
async function readAsset(name: string, accepted: string) {
  const { folder, manifest } = await built()
  if (!manifest.files.includes(name))
    throw refuse('not_found', 'This file of the console does not exist. Reload the page.')
  const encoding = codingFor(accepted)
  const content = await readFile(join(folder, name + (encoding ? encodings[encoding] : '')))
  return { content: new Uint8Array(content), encoding }
}

/** Returns the path of the console as the browser sees it: a proxy may have added a prefix. */
const baseOf = (consoleUrl: string) => new URL(consoleUrl).pathname.replace(/\/+$/, '')

/** Contains nothing of the request: the script fetches all data. */
const shell = (
  base: string,
  isCaptured: boolean,
  signUpByLink: boolean,
  { script, style, preload }: Manifest,
) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="restante-base" content="${base}">
<meta name="restante-delivery" content="${isCaptured ? 'capture' : 'real'}">
<meta name="restante-sign-up" content="${signUpByLink ? 'link' : 'password'}">
<title>Restante</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/${style}">
${preload.map((name) => html`<link rel="modulepreload" href="${base}/assets/${name}">`)}
<script src="${base}/assets/${script}" type="module"></script>
</head>
<body>
<div id="app"><noscript><p>The console needs JavaScript.</p></noscript></div>
</body>
</html>`

/**
 * Creates the console: one page for every path below it, and its files. The page calls the API with the
 * session of its visitor.
 */
export function createConsolePages(
  { settings, talk }: Pick<HttpPorts, 'settings' | 'talk'>,
  signUpByLink: boolean,
): Hono {
  const app = new Hono()
  app.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const { content, encoding } = await readAsset(name, c.req.header('accept-encoding') ?? '')
    return c.body(content, 200, {
      ...security,
      'content-type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
  })
  app.get('/html', async () => htmlFrame(await frameScripts()))
  app.get('*', async (c) => {
    const { manifest } = await built()
    return c.html(shell(baseOf(settings.consoleUrl), talk !== null, signUpByLink, manifest), 200, {
      ...security,
      'cache-control': 'no-store',
    })
  })
  return app
}
