import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { loadLater, refuse } from '../base'
import type { HttpPorts } from '../http'
import { htmlFrame } from './html-frame'

/** The files of the console by name, as the build lists them: what they are called changes with what is in them. */
interface Manifest {
  script: string
  style: string
  /** What the script loads at once. */
  preload: string[]
  /** The scripts that stand in the document that shows the HTML of mail, in their order: none is served by itself. */
  frame: string[]
  /** Every file that is served. */
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

/** The scripts of the document that shows the HTML of mail. */
const frameScripts = loadLater(async () => {
  const { folder, manifest } = await built()
  return Promise.all(manifest.frame.map((name) => readFile(join(folder, name), 'utf8')))
})

/** The endings of the compressed files beside each, the best first. */
const encodings = { br: '.br', gzip: '.gz' }

/** Reads a file as small as the browser takes it. */
async function readAsset(name: string, accepted: string) {
  const { folder, manifest } = await built()
  if (!manifest.files.includes(name))
    throw refuse('not_found', 'This file of the console is not here: load the page anew.')
  const encoding = (Object.keys(encodings) as (keyof typeof encodings)[]).find((one) =>
    new RegExp(`\\b${one}\\b`).test(accepted),
  )
  const content = await readFile(join(folder, name + (encoding ? encodings[encoding] : '')))
  return { content: new Uint8Array(content), encoding }
}

/** The path that a page stands below, as the browser has it: a proxy may have put another before it. */
const baseOf = (consoleUrl: string) => new URL(consoleUrl).pathname.replace(/\/+$/, '')

/** Nothing of the request is in it: what it shows, its script fetches. */
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
 * The console: one page for every path below it, and the files that it is made of. Whoever opens it sees what it asks the
 * interface for, as themselves.
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
