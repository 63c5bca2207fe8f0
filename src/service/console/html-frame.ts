import { randomBytes } from 'node:crypto'
import { html, raw } from 'hono/html'

/**
 * What the document that shows the HTML of mail may do: run the two scripts that the service wrote into it, show pictures
 * that the console hands to it, open links in tabs of their own. Its origin is opaque: it reads nothing of the console, it
 * has no cookies, and it asks nobody for anything.
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
 * The document in which the console shows the HTML of a mail, which it hands over by message; nothing of it is here. Its
 * scripts stand in it: a document of an opaque origin finds nothing in the cache, and would wait for them behind the mail.
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
