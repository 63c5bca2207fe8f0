import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { styles } from './styles'

const security = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** Nothing of the request is in it: what it shows, its script fetches. */
const claimPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Claim an account · Restante</title>
<link rel="stylesheet" href="console.css">
<script src="claim.js" type="module"></script>
</head>
<body>
<header><strong>Restante</strong> <span id="who"></span></header>
<p id="said" role="status"></p>
<main id="main"><p>Loading…</p><noscript><p>This page needs JavaScript.</p></noscript></main>
</body>
</html>`

const readScript = () => readFile(createRequire(import.meta.url).resolve('#claim-page'), 'utf8')

/** The pages where a human signs in, claims an account and keeps its keys. */
export function createConsolePages(): Hono {
  const app = new Hono()
  const file = (type: string) => ({ ...security, 'content-type': `${type}; charset=utf-8` })
  app.get('/claim', (c) => c.html(claimPage, 200, security))
  app.get('/claim.js', async (c) => c.body(await readScript(), 200, file('text/javascript')))
  app.get('/console.css', (c) => c.body(styles, 200, file('text/css')))
  return app
}
