import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { html } from 'hono/html'

/** The look of the console: one column, readable on a phone, light and dark. */
const styles = `
:root { color-scheme: light dark; --ink: #1c1b18; --paper: #fdfcf9; --soft: #efece4; --line: #8a8577; --mark: #0b5c4a; --onmark: #fff; --bad: #a11 }
@media (prefers-color-scheme: dark) { :root { --ink: #eeece6; --paper: #16150f; --soft: #2a2820; --line: #8d887a; --mark: #7fd6bf; --onmark: #10231e; --bad: #ff9d8f } }
* { box-sizing: border-box }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 40rem; margin: 0 auto; padding: 1rem; color: var(--ink); background: var(--paper) }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: center; padding-block: .5rem 1.5rem }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 1rem } h1:focus { outline: none } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem }
form { display: grid; gap: .9rem; margin-block: 1rem } label { display: grid; gap: .25rem; font-weight: 600 }
fieldset { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem 1rem } fieldset label { display: inline-flex; align-items: center; gap: .4rem; font-weight: 400; min-height: 2.75rem; margin-right: 1.25rem }
input, select, button { font: inherit; color: inherit } input, select { font-weight: 400 } summary { min-height: 2.75rem; display: list-item; line-height: 2.75rem; font-weight: 600; color: var(--mark); cursor: pointer } input:not([type=checkbox]), select { width: 100%; min-height: 2.75rem; padding: .4rem .7rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper) }
input[type=checkbox] { width: 1.2rem; height: 1.2rem; accent-color: var(--mark) }
button { min-height: 2.75rem; padding: .4rem 1.1rem; border: 1px solid var(--mark); border-radius: .5rem; background: var(--mark); color: var(--onmark); font-weight: 600; cursor: pointer }
button.plain { background: transparent; color: var(--mark) } button.bad { background: transparent; border-color: var(--bad); color: var(--bad) } button:disabled { opacity: .6; cursor: default }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px } header button { min-height: 2.25rem; padding: .1rem .8rem }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center } .card { background: var(--soft); border-radius: .6rem; padding: .9rem 1.1rem; margin-block: .75rem }
.card p, .card h3 { margin: .2rem 0 } .card button { margin-top: .6rem } .faint { opacity: .8; font-size: .9rem } pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem; overflow-y: auto; margin: .6rem 0 } code, .wrap { overflow-wrap: anywhere } ul { list-style: none; padding: 0; margin: 0 } ul.points { list-style: disc; padding-left: 1.2rem }
#said { margin: 0 } #said:not(:empty) { margin-bottom: 1.5rem; padding: .6rem 1rem; border-left: .3rem solid var(--mark); background: var(--soft) } #said.bad { color: var(--bad); border-color: var(--bad); font-weight: 600 }
`

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
