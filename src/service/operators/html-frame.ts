import { randomBytes } from 'node:crypto'
import { html, raw } from 'hono/html'

/**
 * Policy of the document that shows the HTML of messages. It may run its inline scripts, show pictures from
 * data URLs and open links in new tabs. Its origin is opaque: it reaches neither console, cookies nor
 * network.
 */
const policyOf = (nonce: string) =>
  [
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')

/**
 * Returns the document in which the console shows the HTML of a message, which arrives by `postMessage`. Its
 * scripts are inline: an opaque origin has no cache, and they would be loaded after the message otherwise.
 */
export function htmlFrame(scripts: readonly string[]): Response {
  const nonce = randomBytes(16).toString('base64')
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTML of the message</title>
${scripts.map((script) => html`<script nonce="${nonce}">${raw(script)}</script>`)}
</head>
<body></body>
</html>`
  return new Response(String(page), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-dns-prefetch-control': 'off',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'no-store',
    },
  })
}
