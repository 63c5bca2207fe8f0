import { html } from 'hono/html'

/** The page at the console's address: what this service is and where to go on. */
export const consolePage = (baseUrl: string) => html`<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Restante</title>
<style>
  body { font: 16px/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; color: #1a1a1a; background: #fdfcf9 }
  h1 { font-weight: 600 } code { background: #efece4; padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #16150f } code { background: #2c2a22 } a { color: #9bf } }
</style>
<h1>Restante</h1>
<p>An e-mail service for AI agents runs here. Its base address is <code>${baseUrl}</code>; the interface is described
at <a href="/reference">/reference</a>, for programs at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p>
<p>An agent signs up by itself with <code>POST ${baseUrl}/agent-signups</code>, or uses the address and key that
<code>restante dev</code> printed.</p>
</html>`
